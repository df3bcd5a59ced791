/** `hcd banner key show`: the key of the banner API. */
import { readBannerKeys } from '../../../src/banners/management/banner-keys.js';
import { AppError } from '../../../src/errors/app-error.js';
import { isoTime } from '../../../src/values/dates.js';
import { defineCommand } from '../../command.js';
import { usageNotes } from './shared.js';

export const command = defineCommand({
  path: 'banner key show',
  summary: 'Show the keys of the banner API',
  description:
    'Shows the main key, which clients of the banner API send as "Authorization: Bearer KEY" or "X-API-Key: KEY", the previous key while it still works, and the names of the read-only keys. A read-only key itself is shown only when it is created.',
  arguments: {},
  options: {},
  examples: [
    { line: 'banner key show', does: 'Show the keys' },
    { line: 'banner key show --json', does: 'Show the keys as JSON' },
  ],
  async run(_options, deps) {
    const store = await deps.openReady();
    const { key, isLocked, previous, readKeys } = await readBannerKeys(store, { env: deps.env, now: deps.clock.now() });
    if (key === null) {
      throw new AppError('not_found', { message: 'The banner API has no key yet. Create one: hcd banner key rotate' });
    }
    return {
      kind: 'record',
      record: {
        key,
        source: isLocked ? 'environment' : 'settings',
        previous: previous?.key ?? null,
        previous_ends_on: isoTime(previous?.endsOn ?? null),
        read_keys: readKeys,
      },
      notes: await usageNotes(deps, store),
    };
  },
});
