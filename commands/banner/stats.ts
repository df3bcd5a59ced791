/** `hcd banner stats`: what visitors did, drawn on a terminal. */
import { periodTexts } from '../../src/banners/rules/periods.js';
import { choiceValue, integerValue, textValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { positionValue } from './parameters.js';

const periodValue = choiceValue(periodTexts);

export const command = defineCommand({
  path: 'banner stats',
  summary: 'Show clicks and impressions of banners',
  description:
    'Shows impressions, clicks and conversions of a period, by day and by banner: as plots on a terminal, with blocks where the locale is UTF-8 and in ASCII elsewhere; in a pipe as one line per day (date, impressions, clicks, conversions, CTR, CVR); with --json all exact figures as GET /stats has them. CTR is clicks per 100 impressions, CVR conversions per 100 clicks. Days are those of banners_timezone.\n\nWith --compare two periods stand side by side with their change: --period (this_week when it is left out) against the other one. In a pipe that is one line per figure: name, both values, change in percent.',
  arguments: {},
  options: {
    period: optional(periodValue, { placeholder: 'PERIOD', description: 'Period; last_7_days by default' }),
    from: optional(textValue(), {
      placeholder: 'DATE',
      description: 'First day, or first moment as "2026-11-01 09:30", in banners_timezone; instead of --period',
    }),
    to: optional(textValue(), { placeholder: 'DATE', description: 'Last day or moment, which is included' }),
    position: optional(positionValue, { placeholder: 'POSITION', description: 'Only at this position: id or name' }),
    top: optional(integerValue({ min: 1, max: 500 }), {
      placeholder: 'N',
      description: 'Banners to show; 10 by default',
    }),
    compare: optional(periodValue, { placeholder: 'PERIOD', description: 'Compare with this period' }),
  },
  examples: [
    { line: 'banner stats --period this_month', does: 'Draw the days of this month and its best banners' },
    { line: 'banner stats --compare last_week --json', does: 'Compare this week with the last one, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-stats.js')).runStats(options, deps),
});
