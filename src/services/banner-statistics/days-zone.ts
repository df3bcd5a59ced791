/**
 * In which time zone the sums of the days are, kept under one key of `hcd_state`. After a change of the zone the sums
 * are moved (see move-days); until then it says from which moment on events may be under the day of an earlier zone.
 */
import type { Database, Reader, Tx } from '../../store/database.js';
import { readEventTimes } from '../../store/rows/ad-statistics.js';
import { createStateIfAbsent, readState, writeState } from '../../store/rows/state.js';

const key = 'banner_days_zone';

/** Milliseconds after a change of the zone in which other processes may still record under the old one. */
export const zoneLagMs = 120_000;

export interface DaysZone {
  readonly zone: string;
  /** Up to this moment (Unix milliseconds) events were moved to their days in that zone. */
  readonly done: number;
  /** From this value of `done` on all are, later ones included. */
  readonly until: number;
  /** Events that were moved so far; another number tells that sums changed between two looks. */
  readonly moved: number;
}

/** Null before anything was written down. */
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

/**
 * Writes down the zone before the first event is recorded, so that no event has to be looked at later. Does nothing once
 * there are events or something is written.
 */
export async function establishDaysZone(own: Database, zone: string): Promise<void> {
  if ((await readState(own.primary, key)) !== null || (await readEventTimes(own.primary)) !== null) return;
  const first: DaysZone = { zone, done: 0, until: 0, moved: 0 };
  await own.write(async (tx) => {
    if ((await readEventTimes(tx)) === null) await createStateIfAbsent(tx, key, JSON.stringify(first));
  });
}

function decode(text: string | null): DaysZone | null {
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return null;
  const { zone, done, until, moved } = value as Partial<Record<keyof DaysZone, unknown>>;
  return { zone: String(zone), done: Number(done), until: Number(until), moved: Number(moved) };
}
