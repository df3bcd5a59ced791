/** `hcd setting unset`: reset a setting to its default. */
import { isSettingKey } from '../../src/config/settings.js';
import { readSetting } from '../../src/content/settings/settings.js';
import { AppError } from '../../src/errors/app-error.js';
import { removeSetting } from '../../src/operations/settings/change-setting.js';
import { defineSiteCommand } from '../command.js';
import { changeNotes, contextParameter, keyParameter } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Removes the stored value of a setting. A runtime setting gets its default, and a setting of a context gets the value of the site. A setting of the content system has no default, so removing it requires confirmation or --yes.',
  arguments: { key: keyParameter },
  options: { context: contextParameter },
  examples: {
    'setting unset gateway_cache_ttl': 'Reset a setting to its default',
    'setting unset site_name --context web': 'Use the site name in a context again',
  },
  async run({ key, context }, deps) {
    const asked = { key, context: context ?? null, env: deps.env };
    if (context === undefined && !isSettingKey(key)) {
      // Asked only about a setting that is there.
      await readSetting(deps.store, { ...asked, secrets: 'masked' });
      const message = `${key} is a setting of the content system and has no default. Remove it?`;
      const isAgreed = await deps.prompt.confirm({ message, flag: '--yes' });
      if (!isAgreed) throw new AppError('refused', { message: 'Nothing was changed' });
    }
    const change = await removeSetting(deps.store, asked);
    return {
      kind: 'done',
      message: change.wasSet ? `Unset ${key}.` : `${key} is not set; nothing to do.`,
      data: change.view === null ? null : { ...change.view },
      notes: changeNotes(deps.store, change),
    };
  },
});
