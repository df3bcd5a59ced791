/** Recounts sums for `hcd banner recount`. */
import { addDays, dayText, localDay } from '../../src/banners/rules/local-time.js';
import { keptDays } from '../../src/banners/statistics/find-wrong-sums.js';
import { type RecountedSum, recountDays } from '../../src/banners/statistics/recount-days.js';
import { usualDays } from '../../src/banners/statistics/usual-days.js';
import { readRuntimeSettings } from '../../src/content/settings/runtime-settings.js';
import { maintenanceLimits } from '../../src/store/base/limits.js';
import type { Deps } from '../deps.js';
import type { JsonRecord, ListResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';

export interface RecountOptions {
  readonly days: number | undefined;
  readonly all: boolean;
  readonly lower: boolean;
  readonly dryRun: boolean;
}

export async function runRecount({ days, all, lower, dryRun }: RecountOptions, deps: Deps): Promise<ListResult> {
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
}

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
