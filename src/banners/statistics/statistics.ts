/** Statistics of banners (docs/banners-statistics.md), with the names that values have on the wire. */
import type { Reader } from '../../store/base/database.js';
import { readNames } from '../models/audit.js';
import type { Subject } from '../models/events.js';
import { addCounts, type Counts, deltaOf, figuresOf, noCounts } from '../rules/figures.js';
import { dayText } from '../rules/local-time.js';
import { type LocalNow, type PeriodName, type Range, rangeOf, shownDays } from '../rules/periods.js';
import { countBy } from './count.js';
import { countReferrers, readReferrers } from './referrers.js';

export interface StatisticsQuestion {
  readonly range: Range;
  readonly subject: Subject;
  readonly clock: LocalNow;
}

export async function readStatistics(own: Reader, question: StatisticsQuestion) {
  const days = await countBy(own, { ...asked(question), by: 'day' });
  return { summary: summaryOf(question.range, days.values()), by_day: byDay(question, days) };
}

export async function readSummary(own: Reader, question: StatisticsQuestion) {
  const banners = await countBy(own, { ...asked(question), by: 'ad' });
  return summaryOf(question.range, banners.values());
}

/** Most impressions first, then most clicks, then the oldest. */
export async function readTopBanners(
  own: Reader,
  question: StatisticsQuestion & { readonly limit: number; readonly offset?: number },
) {
  const { limit, offset = 0 } = question;
  const banners = [...(await countBy(own, { ...asked(question), by: 'ad' }))];
  const first = banners
    .sort(([a, one], [b, other]) => other.impressions - one.impressions || other.clicks - one.clicks || a - b)
    .slice(offset, offset + limit);
  const names = await readNames(
    own,
    'ad',
    first.map(([id]) => id),
  );
  const rows = first.map(([id, counts]) => ({ id, name: names.get(id) ?? null, ...figuresOf(counts) }));
  return { rows, total: banners.length };
}

export async function readReferrerPage(
  own: Reader,
  question: StatisticsQuestion & { readonly limit: number; readonly offset: number },
) {
  const { limit, offset } = question;
  const where = asked(question);
  const { rows, total } = await readReferrers(own, where, { limit, offset });
  return { rows, total: total ?? (offset === 0 ? 0 : await countReferrers(own, where)) };
}

export async function comparePeriods(
  own: Reader,
  question: Omit<StatisticsQuestion, 'range'> & { readonly base: PeriodName; readonly compare: PeriodName },
) {
  const { subject, clock } = question;
  const read = (period: PeriodName) => readStatistics(own, { range: rangeOf(period, clock), subject, clock });
  const base = await read(question.base);
  const compare = await read(question.compare);
  return { base, compare, delta: deltaOf(base.summary, compare.summary) };
}

function asked({ range, subject, clock }: StatisticsQuestion) {
  return { range, subject, zone: clock.zone };
}

function summaryOf(range: Range, counts: Iterable<Counts>) {
  let sum = noCounts;
  for (const more of counts) sum = addCounts(sum, more);
  return { period: range.period, from: range.fromText, to: range.toText, ...figuresOf(sum) };
}

/** Every day of a range with a beginning, zeros included; else the days with events. */
function byDay({ range, clock }: StatisticsQuestion, counts: ReadonlyMap<number, Counts>) {
  const days = shownDays(range, clock) ?? [...counts.keys()].sort((a, b) => a - b);
  return days.map((day) => ({ date: dayText(day), ...figuresOf(counts.get(day) ?? noCounts) }));
}
