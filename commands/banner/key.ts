/** `hcd banner key`: the keys of the banner API. */
import {
  addReadKey,
  readBannerKeys,
  removeReadKey,
  rotateBannerKey,
} from '../../src/banners/management/banner-keys.js';
import { textValue } from '../../src/config/value-type.js';
import { AppError } from '../../src/errors/app-error.js';
import { isoTimeOfSeconds } from '../../src/values/dates.js';
import { defineSiteCommand, type Notes } from '../command.js';
import type { SiteDeps } from '../deps.js';
import { overlapParameters, required, withoutOverlap } from '../parameters.js';

const readKeyParameter = required(
  textValue({ accepts: 'a name of 1 to 40 characters of a-z, 0-9, _ and -', pattern: /^[a-z0-9][a-z0-9_-]{0,39}$/ }),
  'Name of the read-only key (see hcd banner key show)',
  { placeholder: 'NAME' },
);

export const commands = {
  show: defineSiteCommand({
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
        throw new AppError('not_found', {
          message: 'The banner API has no key yet. Create one: hcd banner key rotate',
        });
      }
      return {
        kind: 'record',
        record: {
          key,
          source: isLocked ? 'environment' : 'settings',
          previous: previous?.key ?? null,
          previous_ends_on: isoTimeOfSeconds(previous?.endsOn ?? null),
          read_keys: readKeys,
        },
        notes: await usageNotes(deps),
      };
    },
  }),

  rotate: defineSiteCommand({
    description:
      'Creates a new main key and prints it; also the first one. Without --overlap the old key stops working within one second. With --overlap both keys work for that time, so that you can update clients one by one. Read-only keys do not change. No restart is needed.',
    options: overlapParameters('the old key keeps working'),
    examples: {
      'banner key rotate --overlap 7d': 'Keep the old key valid for a week',
      'banner key rotate --yes --json': 'Replace a leaked key immediately',
    },
    destructive: withoutOverlap,
    async run({ overlap }, deps) {
      const before = await readBannerKeys(deps.store, { env: deps.env, now: deps.clock.now() });
      if (before.key !== null && (overlap ?? 0) === 0) {
        await deps.confirm('Revoke the old key immediately? Use --overlap to keep it valid for a while.');
      }
      const { key, previousEndsOn } = await rotateBannerKey(deps.store, {
        env: deps.env,
        overlapSeconds: overlap ?? null,
        now: deps.clock.now(),
      });
      const endsOn = before.key === null ? null : isoTimeOfSeconds(previousEndsOn);
      const ending = endsOn === null ? 'stops working within one second' : `works until ${endsOn}`;
      return {
        kind: 'record',
        record: { key, previous_ends_on: endsOn },
        notes: [before.key !== null && `The old key ${ending}.`, ...(await usageNotes(deps))],
      };
    },
  }),

  add: defineSiteCommand({
    description:
      'Creates a key that can read everything in the banner API and change nothing, and prints it. The key is shown only once: the setting banners_api_read_keys stores its name and a digest.',
    arguments: { name: readKeyParameter },
    examples: {
      'banner key add dashboard': 'Create a key for a statistics page',
      'banner key add report --json': 'Create a key and print it as JSON',
    },
    async run({ name }, deps) {
      const made = await addReadKey(deps.store, { env: deps.env, name });
      return {
        kind: 'record',
        record: { name: made.name, key: made.key },
        notes: ['Copy the key now: it is not shown again.', ...(await usageNotes(deps))],
      };
    },
  }),

  remove: defineSiteCommand({
    description:
      'Revokes a read-only key permanently. Servers refuse it within one second. To replace the main key, use hcd banner key rotate.',
    arguments: { name: readKeyParameter },
    examples: {
      'banner key remove dashboard': 'Revoke a key',
      'banner key remove report --yes --json': 'Revoke a key without confirmation',
    },
    destructive: {},
    async run({ name }, deps) {
      await deps.confirm(`Revoke the key ${name} permanently?`);
      await removeReadKey(deps.store, { env: deps.env, name });
      return {
        kind: 'done',
        message: `Revoked the key ${name}. Servers refuse it within one second.`,
        data: { name, removed: true },
      };
    },
  }),
};

async function usageNotes(deps: SiteDeps): Promise<Notes> {
  const { banners_api_enabled: isOn } = await deps.settings('banners');
  return [
    // The shell fills in the key, so that it does not end up in a history or a log.
    `To try the key, with BANNERS_KEY set to it: curl -H "X-API-Key: $BANNERS_KEY" '${await deps.addressOf('banners')}/banners/api.php/ads'`,
    !isOn && 'The banner API is off. Turn it on: hcd setting set banners_api_enabled 1',
  ];
}
