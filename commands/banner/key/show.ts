/** `hcd banner key show`: show the keys of the banner API. */
import { readBannerKeys } from '../../../src/banners/management/banner-keys.js';
import { AppError } from '../../../src/errors/app-error.js';
import { isoTime } from '../../../src/values/dates.js';
import { defineSiteCommand } from '../../command.js';
import { usageNotes } from '../shared.js';

export const command = defineSiteCommand({
  description:
    'Shows the main key, which clients of the banner API send as "Authorization: Bearer KEY" or "X-API-Key: KEY", the previous key while it still works, and the names of the read-only keys. A read-only key itself is shown only when it is created.',
  examples: {
    'banner key show': 'Show the keys',
    'banner key show --json': 'Show the keys as JSON',
  },
  async run(_options, deps) {
    const { key, isLocked, previous, readKeys } = await readBannerKeys(deps.store, {
      env: deps.env,
      now: deps.clock.now(),
    });
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
      notes: await usageNotes(deps),
    };
  },
});
