/** `hcd banner key show`: the key of the banner API. */
import { readBannerKeys } from '../../../src/banners/management/banner-keys.js';
import { AppError } from '../../../src/errors/app-error.js';
import { defineCommand } from '../../command.js';
import { openReady } from '../../store/open-ready.js';
import { isoTime, usageNotes } from './key-notes.js';

export const command = defineCommand({
  path: 'banner key show',
  summary: 'Show the key of the banner API',
  description:
    'Shows the key that clients of the banner API send as "Authorization: Bearer KEY" or "X-API-Key: KEY", the one before it while it still works, and the names of the keys that may only read. The keys themselves of the latter are shown once, when they are made.',
  arguments: {},
  options: {},
  examples: [
    { line: 'banner key show', does: 'Show the key' },
    { line: 'banner key show --json', does: 'Read it, for a script' },
  ],
  async run(_options, deps) {
    const store = await openReady(deps);
    const { key, isLocked, previous, readKeys } = await readBannerKeys(store, { env: deps.env, now: deps.clock.now() });
    if (key === null) {
      throw new AppError('not_found', { message: 'There is no key yet. Make one: hcd banner key rotate' });
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
