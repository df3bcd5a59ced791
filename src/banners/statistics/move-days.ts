/** Moves events and their sums to the day in the current time zone, in small steps by time. */

import type { LiveState } from '../../content/live/live-state.js';
import { sha256Hex } from '../../crypto/primitives.js';
import type { Log } from '../../log/observation.js';
import type { Database, Reader, Tx } from '../../store/base/database.js';
import { createStateIfAbsent, readState, writeState } from '../../store/state/state.js';
import { clicks, type EventKind, events, impressions, joinLimits, type Limits, readLimits } from '../models/events.js';
import { countsOfEvent, negative } from '../rules/figures.js';
import { addDays, dayStart, localDay } from '../rules/local-time.js';
import type { Span } from '../rules/periods.js';
import { addToDays, addToReferrerDays, type DayIncrement, type ReferrerIncrement } from './add-to-days.js';

const stepMs = 3_600_000;
const batchSize = 200;
const stepsBetweenNotes = 500;

/** After a change of the zone other processes may record under the old one for so long. */
const zoneLagMs = 120_000;

/** Returns how many events were moved. Several processes may run it, and it may be repeated. */
export async function moveDays(
  own: Database,
  { zone, now, stop }: { readonly zone: string; readonly now: number; readonly stop?: AbortSignal },
): Promise<number> {
  const { done } = await establishDaysZone(own, zone);
  const times = await readEventTimes(own.primary);
  const last = Math.max(times?.last ?? 0, now);
  let at = Math.max(done - zoneLagMs, times?.first ?? now);
  let moved = 0;
  for (let steps = 1; at <= last && stop?.aborted !== true; steps += 1) {
    const day = localDay(at, zone);
    const to = Math.min(at + stepMs, dayStart(addDays(day, 1), zone), last + 1);
    moved += await moveStep(own, { from: at, to, day, zone });
    at = to;
    if (steps % stepsBetweenNotes === 0) await note(own, { zone, done: at });
  }
  await note(own, { zone, done: at });
  return moved;
}

async function readEventTimes(reader: Reader): Promise<Limits | null> {
  const limits = Object.values(events).map(({ table, columnOf }) =>
    readLimits(reader, { table, column: columnOf('at') }),
  );
  return joinLimits(await Promise.all(limits));
}

/** Keeps the entry of a process that got further, and the entry of a newer zone. */
async function note(own: Database, standing: DaysZone): Promise<void> {
  await own.write(async (tx) => {
    const { zone, done } = await lockDaysZone(tx, standing.zone);
    if (zone === standing.zone && done < standing.done) await writeDaysZone(tx, standing);
  });
}

interface Step extends Span {
  readonly day: number;
  readonly zone: string;
}

async function moveStep(own: Database, { from, to, day, zone }: Step): Promise<number> {
  let moved = 0;
  for (const kind of ['clicks', 'impressions'] as const) {
    for (;;) {
      const ids = await readMisplaced(own.primary, { kind, from, to, day });
      const count = ids.length === 0 ? 0 : await moveBatch(own, { kind, ids, day, zone });
      moved += count;
      // 0: another process was faster, or the zone changed again.
      if (ids.length < batchSize || count === 0) break;
    }
  }
  return moved;
}

async function readMisplaced(
  reader: Reader,
  { kind, from, to, day }: Omit<Step, 'zone'> & { readonly kind: EventKind },
): Promise<number[]> {
  const { table, columnOf } = events[kind];
  const at = `\`${columnOf('at')}\``;
  const rows = await reader.select({
    sql: `SELECT \`id\` FROM \`${table}\` WHERE ${at} >= ? AND ${at} < ? AND \`day\` <> ? ORDER BY ${at}, \`id\` LIMIT ?`,
    params: [from, to, day, batchSize],
    heavy: true,
  });
  return rows.map(([id]) => Number(id));
}

interface Batch {
  readonly kind: EventKind;
  readonly ids: readonly number[];
  readonly day: number;
}

function moveBatch(own: Database, { zone, ...batch }: Batch & Pick<Step, 'zone'>): Promise<number> {
  return own.write(async (tx) => {
    // The zone has changed again: the day is no longer the right one.
    if ((await lockDaysZone(tx, zone)).zone !== zone) return 0;
    return moveEvents(tx, batch);
  });
}

async function moveEvents(tx: Tx, { kind, ids, day }: Batch): Promise<number> {
  const { table } = events[kind];
  const locked = { order: ['id'], lock: true } as const;
  const rows =
    kind === 'clicks'
      ? await clicks.on(tx).lookUpAll({ id: ids }, locked)
      : (await impressions.on(tx).lookUpAll({ id: ids }, locked)).map((row) => ({
          ...row,
          referrer: null,
          orderId: null,
        }));
  const moved = rows.filter((row) => row.day !== day);
  const changes: DayIncrement[] = [];
  const referrers: ReferrerIncrement[] = [];
  for (const row of moved) {
    const { id, ad, position, visitor, referrer } = row;
    const taken = await tx.select({
      sql: `SELECT 1 FROM \`${table}\` WHERE \`day\` = ? AND \`ad\` = ? AND \`position\` = ? AND \`visitor\` = ?`,
      params: [day, ad, position, visitor],
    });
    // If the visitor already has an event on that day, the row gets a digest that no visitor has.
    const name = taken.length === 0 ? visitor : sha256Hex(`moved ${kind} ${id}`).slice(0, 16);
    await tx.run({
      sql: `UPDATE \`${table}\` SET \`day\` = ?, \`visitor\` = ? WHERE \`id\` = ?`,
      params: [day, name, id],
    });
    const counts = countsOfEvent(kind, row.orderId);
    changes.push({ day, ad, position, ...counts }, { day: row.day, ad, position, ...negative(counts) });
    if (referrer !== null) {
      referrers.push({ position, referrer, day, clicks: 1 }, { position, referrer, day: row.day, clicks: -1 });
    }
  }
  await addToDays(tx, changes);
  await addToReferrerDays(tx, referrers);
  return moved.length;
}

const key = 'banner_days_zone';

interface DaysZone {
  readonly zone: string;
  /** Up to this moment (Unix milliseconds) events were moved to their days in that zone. */
  readonly done: number;
}

/** The time zone of the daily sums, in `hcd_state`, and how far events were moved to it. */
export async function readDaysZone(reader: Reader): Promise<DaysZone | null> {
  const text = await readState(reader, key);
  return text === null ? null : decode(text);
}

/** Other transactions wait here until this one ends. */
async function lockDaysZone(tx: Tx, zone: string): Promise<DaysZone> {
  return decode(await createStateIfAbsent(tx, key, JSON.stringify({ zone, done: 0 })));
}

function writeDaysZone(tx: Tx, standing: DaysZone): Promise<void> {
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
