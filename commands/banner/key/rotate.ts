/** `hcd banner key rotate`: a new main key for the banner API. */
import { readBannerKeys, rotateBannerKey } from '../../../src/banners/management/banner-keys.js';
import { durationValue } from '../../../src/config/time-values.js';
import { isoTime } from '../../../src/values/dates.js';
import { defineCommand } from '../../command.js';
import { confirmChange } from '../../confirm.js';
import { optional } from '../../parameters.js';
import { usageNotes } from './shared.js';

export const command = defineCommand({
  path: 'banner key rotate',
  summary: 'Replace the main key of the banner API',
  description:
    'Creates a new main key and prints it; also the first one. Without --overlap the old key stops working within one second. With --overlap both keys work for that time, so that you can update clients one by one. Read-only keys do not change. No restart is needed.',
  arguments: {},
  options: {
    overlap: optional(durationValue, {
      placeholder: 'DURATION',
      description: 'How long the old key keeps working (default: 0s)',
    }),
  },
  examples: [
    { line: 'banner key rotate --overlap 7d', does: 'Keep the old key valid for a week' },
    { line: 'banner key rotate --yes --json', does: 'Replace a leaked key immediately' },
  ],
  destructive: { when: { says: 'Without --overlap', holds: ({ overlap = 0 }) => overlap === 0 } },
  async run({ overlap }, deps) {
    const store = await deps.openReady();
    const before = await readBannerKeys(store, { env: deps.env, now: deps.clock.now() });
    if (before.key !== null && (overlap ?? 0) === 0) {
      await confirmChange(deps, 'Revoke the old key immediately? Use --overlap to keep it valid for a while.');
    }
    const { key, previousEndsOn } = await rotateBannerKey(store, {
      env: deps.env,
      overlapSeconds: overlap ?? null,
      now: deps.clock.now(),
    });
    const endsOn = before.key === null ? null : isoTime(previousEndsOn);
    const ending =
      endsOn === null ? 'The old key stops working within one second.' : `The old key works until ${endsOn}.`;
    return {
      kind: 'record',
      record: { key, previous_ends_on: endsOn },
      notes: [...(before.key === null ? [] : [ending]), ...(await usageNotes(deps, store))],
    };
  },
});
