/**
 * Sums per local day, banner and position in `hcd_ad_days`, in the transaction of the events themselves. They only grow,
 * except when events are moved to the days of another time zone, and when a recount puts them right.
 */
import type { Param, Statement, Tx } from '../../store/base/database.js';

/** What to add for one day (digits of a local day), banner and position; none of it below 0. */
export interface DayIncrement {
  readonly day: number;
  readonly ad: number;
  readonly position: number;
  readonly clicks: number;
  readonly impressions: number;
  readonly conversions: number;
}

/** Rows of one statement: two texts of it are enough for every number of rows. */
const together = 64;

/**
 * Adds the increments. All writers take the rows in the same order, so that two of them cannot wait for each other
 * crosswise.
 */
export async function addToDays(tx: Tx, increments: readonly DayIncrement[]): Promise<void> {
  const left = joined(increments);
  while (left.length > 0) {
    const rows = left.splice(0, left.length >= together ? together : 1);
    await tx.run({ sql: addition(tx.dialect, rows.length), params: rows.flatMap(paramsOf) });
  }
}

/** Adds what is above 0 and takes away what is below, in the same order as everybody. */
export async function moveBetweenDays(tx: Tx, changes: readonly DayIncrement[]): Promise<void> {
  const sorted = [...sumsOf(changes).values()].sort(byKey);
  for (const change of sorted) {
    const more = { ...change, ...parts(change, (value) => Math.max(value, 0)) };
    const less = parts(change, (value) => Math.max(-value, 0));
    if (less.clicks + less.impressions + less.conversions > 0) await tx.run(subtraction(change, less));
    await addToDays(tx, [more]);
  }
}

type Parts = Pick<DayIncrement, 'clicks' | 'impressions' | 'conversions'>;

function parts(change: Parts, part: (value: number) => number): Parts {
  return {
    clicks: part(change.clicks),
    impressions: part(change.impressions),
    conversions: part(change.conversions),
  };
}

/** Never below 0, which the columns cannot hold. */
function subtraction({ day, ad, position }: DayIncrement, less: Parts): Statement {
  const names = ['clicks', 'impressions', 'conversions'] as const;
  const rest = names.map((name) => `\`${name}\` = CASE WHEN \`${name}\` > ? THEN \`${name}\` - ? ELSE 0 END`);
  return {
    sql: `UPDATE \`hcd_ad_days\` SET ${rest.join(', ')} WHERE \`day\` = ? AND \`ad\` = ? AND \`position\` = ?`,
    params: [...names.flatMap((name) => [less[name], less[name]]), day, ad, position],
  };
}

function addition(dialect: Tx['dialect'], rows: number): string {
  const places = Array.from({ length: rows }, () => '(?, ?, ?, ?, ?, ?)').join(', ');
  const insert = `INSERT INTO \`hcd_ad_days\` (\`day\`, \`ad\`, \`position\`, \`clicks\`, \`impressions\`, \`conversions\`) VALUES ${places}`;
  const sum = (name: string): string =>
    dialect === 'mariadb'
      ? `\`${name}\` = \`${name}\` + VALUES(\`${name}\`)`
      : `\`${name}\` = \`hcd_ad_days\`.\`${name}\` + excluded.\`${name}\``;
  const changes = ['clicks', 'impressions', 'conversions'].map(sum).join(', ');
  return dialect === 'mariadb'
    ? `${insert} ON DUPLICATE KEY UPDATE ${changes}`
    : `${insert} ON CONFLICT (\`day\`, \`ad\`, \`position\`) DO UPDATE SET ${changes}`;
}

function paramsOf({ day, ad, position, clicks, impressions, conversions }: DayIncrement): Param[] {
  return [day, ad, position, clicks, impressions, conversions];
}

/** One increment per day, banner and position, in the order of the primary key; without those that add nothing. */
function joined(increments: readonly DayIncrement[]): DayIncrement[] {
  return [...sumsOf(increments).values()]
    .filter(({ clicks, impressions, conversions }) => clicks + impressions + conversions > 0)
    .sort(byKey);
}

function sumsOf(increments: readonly DayIncrement[]): Map<string, DayIncrement> {
  const sums = new Map<string, DayIncrement>();
  for (const more of increments) {
    const key = `${more.day}-${more.ad}-${more.position}`;
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? more : added(sum, more));
  }
  return sums;
}

function byKey(a: DayIncrement, b: DayIncrement): number {
  return a.day - b.day || a.ad - b.ad || a.position - b.position;
}

function added(sum: DayIncrement, more: DayIncrement): DayIncrement {
  return {
    ...sum,
    clicks: sum.clicks + more.clicks,
    impressions: sum.impressions + more.impressions,
    conversions: sum.conversions + more.conversions,
  };
}
