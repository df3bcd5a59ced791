/** `hcd banner key rotate`: replace the main key of the banner API. */
import { readBannerKeys, rotateBannerKey } from '../../../src/banners/management/banner-keys.js';
import { isoTime } from '../../../src/values/dates.js';
import { defineSiteCommand } from '../../command.js';
import { overlapParameters, withoutOverlap } from '../../parameters.js';
import { usageNotes } from '../shared.js';

export const command = defineSiteCommand({
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
    const endsOn = before.key === null ? null : isoTime(previousEndsOn);
    const ending = endsOn === null ? 'stops working within one second' : `works until ${endsOn}`;
    return {
      kind: 'record',
      record: { key, previous_ends_on: endsOn },
      notes: [before.key !== null && `The old key ${ending}.`, ...(await usageNotes(deps))],
    };
  },
});
