/** `hcd banner recount`: statistics totals that differ from their events. */
import { addDays, dayText, localDay } from '../../src/banners/rules/local-time.js';
import { keptDays, type RecountedSum, recountDays, usualDays } from '../../src/banners/statistics/find-wrong-sums.js';
import { integerValue } from '../../src/config/value-type.js';
import { maintenanceLimits } from '../../src/store/base/limits.js';
import { defineCommand } from '../command.js';
import { optional, toggle, usageError } from '../parameters.js';

export const command = defineCommand({
  description: `Compares the totals of the statistics with the recorded clicks and impressions of the last ${usualDays} days, lists the totals that differ, and corrects them. Visitors can keep clicking while it runs.\n\nA total that is lower than its events is raised. A total that is higher is listed but kept, because old events may have been removed on purpose. --lower lowers such totals too, but only for days whose events are all kept according to banners_clicks_retention_days and banners_impressions_retention_days. hcd doctor checks the same days without changing anything.`,
  options: {
    days: optional(integerValue({ min: 1, max: 36_500 }), `Number of days up to today (default: ${usualDays})`),
    all: toggle('Check every day; takes minutes with tens of millions of events'),
    lower: toggle('Also lower totals that are higher than their events'),
    dryRun: toggle('List the differences without correcting them'),
  },
  examples: {
    'banner recount --dry-run': 'Check the totals of the last days',
    'banner recount --all --json': 'Correct every day and print the changes as JSON',
  },
  async run({ days, all, lower, dryRun }, deps) {
    if (days !== undefined && all) throw usageError({ '--days': 'cannot be combined with --all' });
    // Counting a day of a busy site takes longer than the limit of a request.
    const site = await deps.openSite({ limits: maintenanceLimits });
    const values = await site.settings('banners');
    const now = deps.clock.now();
    const today = localDay(now, values.banners_timezone);
    const found: RecountedSum[] = [];
    const recount = {
      from: all ? null : addDays(today, 1 - (days ?? usualDays)),
      keptFrom: keptDays(values, now),
      stop: deps.stop,
      isLowering: lower,
      isDryRun: dryRun,
    };
    await deps.progress('Counting days', async ({ update: onDay }) => {
      for await (const sum of recountDays(site.store.own, { ...recount, onDay })) found.push(sum);
    });
    return {
      kind: 'list',
      columns: ['day', 'figure', 'banner', 'position', 'referrer', 'stored', 'counted', 'fixed'],
      spare: ['referrer'],
      rows: found.map(recordOf),
      empty: 'All totals match their events.',
      notes: notesOf(found, { dryRun, lower }),
    };
  },
});

function recordOf(sum: RecountedSum) {
  const { day, figure, position, stored, counted, isFixed } = sum;
  return {
    day: dayText(day),
    figure,
    banner: 'ad' in sum ? sum.ad : null,
    position,
    referrer: 'referrer' in sum ? sum.referrer : null,
    stored,
    counted,
    fixed: isFixed,
  };
}

function notesOf(
  found: readonly RecountedSum[],
  { dryRun, lower }: { readonly dryRun: boolean; readonly lower: boolean },
): string[] {
  if (found.length === 0) return [];
  if (dryRun) return ['Nothing was changed.'];
  const left = found.filter(({ isFixed }) => !isFixed).length;
  const fixed = `Corrected totals: ${found.length - left}.`;
  return left === 0 || lower
    ? [fixed]
    : [`${fixed} Totals higher than their events, kept: ${left}. Use --lower to lower them.`];
}
