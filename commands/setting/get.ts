/** `hcd setting get`: show a setting. */
import { readSetting, secretMask } from '../../src/content/settings/settings.js';
import { defineSiteCommand } from '../command.js';
import { toggle } from '../parameters.js';
import { contextParameter, keyParameter, problemNotes } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Shows the current value of a setting, its source and its default. With --context the command shows a setting of the content system in that context: the value of the context, or else of the site.',
  arguments: { key: keyParameter },
  options: { context: contextParameter, showSecret: toggle('Show the value of a secret') },
  examples: {
    'setting get gateway_cache_ttl': 'Show a setting of the gateway',
    'setting get site_name --context web --json': 'Show a setting of a context as JSON',
  },
  async run({ key, context, showSecret }, deps) {
    const found = await readSetting(deps.store, {
      key,
      context: context ?? null,
      env: deps.env,
      secrets: showSecret ? 'shown' : 'masked',
    });
    const isMasked = !showSecret && found.setting.value === secretMask;
    return {
      kind: 'record',
      record: { ...found.setting },
      notes: [...problemNotes(found), isMasked && 'The value is masked. Use --show-secret to show it.'],
    };
  },
});
