/**
 * Sees to it that the zone is written down under whose days events are recorded: at the start of a server, and when the
 * setting changes while it runs.
 */

import type { LiveState } from '../../content/live/live-state.js';
import type { Log } from '../../log/observation.js';
import type { Database } from '../../store/base/database.js';
import { establishDaysZone } from './days-zone.js';

export interface ZoneKeeper {
  readonly own: Database;
  readonly live: LiveState;
  readonly log: Log;
}

/** Waits for what is written at the start; later changes are written beside everything else. */
export async function keepDaysZone({ own, live, log }: ZoneKeeper): Promise<void> {
  let kept = live.current().settings.values.banners_timezone;
  const report = (error: unknown): void =>
    log({ kind: 'unexpected_error', during: 'writing down the time zone of the banners', error });
  live.onChange(() => {
    const zone = live.current().settings.values.banners_timezone;
    if (zone === kept) return;
    kept = zone;
    void establishDaysZone(own, zone).catch(report);
  });
  await establishDaysZone(own, kept);
}
