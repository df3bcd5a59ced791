/** `hcd banner recount`: sums of the statistics that do not fit their events. */
import { addDays, dayText, localDay } from '../../src/banners/rules/local-time.js';
import { keptDays } from '../../src/banners/statistics/find-wrong-sums.js';
import { type RecountedSum, recountDays } from '../../src/banners/statistics/recount-days.js';
import { usualDays } from '../../src/banners/statistics/usual-days.js';
import { integerValue } from '../../src/config/value-type.js';
import { readRuntimeSettings } from '../../src/content/settings/runtime-settings.js';
import { maintenanceLimits } from '../../src/store/base/limits.js';
import { defineCommand } from '../command.js';
import { optional, toggle } from '../parameters.js';
import type { JsonRecord } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';

export const command = defineCommand({
  path: 'banner recount',
  summary: 'Put sums of the statistics right',
  description: `Compares the sums that statistics are made of with the clicks and impressions themselves, of the last ${usualDays} days unless --days or --all says otherwise, lists those that differ, and puts them right. Visitors may go on clicking meanwhile.\n\nA sum that is lower than its events is raised. One that is higher is listed and left: events may have been removed on purpose, and their sums are kept then. --lower lowers those as well, but only of days whose events are all still there by banners_clicks_retention_days and banners_impressions_retention_days. hcd doctor looks at the same days and changes nothing.`,
  arguments: {},
  options: {
    days: optional(integerValue({ min: 1, max: 36_500 }), {
      placeholder: 'N',
      description: `So many days up to today; ${usualDays} by default`,
    }),
    all: toggle('Every day; with tens of millions of events this takes minutes'),
    lower: toggle('Lower sums that are higher than their events, too'),
    dryRun: toggle('List what differs; change nothing'),
  },
  examples: [
    { line: 'banner recount --dry-run', does: 'See whether the sums of the last days are right' },
    { line: 'banner recount --all --json', does: 'Put every day right, from a script' },
  ],
  async run({ days, all, lower, dryRun }, deps) {
    if (days !== undefined && all) throw usageError({ '--days': 'cannot be given together with --all' });
    // A day of a busy site takes longer to count than an answer may take.
    const store = await openReady(deps, { limits: maintenanceLimits });
    const { values } = await readRuntimeSettings(store, deps.env);
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
    const progress = deps.progress({ label: 'Counting days', total: null });
    try {
      const onDay = (done: number): void => progress.update(done);
      for await (const sum of recountDays(store.own, { ...recount, onDay })) found.push(sum);
    } finally {
      progress.finish();
    }
    return {
      kind: 'list',
      columns: ['day', 'figure', 'banner', 'position', 'referrer', 'stored', 'counted', 'fixed'],
      spare: ['referrer'],
      rows: found.map(recordOf),
      empty: 'Every sum is what its events come to.',
      notes: notesOf(found, { dryRun, lower }),
    };
  },
});

function recordOf(sum: RecountedSum): JsonRecord {
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
  const fixed = `Sums put right: ${found.length - left}.`;
  return left === 0 || lower ? [fixed] : [`${fixed} Higher than their events and left: ${left}; --lower lowers them.`];
}
