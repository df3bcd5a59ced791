/** Finds daily sums that differ from a recount of the raw rows, day by day. */
import type { Settings } from '../../config/settings.js';
import { type Database, type Reader, repeatable, type Tx } from '../../store/base/database.js';
import { batchesOf } from '../../values/batches.js';
import { dayMs } from '../../values/dates.js';
import { adDays, joinLimits, readLimits, referrerDays } from '../models/events.js';
import { addDays, dayText, localDay } from '../rules/local-time.js';
import { addToDays, changeReferrerDays } from './add-to-days.js';

const figures = ['clicks', 'impressions', 'conversions'] as const;

type SumName =
  | { readonly figure: (typeof figures)[number]; readonly ad: number }
  | { readonly figure: 'clicks by referrer'; readonly referrer: string };

export type WrongSum = SumName & Readonly<Record<'day' | 'position' | 'stored' | 'counted', number>>;

export interface SumsCheck {
  readonly from?: number | null;
  /** Before these days rows may have been removed; null = before the day of the first row. */
  readonly keptFrom?: Readonly<Record<'clicks' | 'impressions', number | null>>;
  readonly stop?: AbortSignal;
}

/** Whether the day still has all rows of the kind; without them a sum above its rows is not wrong. */
type IsComplete = (kind: 'clicks' | 'impressions', day: number) => boolean;

export function keptDays(
  settings: Pick<Settings, 'banners_clicks_retention_days' | 'banners_impressions_retention_days' | 'banners_timezone'>,
  now: number,
): NonNullable<SumsCheck['keptFrom']> {
  const from = (days: number): number | null =>
    days === 0 ? null : addDays(localDay(now - days * dayMs, settings.banners_timezone), 1);
  return {
    clicks: from(settings.banners_clicks_retention_days),
    impressions: from(settings.banners_impressions_retention_days),
  };
}

interface CheckedDay {
  readonly day: number;
  readonly wrong: readonly WrongSum[];
  readonly isComplete: IsComplete;
}

/** Retention removes rows and keeps sums, so a sum above its rows is wrong only after the first day with rows. */
export async function* findWrongSums(own: Reader, check: SumsCheck = {}): AsyncGenerator<WrongSum> {
  for await (const { wrong } of checkDays(own, check)) yield* wrong;
}

async function* checkDays(own: Reader, { from = null, keptFrom, stop }: SumsCheck): AsyncGenerator<CheckedDay> {
  const limitsIn = (table: string) => readLimits(own, { table, column: 'day' });
  const clicks = await limitsIn('hcd_ad_clicks');
  const impressions = await limitsIn('hcd_ad_impressions');
  const days = joinLimits([clicks, impressions, await limitsIn(adDays.table)]);
  if (days === null) return;
  const firstRows = { clicks: clicks?.first, impressions: impressions?.first };
  const isComplete: IsComplete = (kind, day) => {
    const first = firstRows[kind];
    return first !== undefined && day > first && day >= (keptFrom?.[kind] ?? 0);
  };
  for (let day = Math.max(days.first, from ?? days.first); day <= days.last; day = addDays(day, 1)) {
    if (stop?.aborted === true) return;
    yield { day, wrong: await wrongSumsOf(own, day, isComplete), isComplete };
  }
}

/** One statement sees sums and rows of the same moment, so events that arrive meanwhile do not matter. */
const placeSums = `SELECT \`ad\`, \`position\`, ${figures.map((name) => `SUM(\`${name}\`), SUM(\`counted_${name}\`)`).join(', ')} FROM (
    SELECT \`ad\`, \`position\`, ${figures.map((name) => `\`${name}\`, 0 AS \`counted_${name}\``).join(', ')} FROM \`hcd_ad_days\` WHERE \`day\` = ?
    UNION ALL SELECT \`ad\`, \`position\`, 0, COUNT(*), 0, 0, 0, COUNT(\`order_id\`) FROM \`hcd_ad_clicks\` WHERE \`day\` = ? GROUP BY \`ad\`, \`position\`
    UNION ALL SELECT \`ad\`, \`position\`, 0, 0, 0, COUNT(*), 0, 0 FROM \`hcd_ad_impressions\` WHERE \`day\` = ? GROUP BY \`ad\`, \`position\`
  ) AS \`sums\` GROUP BY \`ad\`, \`position\``;

/** The sums have no index by days alone, so they are found by the positions that have sums or clicks. */
const referrerSums = `SELECT \`position\`, \`referrer\`, SUM(\`clicks\`), SUM(\`counted\`) FROM (
    SELECT \`r\`.\`position\`, \`r\`.\`referrer\`, \`r\`.\`clicks\`, 0 AS \`counted\`
      FROM (SELECT 0 AS \`position\` UNION SELECT \`position\` FROM \`hcd_ad_days\` WHERE \`day\` = ?
        UNION SELECT \`position\` FROM \`hcd_ad_clicks\` WHERE \`day\` = ?) AS \`p\`
      JOIN \`hcd_ad_referrer_days\` AS \`r\` ON \`r\`.\`position\` = \`p\`.\`position\` AND \`r\`.\`day\` = ?
    UNION ALL SELECT \`position\`, \`referrer\`, 0, COUNT(*) FROM \`hcd_ad_clicks\` WHERE \`day\` = ? GROUP BY \`position\`, \`referrer\`
    UNION ALL SELECT 0, \`referrer\`, 0, COUNT(*) FROM \`hcd_ad_clicks\` WHERE \`day\` = ? GROUP BY \`referrer\`
  ) AS \`sums\` GROUP BY \`position\`, \`referrer\` HAVING SUM(\`clicks\`) <> SUM(\`counted\`)
  ORDER BY SUM(\`clicks\`) > SUM(\`counted\`), \`position\`, \`referrer\``;

async function wrongSumsOf(own: Reader, day: number, isComplete: IsComplete): Promise<readonly WrongSum[]> {
  const read = (sql: string) => own.select({ sql, params: [...sql.matchAll(/\?/g)].map(() => day), heavy: true });
  const ofPlaces = (await read(placeSums)).flatMap((row): WrongSum[] => {
    const [ad = 0, position = 0, ...sums] = row.map(Number);
    return figures.map((figure, at) => {
      const [stored = 0, counted = 0] = sums.slice(2 * at);
      return { day, figure, ad, position, stored, counted };
    });
  });
  const ofReferrers = (await read(referrerSums)).map(([position, referrer, stored, counted]): WrongSum => {
    const numbers = { position: Number(position), stored: Number(stored), counted: Number(counted) };
    return { day, figure: 'clicks by referrer', referrer: String(referrer), ...numbers };
  });
  return [...ofPlaces, ...ofReferrers]
    .filter((sum) => sum.stored < sum.counted || isTooHigh(sum, isComplete))
    .sort(byPlace);
}

function isTooHigh({ day, figure, stored, counted }: WrongSum, isComplete: IsComplete): boolean {
  return stored > counted && isComplete(figure === 'impressions' ? 'impressions' : 'clicks', day);
}

const figureOrder: readonly SumName['figure'][] = [...figures, 'clicks by referrer'];

function byPlace(one: WrongSum, other: WrongSum): number {
  const place = (sum: WrongSum): number => ('ad' in sum ? sum.ad : Number.POSITIVE_INFINITY);
  const figure = (sum: WrongSum): number => figureOrder.indexOf(sum.figure);
  return (
    (place(one) === place(other) ? 0 : place(one) - place(other)) ||
    one.position - other.position ||
    figure(one) - figure(other)
  );
}

export function describeSum(sum: WrongSum): string {
  const { day, figure, position, stored, counted } = sum;
  const what = 'ad' in sum ? `${figure} of banner ${sum.ad}` : `clicks from ${JSON.stringify(sum.referrer)}`;
  return `${what} at ${position === 0 ? 'all positions' : `position ${position}`} on ${dayText(day)}: ${stored}, not ${counted}`;
}

/** Including today; with very many events, all days would take seconds. */
export const usualDays = 3;

export interface Recount extends SumsCheck {
  readonly isLowering: boolean;
  readonly isDryRun: boolean;
  readonly onDay?: (done: number) => void;
}

export type RecountedSum = WrongSum & { readonly isFixed: boolean };

/** Corrects daily sums by a recount, one day per transaction. A sum above its rows is lowered only on request. */
export async function* recountDays(own: Database, recount: Recount): AsyncGenerator<RecountedSum> {
  const { isLowering, isDryRun, onDay } = recount;
  let done = 0;
  for await (const { day, wrong, isComplete } of checkDays(own.primary, recount)) {
    const fixed = new Set<string>();
    const work = async (tx: Tx): Promise<void> => {
      // Of every attempt: after one whose COMMIT was lost the next finds nothing to change.
      for (const key of await putRight(tx, { day, wrong, isLowering, isComplete })) fixed.add(key);
    };
    if (wrong.length > 0 && !isDryRun) await own.write(work, repeatable);
    yield* wrong.map((sum) => ({ ...sum, isFixed: fixed.has(keyOf(sum)) }));
    done += 1;
    onDay?.(done);
  }
}

interface DayRecount extends CheckedDay {
  readonly isLowering: boolean;
}

/** Returns the keys of those that were wrong still. */
async function putRight(tx: Tx, { day, wrong, isLowering, isComplete }: DayRecount): Promise<ReadonlySet<string>> {
  // Days before referrers and in the order of their keys, as every writer locks them.
  const lock = { attributes: ['clicks'], lock: true, heavy: true } as const;
  await adDays.on(tx).lookUpAll({ day }, { ...lock, order: ['ad', 'position'] });
  const positions = [...new Set(wrong.map((sum) => sum.position))].sort((a, b) => a - b);
  for (const position of batchesOf(positions)) {
    await referrerDays.on(tx).lookUpAll({ position, day }, { ...lock, order: ['position', 'referrer'] });
  }
  const found = new Set(wrong.map(keyOf));
  const left = (await wrongSumsOf(tx, day, isComplete)).filter(
    (sum) => found.has(keyOf(sum)) && (isLowering || sum.stored < sum.counted),
  );
  const none = { clicks: 0, impressions: 0, conversions: 0 };
  await addToDays(
    tx,
    left.flatMap((sum) => ('ad' in sum ? { ...none, ...sum, [sum.figure]: sum.counted - sum.stored } : [])),
  );
  await changeReferrerDays(
    tx,
    left.flatMap((sum) => ('referrer' in sum ? { ...sum, clicks: sum.counted - sum.stored } : [])),
  );
  return new Set(left.map(keyOf));
}

function keyOf(sum: WrongSum): string {
  return JSON.stringify([sum.figure, sum.position, 'ad' in sum ? sum.ad : sum.referrer]);
}
