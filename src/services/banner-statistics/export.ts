/**
 * Statistics as CSV (contract 3.4), made while it is read: a few thousand rows are in memory at a time, however many
 * there are. Each page is a question of its own, so no transaction stays open.
 */
import { csvLine } from '../../banners/csv.js';
import type { Reader } from '../../store/database.js';
import {
  type EventPageQuestion,
  type EventPlace,
  type ExportedEvent,
  readEventPage,
} from '../../store/rows/ad-event-pages.js';
import type { EventKind } from '../../store/rows/ad-events.js';
import { type NamedKind, readNames } from '../../store/rows/ad-names.js';
import { type FoundReferrers, type ReferrerCount, readReferrers } from '../../store/rows/ad-referrer-days.js';
import { planReferrers } from './count.js';
import { readStatistics, type StatisticsQuestion } from './statistics.js';

export const exportTypes = ['clicks', 'impressions', 'referrers', 'report', 'summary'] as const;
export type ExportType = (typeof exportTypes)[number];

/** Rows of one page: few enough for a turn of the event loop, so memory stays small. */
const eventsTogether = 250;
/** Every page of referrers counts all of them again, so there are few pages. */
const referrersTogether = 20_000;
/** Lines given out at a time. */
const linesTogether = 2000;
/** Names kept in memory; banners and positions are few. */
const rememberedNames = 10_000;

/** Pieces of the file, the header row first. */
export function exportCsv(
  own: Reader,
  question: StatisticsQuestion & { readonly type: ExportType },
): AsyncGenerator<string> {
  switch (question.type) {
    case 'clicks':
    case 'impressions':
      return exportEvents(own, { ...question, kind: question.type });
    case 'referrers':
      return exportReferrers(own, question);
    case 'report':
    case 'summary':
      return exportDays(own, question);
  }
}

const eventHeaders: Readonly<Record<EventKind, readonly string[]>> = Object.freeze({
  clicks: [
    ...['id', 'ad_id', 'ad_name', 'position_id', 'position_name'],
    ...['clicked_at', 'referrer', 'ip', 'order_id'],
  ],
  impressions: ['id', 'ad_id', 'ad_name', 'position_id', 'position_name', 'shown_at', 'ip'],
});

async function* exportEvents(
  own: Reader,
  { range, position, kind }: StatisticsQuestion & { readonly kind: EventKind },
): AsyncGenerator<string> {
  // With the first page, so that a database that does not answer is told before anything is sent.
  let head = csvLine(eventHeaders[kind]);
  const banners = namesOf(own, 'ad');
  const positions = namesOf(own, 'position');
  let after: EventPlace | null = null;
  for (;;) {
    const question: EventPageQuestion = {
      kind,
      from: range.from,
      to: range.to,
      position,
      after,
      limit: eventsTogether,
    };
    const rows: readonly ExportedEvent[] = await readEventPage(own, question);
    const adNames = await banners(rows.map(({ ad }) => ad));
    const positionNames = await positions(rows.map((row) => row.position));
    yield head + rows.map((row) => eventLine(kind, row, { adNames, positionNames })).join('');
    head = '';
    if (rows.length < eventsTogether) return;
    after = rows.at(-1) ?? null;
  }
}

interface Names {
  readonly adNames: ReadonlyMap<number, string>;
  readonly positionNames: ReadonlyMap<number, string>;
}

function eventLine(kind: EventKind, row: ExportedEvent, { adNames, positionNames }: Names): string {
  const time = `${new Date(row.at).toISOString().slice(0, 19)}Z`;
  return csvLine([
    row.id,
    row.ad,
    adNames.get(row.ad) ?? null,
    row.position,
    positionNames.get(row.position) ?? null,
    time,
    ...(kind === 'clicks' ? [row.referrer, row.ip, row.orderId] : [row.ip]),
  ]);
}

/** Looks up each id once. */
function namesOf(own: Reader, kind: NamedKind): (ids: readonly number[]) => Promise<ReadonlyMap<number, string>> {
  let known = new Map<number, string>();
  let asked = new Set<number>();
  return async (ids) => {
    const unknown = [...new Set(ids)].filter((id) => !asked.has(id));
    if (unknown.length === 0) return known;
    if (asked.size > rememberedNames) {
      known = await readNames(own, kind, ids);
      asked = new Set(ids);
      return known;
    }
    for (const [id, name] of await readNames(own, kind, unknown)) known.set(id, name);
    for (const id of unknown) asked.add(id);
    return known;
  };
}

async function* exportReferrers(own: Reader, { range, position, clock }: StatisticsQuestion): AsyncGenerator<string> {
  const where = await planReferrers(own, { range, position, zone: clock.zone });
  let head = csvLine(['referrer', 'clicks']);
  let last: ReferrerCount | undefined;
  for (;;) {
    const after = last === undefined ? {} : { after: last };
    const { rows }: FoundReferrers = await readReferrers(own, where, {
      ...{ limit: referrersTogether, offset: 0 },
      ...after,
    });
    yield head;
    head = '';
    yield* inPieces(rows, ({ referrer, clicks }) => csvLine([referrer, clicks]));
    if (rows.length < referrersTogether) return;
    last = rows.at(-1);
  }
}

async function* exportDays(own: Reader, question: StatisticsQuestion): AsyncGenerator<string> {
  const { by_day } = await readStatistics(own, question);
  yield csvLine(['date', 'impressions', 'clicks', 'conversions', 'ctr', 'cvr']);
  yield* inPieces(by_day, (day) => csvLine([day.date, day.impressions, day.clicks, day.conversions, day.ctr, day.cvr]));
}

function* inPieces<T>(rows: readonly T[], line: (row: T) => string): Generator<string> {
  for (let at = 0; at < rows.length; at += linesTogether)
    yield rows
      .slice(at, at + linesTogether)
      .map(line)
      .join('');
}
