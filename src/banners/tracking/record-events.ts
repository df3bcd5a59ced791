/** Writes events once per visitor, banner, position and day, and adds exactly the new ones to the sums. */

import { Op } from 'sequelize';
import type { Settings } from '../../config/settings.js';
import type { Database, Tx } from '../../store/base/database.js';
import { writeInBatches } from '../../store/base/transaction.js';
import { fromNow } from '../../store/models/columns.js';
import type { Store } from '../../store/open/open.js';
import { dayMs } from '../../values/dates.js';
import { clicks, type EventKind, impressions } from '../models/events.js';
import { countsOfEvent } from '../rules/figures.js';
import { eventKeyText } from '../rules/visitor.js';
import { addToDays, addToReferrerDays } from '../statistics/add-to-days.js';
import { type EventRow, findEvents, insertEvents } from './event-rows.js';

type NewImpression = Omit<EventRow, 'referrer' | 'orderId'>;

export interface NewClick extends EventRow {
  readonly referrer: string;
}

/** An event is known when the visitor's event of that day exists, or when another row has the given id. */
type Recorded = readonly boolean[];

export type Also = (tx: Tx, recorded: Recorded) => Promise<void>;

export function recordClicks(own: Database, rows: readonly NewClick[], also?: Also): Promise<Recorded> {
  return record(own, { kind: 'clicks', rows, also });
}

export function recordImpressions(own: Database, rows: readonly NewImpression[], also?: Also): Promise<Recorded> {
  return record(own, { kind: 'impressions', rows, also });
}

/** A row was added meanwhile by another transaction, or its id is taken, so it is unknown which were added. */
class Overtaken extends Error {}

interface Work {
  readonly kind: EventKind;
  readonly rows: readonly EventRow[];
  readonly also: Also | undefined;
}

async function record(own: Database, work: Work): Promise<Recorded> {
  if (work.rows.length === 0) return [];
  try {
    return await own.write((tx) => recordOnce(tx, work, addWhatIsMissing), { aside: true });
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    // Rare. One by one, each INSERT shows whether it added its row.
    return own.write((tx) => recordOnce(tx, work, addSingly), { aside: true });
  }
}

type Add = (tx: Tx, kind: EventKind, rows: readonly EventRow[]) => Promise<readonly EventRow[]>;

async function recordOnce(tx: Tx, { kind, rows, also }: Work, add: Add): Promise<Recorded> {
  const added = await add(tx, kind, firstOfEach(rows));
  // After the rows: every writer locks in this order.
  await addToDays(
    tx,
    added.map(({ day, ad, position, orderId }) => ({ day, ad, position, ...countsOfEvent(kind, orderId) })),
  );
  if (kind === 'clicks') {
    await addToReferrerDays(
      tx,
      added.map(({ day, position, referrer = '' }) => ({ day, position, referrer, clicks: 1 })),
    );
  }
  const left = new Set(added);
  const recorded = rows.map((row) => left.delete(row));
  await also?.(tx, recorded);
  return recorded;
}

async function addWhatIsMissing(tx: Tx, kind: EventKind, rows: readonly EventRow[]): Promise<readonly EventRow[]> {
  const known = await findEvents(tx, kind, rows);
  const unknown = known.size === 0 ? rows : rows.filter((row) => !known.has(eventKeyText(row)));
  if ((await insertEvents(tx, kind, unknown)) !== unknown.length) throw new Overtaken();
  return unknown;
}

async function addSingly(tx: Tx, kind: EventKind, rows: readonly EventRow[]): Promise<readonly EventRow[]> {
  const added: EventRow[] = [];
  for (const row of rows) if ((await insertEvents(tx, kind, [row])) === 1) added.push(row);
  return added;
}

/** In the order of the unique index; of several rows with one key, the first. */
function firstOfEach(rows: readonly EventRow[]): EventRow[] {
  const byKey = new Map(rows.toReversed().map((row) => [eventKeyText(row), row]));
  return [...byKey.values()].sort(
    (one, other) =>
      one.day - other.day ||
      one.ad - other.ad ||
      one.position - other.position ||
      (one.visitor < other.visitor ? -1 : 1),
  );
}

export type RetentionSettings = Pick<Settings, 'banners_clicks_retention_days' | 'banners_impressions_retention_days'>;

/** Removes clicks and impressions past their retention; the sums of their days stay. */
export async function pruneEvents(
  { own }: Pick<Store, 'own'>,
  { settings, signal }: { readonly settings: RetentionSettings; readonly signal: AbortSignal },
) {
  const remove = async (kind: EventKind, days: number): Promise<number> => {
    if (days === 0) return 0;
    const removeSome = (tx: Tx, limit: number) => {
      const old = { where: { at: { [Op.lt]: fromNow(tx, -days * dayMs) } }, limit };
      return kind === 'clicks' ? clicks.on(tx).destroy(old) : impressions.on(tx).destroy(old);
    };
    return writeInBatches(own, removeSome, { stop: signal });
  };
  return {
    clicks: await remove('clicks', settings.banners_clicks_retention_days),
    impressions: await remove('impressions', settings.banners_impressions_retention_days),
  };
}
