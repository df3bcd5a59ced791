/** `hcd banner key rotate`: another key for the banner API. */
import { readBannerKeys, rotateBannerKey } from '../../../src/banners/management/banner-keys.js';
import { durationValue } from '../../../src/config/time-values.js';
import { defineCommand } from '../../command.js';
import { confirmChange } from '../../confirm.js';
import { optional } from '../../parameters.js';
import { openReady } from '../../store/open-ready.js';
import { isoTime, usageNotes } from './key-notes.js';

export const command = defineCommand({
  path: 'banner key rotate',
  summary: 'Make a new key for the banner API',
  description:
    'Makes a new key and prints it; the first one where there is none. Without --overlap the old key stops working within one second; with it both work for that long, so that clients can be changed one after the other. Keys that may only read stay as they are. No restart is needed.',
  arguments: {},
  options: {
    overlap: optional(durationValue, {
      placeholder: 'DURATION',
      description: 'How long the old key works on; not at all when left out',
    }),
  },
  examples: [
    { line: 'banner key rotate --overlap 7d', does: 'Give clients a week to take up the new key' },
    { line: 'banner key rotate --yes --json', does: 'Replace a leaked key now' },
  ],
  destructive: { when: { says: 'Without --overlap', holds: ({ overlap = 0 }) => overlap === 0 } },
  async run({ overlap }, deps) {
    const store = await openReady(deps);
    const before = await readBannerKeys(store, { env: deps.env, now: deps.clock.now() });
    if (before.key !== null && (overlap ?? 0) === 0) {
      await confirmChange(deps, 'End the old key at once? --overlap lets both work for a while.');
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
