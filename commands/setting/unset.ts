/** `hcd setting unset KEY`: removes the stored value of a setting. */
import { isSettingKey } from '../../src/config/settings.js';
import { readSetting } from '../../src/content/settings/settings.js';
import { AppError } from '../../src/errors/app-error.js';
import { removeSetting } from '../../src/operations/settings/change-setting.js';
import { defineCommand } from '../command.js';
import type { Deps } from '../deps.js';
import { changeNotes, contextParameter, keyParameter } from './shared.js';

export const command = defineCommand({
  path: 'setting unset',
  summary: 'Reset a setting to its default',
  description:
    'Removes the stored value of a setting. A runtime setting gets its default, and a setting of a context gets the value of the site. A setting of the content system has no default, so removing it requires confirmation or --yes.',
  arguments: { key: keyParameter },
  options: { context: contextParameter },
  examples: [
    { line: 'setting unset gateway_cache_ttl', does: 'Reset a setting to its default' },
    { line: 'setting unset site_name --context web', does: 'Use the site name in a context again' },
  ],
  async run({ key, context }, deps) {
    const store = await deps.openReady();
    const asked = { key, context: context ?? null, env: deps.env };
    if (context === undefined && !isSettingKey(key)) {
      // Asked only about a setting that is there.
      await readSetting(store, { ...asked, secrets: 'masked' });
      await agree(deps, key);
    }
    const change = await removeSetting(store, asked);
    return {
      kind: 'done',
      message: change.wasSet ? `Unset ${key}.` : `${key} is not set; nothing to do.`,
      data: change.view === null ? null : { ...change.view },
      notes: changeNotes(store, change),
    };
  },
});

async function agree({ prompt }: Deps, key: string): Promise<void> {
  const message = `${key} is a setting of the content system and has no default. Remove it?`;
  if (await prompt.confirm({ message, flag: '--yes' })) return;
  throw new AppError('refused', { message: 'Nothing was changed' });
}
