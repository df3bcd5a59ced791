/**
 * Writes the sums of events per local day: by banner and position, and clicks by position and referrer, where position 0
 * stands for all positions. In the transaction of the events themselves; referrers after days, and rows in the order of
 * their keys, so that two writers cannot wait for each other. Sums only grow, except when events move to the days of
 * another time zone and when a recount corrects them.
 */
import type { Param, Statement, Tx } from '../../store/base/database.js';

/** What to add for one day (digits of a local day), banner and position. */
export interface DayIncrement {
  readonly day: number;
  readonly ad: number;
  readonly position: number;
  readonly clicks: number;
  readonly impressions: number;
  readonly conversions: number;
}

/** Rows of one statement; with 1 as the other size, two statement texts are enough. */
const together = 64;

/** Adds the increments. */
export async function addToDays(tx: Tx, increments: readonly DayIncrement[]): Promise<void> {
  const left = joined(increments);
  while (left.length > 0) {
    const rows = left.splice(0, left.length >= together ? together : 1);
    await tx.run({ sql: addition(tx.dialect, rows.length), params: rows.flatMap(paramsOf) });
  }
}

/** Adds what is above 0 and subtracts what is below. */
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

/** Not below 0, which the columns cannot hold. */
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

/** One increment per day, banner and position, in the order of the primary key, without empty ones. */
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

/** Clicks to add; numbers below 0 are subtracted. */
export interface ReferrerIncrement {
  readonly day: number;
  readonly position: number;
  readonly referrer: string;
  readonly clicks: number;
}

/** Adds to each position and to all of them. */
export async function addToReferrerDays(tx: Tx, increments: readonly ReferrerIncrement[]): Promise<void> {
  await changeReferrerDays(tx, [...referrerSumsOf(increments).values()]);
}

/** Adds to exactly these rows, each named once; position 0 is treated like every other one. */
export async function changeReferrerDays(tx: Tx, increments: readonly ReferrerIncrement[]): Promise<void> {
  const changes = increments.filter(({ clicks }) => clicks !== 0).sort(byReferrerKey);
  const isGrowing = changes.every(({ clicks }) => clicks > 0);
  while (changes.length > 0) {
    // Subtractions are rare and run row by row, so that the order stays.
    const rows = changes.splice(0, isGrowing && changes.length >= together ? together : 1);
    await tx.run(
      rows.some(({ clicks }) => clicks < 0) ? referrerSubtraction(rows) : referrerAddition(tx.dialect, rows),
    );
  }
}

function referrerAddition(dialect: Tx['dialect'], rows: readonly ReferrerIncrement[]) {
  const insert = `INSERT INTO \`hcd_ad_referrer_days\` (\`position\`, \`day\`, \`referrer\`, \`clicks\`) VALUES ${rows.map(() => '(?, ?, ?, ?)').join(', ')}`;
  const conflict =
    dialect === 'mariadb'
      ? 'ON DUPLICATE KEY UPDATE `clicks` = `clicks` + VALUES(`clicks`)'
      : 'ON CONFLICT (`position`, `day`, `referrer`) DO UPDATE SET `clicks` = `hcd_ad_referrer_days`.`clicks` + excluded.`clicks`';
  return {
    sql: `${insert} ${conflict}`,
    params: rows.flatMap(({ position, day, referrer, clicks }) => [position, day, referrer, clicks]),
  };
}

/** Not below 0, which the column cannot hold. */
function referrerSubtraction(rows: readonly ReferrerIncrement[]) {
  const place = '(`position` = ? AND `day` = ? AND `referrer` = ?)';
  const less = Math.abs(rows[0]?.clicks ?? 0);
  return {
    sql: `UPDATE \`hcd_ad_referrer_days\` SET \`clicks\` = CASE WHEN \`clicks\` > ? THEN \`clicks\` - ? ELSE 0 END WHERE ${place}`,
    params: [less, less, ...rows.flatMap(({ position, day, referrer }) => [position, day, referrer])],
  };
}

function referrerSumsOf(increments: readonly ReferrerIncrement[]): Map<string, ReferrerIncrement> {
  const sums = new Map<string, ReferrerIncrement>();
  for (const { day, referrer, clicks, position: own } of increments) {
    for (const position of [own, 0]) {
      const key = `${position}-${day}-${referrer}`;
      sums.set(key, { day, position, referrer, clicks: clicks + (sums.get(key)?.clicks ?? 0) });
    }
  }
  return sums;
}

function byReferrerKey(one: ReferrerIncrement, other: ReferrerIncrement): number {
  return (
    one.position - other.position ||
    one.day - other.day ||
    (one.referrer < other.referrer ? -1 : one.referrer > other.referrer ? 1 : 0)
  );
}
