/** `hcd banner stats`: statistics, drawn on a terminal. */
import { pipeline } from 'node:stream/promises';
import { checkCountedBanner, findCountedPosition } from '../../src/banners/management/positions.js';
import { dayText, localDay } from '../../src/banners/rules/local-time.js';
import {
  type LocalNow,
  type PeriodName,
  parsePeriod,
  parseRange,
  periodTexts,
  type Range,
  rangeBefore,
  rangeOf,
} from '../../src/banners/rules/periods.js';
import { exportCsv, exportTypes } from '../../src/banners/statistics/export.js';
import {
  comparePeriods,
  readReferrerPage,
  readStatistics,
  readTop,
  type StatisticsQuestion,
} from '../../src/banners/statistics/statistics.js';
import { choiceValue, integerValue, textValue } from '../../src/config/value-type.js';
import { AppError } from '../../src/errors/app-error.js';
import type { Store } from '../../src/store/open/open.js';
import { defineCommand, type Result, type TextResult, tabLine } from '../command.js';
import type { Deps } from '../deps.js';
import { idValue, optional, usageError, type Values } from '../parameters.js';
import { positionValue } from './shared.js';
import { type Comparison, comparisonText, statisticsText } from './stats-text.js';

const periodValue = choiceValue(periodTexts);
const figures = ['impressions', 'clicks', 'conversions', 'ctr', 'cvr'] as const;
const orderValue = choiceValue(figures);

const statsOptions = {
  period: optional(periodValue, 'Period (default: last_7_days)'),
  from: optional(
    textValue(),
    'First day, or time such as "2026-11-01 09:30", in banners_timezone; instead of --period',
    { placeholder: 'DATE' },
  ),
  to: optional(textValue(), 'Last day or time, inclusive', { placeholder: 'DATE' }),
  position: optional(positionValue, 'Count only events at this position: its id or name'),
  banner: optional(idValue, 'Count only events of this banner: its id'),
  top: optional(integerValue({ min: 1, max: 500 }), 'Number of banners to show (default: 10)'),
  order: optional(orderValue, 'Figure of which the top banners and positions have most (default: impressions)'),
  compare: optional(
    choiceValue([...periodTexts, 'previous']),
    'Period to compare with; previous = as many days or whole months before',
    { placeholder: 'PERIOD' },
  ),
  csv: optional(choiceValue(exportTypes), 'Write CSV: the days (report), the clicks, the impressions or the referrers'),
};

type StatsOptions = Values<typeof statsOptions>;

interface Asked {
  readonly options: StatsOptions;
  readonly own: Store['own'];
  readonly subject: StatisticsQuestion['subject'];
  readonly clock: LocalNow;
}

export const command = defineCommand({
  description:
    'Shows impressions, clicks and conversions of a period, by day and by banner. A terminal shows the days as plots, drawn with blocks in a UTF-8 locale and with ASCII otherwise. A pipe gets one line per day: date, impressions, clicks, conversions, CTR, CVR. --json has the exact figures of GET /stats, and those of positions and referrers. CTR is clicks per 100 impressions; CVR is conversions per 100 clicks. Days are in the time zone of banners_timezone.\n\n--compare shows two periods side by side with the change between them: --period (default: this_week) or --from and --to, and the period of --compare. A pipe gets one line per figure: name, both values, change in percent.',
  options: statsOptions,
  examples: {
    'banner stats --period this_month': 'Show the days of this month and its top banners',
    'banner stats --compare last_week --json': 'Compare this week with last week, as JSON',
    'banner stats --period last_month --csv report > days.csv': 'Write the days of last month for a spreadsheet',
  },
  async run(options, deps) {
    checkTogether(options);
    const { store, settings } = await deps.openSite();
    const values = await settings('banners');
    const position = options.position === undefined ? 0 : await findCountedPosition(store, options.position);
    const { banner = 0 } = options;
    if (banner !== 0) await checkCountedBanner(store, banner);
    const clock = { now: deps.clock.now(), zone: values.banners_timezone };
    const asked: Asked = { options, own: store.own, subject: { banner, position }, clock };
    const answer = options.csv !== undefined ? csv : options.compare === undefined ? period : comparison;
    const result = await answer(asked, deps);
    const off = 'Impressions are not recorded. Turn recording on: hcd setting set banners_track_impressions 1';
    return { ...result, notes: [!values.banners_track_impressions && off] };
  },
});

function checkTogether({ from, to, compare, csv: type, period: named }: StatsOptions): void {
  if (type !== undefined && compare !== undefined) throw usageError({ '--csv': 'cannot be combined with --compare' });
  if ((from !== undefined || to !== undefined) && named !== undefined) {
    throw usageError({ '--period': 'cannot be combined with --from and --to' });
  }
}

async function period(asked: Asked, deps: Deps): Promise<TextResult> {
  const { options, own, subject, clock } = asked;
  const { top = 10, order = 'impressions' } = options;
  const question = { range: rangeAsked(options, { usual: 'last_7_days', clock }), subject, clock };
  const found = await readStatistics(own, question);
  const best = await readTop(own, { ...question, by: 'ad', limit: top, order });
  const today = dayText(localDay(clock.now, clock.zone));
  const { stdout } = deps.io;
  return {
    kind: 'text',
    text: stdout.isTerminal
      ? statisticsText(
          { ...found, top: best, zone: clock.zone, today },
          { output: stdout, env: deps.env, now: clock.now },
        )
      : found.by_day.map((day) => tabLine([day.date, ...figures.map((name) => day[name])])).join(''),
    data: { today, ...found, top_ads: best.rows, ...(await detailsOf(question, asked, deps)) },
  };
}

async function detailsOf(question: StatisticsQuestion, { options, own }: Asked, { flags }: Deps) {
  if (!flags.json) return {};
  const { top = 10, order = 'impressions' } = options;
  const { rows: by_position } = await readTop(own, { ...question, by: 'position', limit: top, order });
  const { rows: referrers } = await readReferrerPage(own, { ...question, limit: top, offset: 0 });
  return { by_position, referrers };
}

async function csv({ options, own, subject, clock }: Asked, { io }: Deps): Promise<Result> {
  if (io.stdout.isTerminal) throw usageError({ '--csv': 'needs a file or a pipe, not a terminal: add > FILE' });
  const range = rangeAsked(options, { usual: 'last_7_days', clock });
  const { csv: type = 'report' } = options;
  await pipeline(exportCsv(own, { range, subject, clock, type }), io.stdout.stream, { end: false });
  return { kind: 'nothing', hasWritten: true };
}

function rangeAsked(
  { period: named, from, to }: StatsOptions,
  { usual, clock }: { readonly usual: PeriodName; readonly clock: LocalNow },
): Range {
  try {
    return parseRange({ period: named ?? usual, from, to }, clock);
  } catch (error) {
    const fields = error instanceof AppError ? (error.details.fields ?? {}) : {};
    const problems = Object.entries(fields).map(([name, found]) => [`--${name}`, found.join('; ')]);
    throw problems.length === 0 ? error : usageError(Object.fromEntries(problems));
  }
}

async function comparison({ options, own, subject, clock }: Asked, deps: Deps): Promise<TextResult> {
  const base = rangeAsked(options, { usual: 'this_week', clock });
  const { compare: named = 'previous' } = options;
  const other = named === 'previous' ? rangeBefore(base, clock) : rangeOf(parsePeriod(named, 'compare'), clock);
  if (other === null) throw usageError({ '--compare': 'cannot be previous: nothing is before all' });
  const found = await comparePeriods(own, { base, compare: other, subject, clock });
  const { stdout } = deps.io;
  return {
    kind: 'text',
    text: stdout.isTerminal ? comparisonText(found, { output: stdout, now: clock.now }) : comparisonLines(found),
    data: { today: dayText(localDay(clock.now, clock.zone)), ...found },
  };
}

function comparisonLines({ base, compare, delta }: Comparison): string {
  return figures.map((name) => tabLine([name, base.summary[name], compare.summary[name], delta[name]])).join('');
}
