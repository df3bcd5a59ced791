/** `hcd setting unset KEY`: takes the stored value of a setting away. */
import { isSettingKey } from '../../src/config/settings.js';
import { readSetting } from '../../src/content/settings/settings.js';
import { AppError } from '../../src/errors/app-error.js';
import { removeSetting } from '../../src/operations/settings/change-setting.js';
import { defineCommand } from '../command.js';
import type { Deps } from '../deps.js';
import { openReady } from '../store/open-ready.js';
import { changeNotes } from './notes.js';
import { contextParameter, keyParameter } from './parameters.js';

export const command = defineCommand({
  path: 'setting unset',
  summary: 'Return a setting to its default',
  description:
    'Removes the stored value: a runtime setting has its default again, a setting of a context the value of the site. A setting of the content system itself has no default here, so its removal is asked for; --yes agrees.',
  arguments: { key: keyParameter },
  options: { context: contextParameter },
  examples: [
    { line: 'setting unset gateway_cache_ttl', does: 'Go back to the default' },
    { line: 'setting unset site_name --context web', does: 'Let a context have the name of the site again' },
  ],
  async run({ key, context }, deps) {
    const store = await openReady(deps);
    const asked = { key, context: context ?? null, env: deps.env };
    if (context === undefined && !isSettingKey(key)) {
      // Asked only about a setting that is there.
      await readSetting(store, { ...asked, secrets: 'masked' });
      await agree(deps, key);
    }
    const change = await removeSetting(store, asked);
    return {
      kind: 'done',
      message: change.wasSet ? `${key} is unset.` : `${key} was not set.`,
      data: change.view === null ? null : { ...change.view },
      notes: changeNotes(store, change),
    };
  },
});

async function agree({ prompt }: Deps, key: string): Promise<void> {
  const message = `${key} is a setting of the content system and has no default here. Remove it?`;
  if (await prompt.confirm({ message, flag: '--yes' })) return;
  throw new AppError('refused', { message: 'Nothing was changed' });
}
