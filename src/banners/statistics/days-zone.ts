/** The time zone of the daily sums, in `hcd_state`, and how far move-days.ts has moved events to it. */

import type { LiveState } from '../../content/live/live-state.js';
import type { Log } from '../../log/observation.js';
import type { Database, Reader, Tx } from '../../store/base/database.js';
import { createStateIfAbsent, readNow, readState, writeState } from '../../store/state/state.js';
import { events, joinLimits, type Limits, readLimits } from '../models/events.js';

const key = 'banner_days_zone';

/** Milliseconds after a change of the zone in which other processes may still record under the old one. */
export const zoneLagMs = 120_000;

export interface DaysZone {
  readonly zone: string;
  /** Up to this moment (Unix milliseconds) events were moved to their days in that zone. */
  readonly done: number;
  /** From this value of `done` on all are, later ones included. */
  readonly until: number;
  /** Events moved so far; a different number means that sums changed between two reads. */
  readonly moved: number;
}

export async function readDaysZone(reader: Reader): Promise<DaysZone | null> {
  return decode(await readState(reader, key));
}

export function writeDaysZone(tx: Tx, standing: DaysZone): Promise<void> {
  return writeState(tx, key, JSON.stringify(standing));
}

/** The moment from which on events may be under another day than the zone has; null = none are. */
export function unsettledFrom(standing: DaysZone | null, zone: string): number | null {
  if (standing === null || standing.zone !== zone) return Number.NEGATIVE_INFINITY;
  return standing.done >= standing.until ? null : standing.done - zoneLagMs;
}

/** Stores the zone before the first event, and after a change of the zone, so that the worker checks all events. */
export async function establishDaysZone(own: Database, zone: string): Promise<void> {
  const known = await readDaysZone(own.primary);
  if (known?.zone === zone || (known === null && (await readEventTimes(own.primary)) !== null)) return;
  await own.write(async (tx) => {
    const isFirst = (await readDaysZone(tx)) === null;
    const times = await readEventTimes(tx);
    if (!isFirst) await beginDaysZone(tx, { zone, now: await readNow(tx), last: times?.last ?? 0 });
    else if (times === null) await createStateIfAbsent(tx, key, JSON.stringify({ zone, done: 0, until: 0, moved: 0 }));
  });
}

export interface ZoneBeginning {
  readonly zone: string;
  /** Unix milliseconds. */
  readonly now: number;
  readonly last: number;
}

export async function beginDaysZone(tx: Tx, { zone, now, last }: ZoneBeginning): Promise<DaysZone> {
  const known = await readDaysZone(tx);
  if (known?.zone === zone) return known;
  const until = Math.max(now + zoneLagMs, last);
  const fresh: DaysZone = { zone, done: 0, until, moved: known?.moved ?? 0 };
  await writeDaysZone(tx, fresh);
  return fresh;
}

function decode(text: string | null): DaysZone | null {
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return null;
  const { zone, done, until, moved } = value as Partial<Record<keyof DaysZone, unknown>>;
  return { zone: String(zone), done: Number(done), until: Number(until), moved: Number(moved) };
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

export async function readEventTimes(reader: Reader): Promise<Limits | null> {
  const limits = Object.values(events).map(({ table, columnOf }) =>
    readLimits(reader, { table, column: columnOf('at') }),
  );
  return joinLimits(await Promise.all(limits));
}
