/** Statistics as CSV while the client reads (docs/banners-statistics.md#csv). No transaction stays open. */

import type { Reader } from '../../store/base/database.js';
import { batchesOf } from '../../values/batches.js';
import { csvLine } from '../rules/csv.js';
import { exportEvents } from './export-events.js';
import { type FoundReferrers, type ReferrerCount, readReferrers } from './referrers.js';
import { readStatistics, type StatisticsQuestion } from './statistics.js';

export const exportTypes = ['clicks', 'impressions', 'referrers', 'report', 'summary'] as const;
export type ExportType = (typeof exportTypes)[number];

/** Each page counts all referrers again, so pages are large. */
const referrersTogether = 20_000;
const linesTogether = 2000;

interface CsvQuestion extends StatisticsQuestion {
  readonly type: ExportType;
  readonly bom?: boolean;
}

export async function* exportCsv(own: Reader, question: CsvQuestion): AsyncGenerator<string> {
  // Sent with the first piece: a failure before it becomes an error.
  let mark = question.bom ? '\ufeff' : '';
  for await (const piece of piecesOf(own, question)) {
    yield mark + piece;
    mark = '';
  }
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

async function* exportReferrers(own: Reader, { range, subject, clock }: StatisticsQuestion): AsyncGenerator<string> {
  const where = { range, subject, zone: clock.zone };
  let head = csvLine(['referrer', 'clicks']);
  let last: ReferrerCount | undefined;
  for (;;) {
    const after = last === undefined ? {} : { after: last };
    const page = { limit: referrersTogether, offset: 0, ...after };
    const { rows }: FoundReferrers = await readReferrers(own, where, page);
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
  for (const some of batchesOf(rows, linesTogether)) yield some.map(line).join('');
}
