/** `hcd banner stats`: statistics, drawn on a terminal. */
import { checkCountedBanner, findCountedPosition } from '../../src/banners/management/positions.js';
import { dayText, localDay } from '../../src/banners/rules/local-time.js';
import {
  type LocalNow,
  parsePeriod,
  parseRange,
  periodTexts,
  type Range,
  type RangeTexts,
} from '../../src/banners/rules/periods.js';
import {
  comparePeriods,
  readStatistics,
  readTopBanners,
  type StatisticsQuestion,
} from '../../src/banners/statistics/statistics.js';
import { choiceValue, integerValue, textValue } from '../../src/config/value-type.js';
import { AppError } from '../../src/errors/app-error.js';
import type { Store } from '../../src/store/open/open.js';
import { defineCommand, type TextResult, tabLine } from '../command.js';
import type { Deps } from '../deps.js';
import { idValue, optional, usageError, type Values } from '../parameters.js';
import { decodeJson, positionValue } from './shared.js';
import { type Comparison, comparisonText, type Figures, statisticsText } from './stats-text.js';

const periodValue = choiceValue(periodTexts);

const statsOptions = {
  period: optional(periodValue, 'Period (default: last_7_days)'),
  from: optional(textValue(), {
    placeholder: 'DATE',
    description: 'First day, or time such as "2026-11-01 09:30", in banners_timezone; instead of --period',
  }),
  to: optional(textValue(), { placeholder: 'DATE', description: 'Last day or time, inclusive' }),
  position: optional(positionValue, 'Count only events at this position: its id or name'),
  banner: optional(idValue, 'Count only events of this banner: its id'),
  top: optional(integerValue({ min: 1, max: 500 }), 'Number of banners to show (default: 10)'),
  compare: optional(periodValue, { placeholder: 'PERIOD', description: 'Period to compare with' }),
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
    'Shows impressions, clicks and conversions of a period, by day and by banner. A terminal shows the days as plots, drawn with blocks in a UTF-8 locale and with ASCII otherwise. A pipe gets one line per day: date, impressions, clicks, conversions, CTR, CVR. --json has the exact figures of GET /stats. CTR is clicks per 100 impressions; CVR is conversions per 100 clicks. Days are in the time zone of banners_timezone.\n\n--compare shows two periods side by side with the change between them: --period (default: this_week) and the period of --compare. A pipe gets one line per figure: name, both values, change in percent.',
  options: statsOptions,
  examples: {
    'banner stats --period this_month': 'Show the days of this month and its top banners',
    'banner stats --compare last_week --json': 'Compare this week with last week, as JSON',
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
    const result = options.compare === undefined ? await period(asked, deps) : await comparison(asked, deps);
    const off = 'Impressions are not recorded. Turn recording on: hcd setting set banners_track_impressions 1';
    return { ...result, notes: [!values.banners_track_impressions && off] };
  },
});

function checkTogether({ from, to, compare, period: named }: StatsOptions): void {
  const hasLimits = from !== undefined || to !== undefined;
  if (hasLimits && compare !== undefined) {
    throw usageError({ '--compare': 'cannot be combined with --from and --to' });
  }
  if (hasLimits && named !== undefined) {
    throw usageError({ '--period': 'cannot be combined with --from and --to' });
  }
}

async function period({ options, own, subject, clock }: Asked, deps: Deps): Promise<TextResult> {
  const { from, to, top = 10 } = options;
  const range = readRange({ period: options.period ?? 'last_7_days', from, to }, clock);
  const question = { range, subject, clock };
  const { summary, by_day } = await readStatistics(own, question);
  const { rows, total } = await readTopBanners(own, { ...question, limit: top });
  const today = dayText(localDay(clock.now, clock.zone));
  const { stdout } = deps.io;
  return {
    kind: 'text',
    text: stdout.isTerminal
      ? statisticsText(
          { summary, days: by_day, top: rows, banners: total, zone: clock.zone, today },
          { output: stdout, env: deps.env, now: clock.now },
        )
      : by_day.map((day) => tabLine([day.date, ...figuresOf(day)])).join(''),
    data: decodeJson({ summary, by_day, top_ads: rows }),
  };
}

function readRange(texts: RangeTexts, clock: LocalNow): Range {
  try {
    return parseRange(texts, clock);
  } catch (error) {
    const fields = error instanceof AppError ? (error.details.fields ?? {}) : {};
    const problems = Object.entries(fields).map(([name, found]) => [`--${name}`, found.join('; ')]);
    throw problems.length === 0 ? error : usageError(Object.fromEntries(problems));
  }
}

async function comparison({ options, own, subject, clock }: Asked, deps: Deps): Promise<TextResult> {
  const base = parsePeriod(options.period ?? 'this_week', 'period');
  const other = parsePeriod(options.compare ?? 'last_week', 'compare');
  const found = await comparePeriods(own, { base, compare: other, subject, clock });
  const { stdout } = deps.io;
  const compared: Comparison = {
    base: { name: base, figures: found.base.summary, days: found.base.by_day },
    compare: { name: other, figures: found.compare.summary, days: found.compare.by_day },
    delta: found.delta,
  };
  return {
    kind: 'text',
    text: stdout.isTerminal ? comparisonText(compared, { output: stdout, now: clock.now }) : comparisonLines(compared),
    data: decodeJson({ ...found }),
  };
}

function figuresOf({ impressions, clicks, conversions, ctr, cvr }: Figures): readonly (number | null)[] {
  return [impressions, clicks, conversions, ctr, cvr];
}

function comparisonLines({ base, compare, delta }: Comparison): string {
  const names = ['impressions', 'clicks', 'conversions', 'ctr', 'cvr'] as const;
  return names.map((name) => tabLine([name, base.figures[name], compare.figures[name], delta[name]])).join('');
}
