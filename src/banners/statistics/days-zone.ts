/** The time zone of the daily sums, in `hcd_state`, and how far move-days.ts has moved events to it. */

import type { LiveState } from '../../content/live/live-state.js';
import type { Log } from '../../log/observation.js';
import type { Database, Reader, Tx } from '../../store/base/database.js';
import { createStateIfAbsent, readState, writeState } from '../../store/state/state.js';

const key = 'banner_days_zone';

export interface DaysZone {
  readonly zone: string;
  /** Up to this moment (Unix milliseconds) events were moved to their days in that zone. */
  readonly done: number;
}

export async function readDaysZone(reader: Reader): Promise<DaysZone | null> {
  const text = await readState(reader, key);
  return text === null ? null : decode(text);
}

/** Other transactions wait here until this one ends. */
export async function lockDaysZone(tx: Tx, zone: string): Promise<DaysZone> {
  return decode(await createStateIfAbsent(tx, key, JSON.stringify({ zone, done: 0 })));
}

export function writeDaysZone(tx: Tx, standing: DaysZone): Promise<void> {
  return writeState(tx, key, JSON.stringify(standing));
}

/** After a change of the zone the worker checks all events. */
export async function establishDaysZone(own: Database, zone: string): Promise<DaysZone> {
  const known = await readDaysZone(own.primary);
  if (known?.zone === zone) return known;
  return own.write(async (tx) => {
    const locked = await lockDaysZone(tx, zone);
    if (locked.zone === zone) return locked;
    const fresh = { zone, done: 0 };
    await writeDaysZone(tx, fresh);
    return fresh;
  });
}

function decode(text: string): DaysZone {
  const { zone, done } = JSON.parse(text) as Partial<Record<keyof DaysZone, unknown>>;
  return { zone: String(zone), done: Number(done) };
}

interface ZoneKeeper {
  readonly own: Database;
  readonly live: LiveState;
  readonly log: Log;
}

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
