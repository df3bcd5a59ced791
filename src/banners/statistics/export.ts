/** Statistics as CSV while the client reads (docs/banners-statistics.md#csv). No transaction stays open. */

import { textOrNull } from '../../store/base/columns.js';
import type { RawRow, Reader } from '../../store/base/database.js';
import { batchesOf } from '../../values/batches.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { readNames } from '../models/audit.js';
import { conditionsOf, type EventKind, events, type Subject } from '../models/events.js';
import { whereOf } from '../models/page.js';
import { csvLine } from '../rules/csv.js';
import {
  type FoundReferrers,
  type ReferrerCount,
  readReferrers,
  readStatistics,
  type StatisticsQuestion,
} from './statistics.js';

export const exportTypes = ['clicks', 'impressions', 'referrers', 'report', 'summary'] as const;
export type ExportType = (typeof exportTypes)[number];

const days = ['date', 'impressions', 'clicks', 'conversions', 'ctr', 'cvr'];
const places = ['id', 'ad_id', 'ad_name', 'position_id', 'position_name'];
const headers: Readonly<Record<ExportType, readonly string[]>> = Object.freeze({
  clicks: [...places, 'clicked_at', 'referrer', 'ip', 'order_id'],
  impressions: [...places, 'shown_at', 'ip'],
  referrers: ['referrer', 'clicks'],
  report: days,
  summary: days,
});

/** Each page counts all referrers again, so pages are large. */
const referrersTogether = 20_000;
const linesTogether = 2000;

interface CsvQuestion extends StatisticsQuestion {
  readonly type: ExportType;
  readonly bom?: boolean;
}

export async function* exportCsv(own: Reader, question: CsvQuestion): AsyncGenerator<string> {
  // Sent with the first piece: a failure before it becomes an error.
  let head = (question.bom ? '\ufeff' : '') + csvLine(headers[question.type]);
  for await (const piece of piecesOf(own, question)) {
    yield head + piece;
    head = '';
  }
  if (head !== '') yield head;
}

function piecesOf(own: Reader, question: CsvQuestion): AsyncGenerator<string> {
  switch (question.type) {
    case 'clicks':
    case 'impressions':
      return exportEvents(own, { ...question.range, subject: question.subject, kind: question.type });
    case 'referrers':
      return exportReferrers(own, question);
    case 'report':
    case 'summary':
      return exportDays(own, question);
  }
}

async function* exportReferrers(own: Reader, question: StatisticsQuestion): AsyncGenerator<string> {
  let last: ReferrerCount | undefined;
  for (;;) {
    const after = last === undefined ? {} : { after: last };
    const page = { limit: referrersTogether, offset: 0, ...after };
    const { rows }: FoundReferrers = await readReferrers(own, question, page);
    yield* inPieces(rows, ({ referrer, clicks }) => csvLine([referrer, clicks]));
    if (rows.length < referrersTogether) return;
    last = rows.at(-1);
  }
}

async function* exportDays(own: Reader, question: StatisticsQuestion): AsyncGenerator<string> {
  const { by_day } = await readStatistics(own, question);
  yield* inPieces(by_day, (day) => csvLine([day.date, day.impressions, day.clicks, day.conversions, day.ctr, day.cvr]));
}

function* inPieces<T>(rows: readonly T[], line: (row: T) => string): Generator<string> {
  for (const some of batchesOf(rows, linesTogether)) yield some.map(line).join('');
}

interface EventExport {
  readonly kind: EventKind;
  /** First moment, and first moment after; null = open. */
  readonly from: number | null;
  readonly to: number | null;
  readonly subject: Subject;
}

const batchSize = 200;

/** Clicks and impressions as CSV in order of time. */
async function* exportEvents(own: Reader, question: EventExport): AsyncGenerator<string> {
  const { kind } = question;
  let after: EventPlace | null = null;
  for (;;) {
    const rows: readonly ExportedEvent[] = await readEventPage(own, { ...question, after, limit: batchSize });
    const banners = await readNames(own, 'ad', [...new Set(rows.map((row) => Number(row[2])))]);
    const positions = await readNames(own, 'position', [...new Set(rows.map((row) => Number(row[3])))]);
    yield rows.map((row) => lineOf(row, { kind, banners, positions })).join('');
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    after = placeOf(last);
  }
}

interface LineTexts {
  readonly kind: EventKind;
  readonly banners: ReadonlyMap<number, string>;
  readonly positions: ReadonlyMap<number, string>;
}

function lineOf([id, at, ad, position, ip, ...more]: ExportedEvent, { kind, banners, positions }: LineTexts): string {
  const [referrer, order] = more.map(textOrNull);
  const where = [
    Number(ad),
    banners.get(Number(ad)) ?? null,
    Number(position),
    positions.get(Number(position)) ?? null,
  ];
  const start = [Number(id), ...where, isoTimeOfMs(Number(at))];
  return csvLine(
    kind === 'clicks' ? [...start, referrer ?? null, textOrNull(ip), order ?? null] : [...start, textOrNull(ip)],
  );
}

interface EventPlace {
  readonly at: number;
  readonly id: number;
}

/** Id, moment, banner, position, address, referrer, order; an impression has no referrer and no order. */
type ExportedEvent = RawRow;

function placeOf([id, at]: ExportedEvent): EventPlace {
  return { at: Number(at), id: Number(id) };
}

/** Only events of one banner or position may need a search through many rows. */
async function readEventPage(
  reader: Reader,
  question: EventExport & { readonly after: EventPlace | null; readonly limit: number },
): Promise<readonly ExportedEvent[]> {
  const { kind, from, to, subject, after, limit } = question;
  const { table, columnOf } = events[kind];
  const at = `\`${columnOf('at')}\``;
  const begin = after === null ? from : after.at;
  const { where, params } = whereOf([
    begin === null ? null : [`${at} >= ?`, [begin]],
    to === null ? null : [`${at} < ?`, [to]],
    ...conditionsOf(subject),
    after === null ? null : [`${at} > ? OR (${at} = ? AND \`id\` > ?)`, [after.at, after.at, after.id]],
  ]);
  const own = kind === 'clicks' ? '`referrer`, `order_id`' : 'NULL, NULL';
  return reader.select({
    sql: `SELECT \`id\`, ${at}, \`ad\`, \`position\`, \`ip\`, ${own} FROM \`${table}\`${where} ORDER BY ${at}, \`id\` LIMIT ?`,
    params: [...params, limit],
    heavy: subject.banner + subject.position !== 0,
  });
}
