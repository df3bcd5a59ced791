/** `hcd setting get KEY`: one setting as it is in effect. */
import { readSetting, secretMask } from '../../src/content/settings/settings.js';
import { defineCommand } from '../command.js';
import { toggle } from '../parameters.js';
import { contextParameter, keyParameter, problemNotes } from './shared.js';

export const command = defineCommand({
  path: 'setting get',
  summary: 'Show a setting',
  description:
    'Shows the current value of a setting, its source and its default. With --context the command shows a setting of the content system in that context: the value of the context, or else of the site.',
  arguments: { key: keyParameter },
  options: { context: contextParameter, showSecret: toggle('Show the value of a secret') },
  examples: [
    { line: 'setting get gateway_cache_ttl', does: 'Show a setting of the gateway' },
    { line: 'setting get site_name --context web --json', does: 'Show a setting of a context as JSON' },
  ],
  async run({ key, context, showSecret }, deps) {
    const found = await readSetting(await deps.openReady(), {
      key,
      context: context ?? null,
      env: deps.env,
      secrets: showSecret ? 'shown' : 'masked',
    });
    const isMasked = !showSecret && found.setting.value === secretMask;
    return {
      kind: 'record',
      record: { ...found.setting },
      notes: [...problemNotes(found), ...(isMasked ? ['The value is masked. Use --show-secret to show it.'] : [])],
    };
  },
});
