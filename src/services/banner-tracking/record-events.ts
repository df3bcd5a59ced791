/**
 * Writes clicks and impressions: each visitor, banner, position and day once, and exactly what was new into the sums of
 * the day, in one transaction. Any number of processes may do so at once.
 */
import type { Database, Tx } from '../../store/database.js';
import { addToDays, type DayIncrement } from '../../store/rows/ad-days.js';
import { type EventKind, type EventRow, eventKeyText, findEvents, insertEvents } from '../../store/rows/ad-events.js';
import { addToReferrerDays } from '../../store/rows/ad-referrer-days.js';

/** A click or impression as it is to be kept. Text must fit its column: nothing is cut here. */
export interface NewImpression extends Pick<EventRow, 'day' | 'ad' | 'position' | 'visitor' | 'at' | 'ip'> {
  /** Absent or null: the database counts. */
  readonly id?: number | null;
}

export interface NewClick extends NewImpression {
  readonly referrer: string;
  readonly orderId?: string | null;
}

/** What became of one event. */
export interface Recorded {
  /** False: the same visitor's event of that day was there already, or the given id belongs to another row. */
  readonly isNew: boolean;
  /** Row of the event, whoever wrote it; null when the given id belongs to another row. */
  readonly id: number | null;
}

/** More to write in the same transaction; gets what became of each event, in their order. */
export type Also = (tx: Tx, recorded: readonly Recorded[]) => Promise<void>;

/** Writes the clicks, a few thousand at most, and gives what became of each, in their order. */
export function recordClicks(own: Database, rows: readonly NewClick[], also?: Also): Promise<readonly Recorded[]> {
  const events = rows.map((row) => ({
    ...row,
    id: row.id ?? null,
    orderId: row.orderId ?? null,
    key: eventKeyText(row),
  }));
  return record(own, { kind: 'clicks', rows: events, also });
}

/** Writes the impressions, a few thousand at most, and gives what became of each, in their order. */
export function recordImpressions(
  own: Database,
  rows: readonly NewImpression[],
  also?: Also,
): Promise<readonly Recorded[]> {
  const events = rows.map((row) => ({
    ...row,
    id: row.id ?? null,
    referrer: '',
    orderId: null,
    key: eventKeyText(row),
  }));
  return record(own, { kind: 'impressions', rows: events, also });
}

/** Another transaction added one of the rows between the look-up and the INSERT; what was added cannot be told apart. */
class Overtaken extends Error {}

/** With its `eventKeyText`, which is asked for again and again. */
interface KeyedRow extends EventRow {
  readonly key: string;
}

interface Work {
  readonly kind: EventKind;
  readonly rows: readonly KeyedRow[];
  readonly also: Also | undefined;
}

async function record(own: Database, work: Work): Promise<readonly Recorded[]> {
  if (work.rows.length === 0) return [];
  try {
    return await own.write((tx) => recordOnce(tx, work, addTogether));
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    // Only on MariaDB, and seldom: one by one, each INSERT tells for itself.
    return own.write((tx) => recordOnce(tx, work, addSingly));
  }
}

/** Adds rows in the order of their keys and gives those that it added. */
type Add = (tx: Tx, kind: EventKind, rows: readonly KeyedRow[]) => Promise<readonly KeyedRow[]>;

async function recordOnce(tx: Tx, { kind, rows, also }: Work, add: Add): Promise<readonly Recorded[]> {
  const once = [...firstOfEach(rows).values()].sort(byKey);
  const known = await findEvents(tx, kind, once);
  const unknown = once.filter(({ key }) => !known.has(key));
  const added = await add(tx, kind, unknown);
  const found = await findEvents(tx, kind, unknown);
  // After the rows themselves: every writer takes its locks in this order.
  await addToDays(tx, added.map(incrementOf(kind)));
  const referrers = kind === 'clicks' ? added.map((row) => ({ ...row, clicks: 1 })) : [];
  await addToReferrerDays(tx, referrers);
  const left = new Set(added.map(({ key }) => key));
  const recorded = rows.map(({ key }) => {
    // The first of several with one key is the one that was added.
    return { isNew: left.delete(key), id: known.get(key) ?? found.get(key) ?? null };
  });
  await also?.(tx, recorded);
  return recorded;
}

async function addTogether(tx: Tx, kind: EventKind, rows: readonly KeyedRow[]): Promise<readonly KeyedRow[]> {
  if ((await insertEvents(tx, kind, rows)) !== rows.length) throw new Overtaken();
  return rows;
}

async function addSingly(tx: Tx, kind: EventKind, rows: readonly KeyedRow[]): Promise<readonly KeyedRow[]> {
  const added: KeyedRow[] = [];
  for (const row of rows) if ((await insertEvents(tx, kind, [row])) === 1) added.push(row);
  return added;
}

function incrementOf(kind: EventKind): (row: EventRow) => DayIncrement {
  return ({ day, ad, position, orderId }) => ({
    day,
    ad,
    position,
    clicks: kind === 'clicks' ? 1 : 0,
    impressions: kind === 'impressions' ? 1 : 0,
    conversions: orderId === null ? 0 : 1,
  });
}

function firstOfEach(rows: readonly KeyedRow[]): Map<string, KeyedRow> {
  const first = new Map<string, KeyedRow>();
  for (const row of rows) if (!first.has(row.key)) first.set(row.key, row);
  return first;
}

/** The order of the unique index. */
function byKey(one: EventRow, other: EventRow): number {
  return (
    one.day - other.day ||
    one.ad - other.ad ||
    one.position - other.position ||
    (one.visitor < other.visitor ? -1 : one.visitor > other.visitor ? 1 : 0)
  );
}
