/**
 * Clicks of a local day by referrer in `hcd_ad_referrer_days`, for each position and, under position 0, for all of them:
 * referrers of months are counted from few rows. Written after the sums of the days, in the same transaction.
 */
import type { Reader, Tx } from '../../store/base/database.js';

/** Clicks to add; below 0 they are taken away. */
export interface ReferrerIncrement {
  readonly day: number;
  readonly position: number;
  readonly referrer: string;
  readonly clicks: number;
}

/** Rows of one statement: two texts of it are enough for every number of rows. */
const together = 64;

/** Adds to each position and to all of them. All writers take the rows in the same order. */
export async function addToReferrerDays(tx: Tx, increments: readonly ReferrerIncrement[]): Promise<void> {
  await changeReferrerDays(tx, [...sumsOf(increments).values()]);
}

/** Adds to exactly these rows, each of which comes once; position 0 is one like the others. */
export async function changeReferrerDays(tx: Tx, increments: readonly ReferrerIncrement[]): Promise<void> {
  const changes = increments.filter(({ clicks }) => clicks !== 0).sort(byKey);
  const isGrowing = changes.every(({ clicks }) => clicks > 0);
  while (changes.length > 0) {
    // What is taken away goes row by row: it is seldom, and the order stays.
    const rows = changes.splice(0, isGrowing && changes.length >= together ? together : 1);
    await tx.run(rows.some(({ clicks }) => clicks < 0) ? subtraction(rows) : addition(tx.dialect, rows));
  }
}

function addition(dialect: Tx['dialect'], rows: readonly ReferrerIncrement[]) {
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

/** Never below 0, which the column cannot hold. */
function subtraction(rows: readonly ReferrerIncrement[]) {
  const place = '(`position` = ? AND `day` = ? AND `referrer` = ?)';
  const less = Math.abs(rows[0]?.clicks ?? 0);
  return {
    sql: `UPDATE \`hcd_ad_referrer_days\` SET \`clicks\` = CASE WHEN \`clicks\` > ? THEN \`clicks\` - ? ELSE 0 END WHERE ${place}`,
    params: [less, less, ...rows.flatMap(({ position, day, referrer }) => [position, day, referrer])],
  };
}

function sumsOf(increments: readonly ReferrerIncrement[]): Map<string, ReferrerIncrement> {
  const sums = new Map<string, ReferrerIncrement>();
  for (const { day, referrer, clicks, position: own } of increments) {
    for (const position of [own, 0]) {
      const key = `${position}-${day}-${referrer}`;
      sums.set(key, { day, position, referrer, clicks: clicks + (sums.get(key)?.clicks ?? 0) });
    }
  }
  return sums;
}

function byKey(one: ReferrerIncrement, other: ReferrerIncrement): number {
  return (
    one.position - other.position ||
    one.day - other.day ||
    (one.referrer < other.referrer ? -1 : one.referrer > other.referrer ? 1 : 0)
  );
}

export interface ReferrerCount {
  readonly referrer: string;
  readonly clicks: number;
}

/** A short stretch of time whose raw rows are looked at. */
export interface ReferrerPiece {
  readonly from: number;
  /** The first moment after it. */
  readonly to: number;
  /** Whether its clicks belong to what is asked for. */
  readonly inside: boolean;
}

/** Clicks of whole days and of what the pieces add: a click counts where it is inside, less where its day has it already. */
export interface ReferrersQuestion {
  /** First and last whole day, null = open; null = no whole day. */
  readonly days: { readonly first: number | null; readonly last: number | null } | null;
  readonly pieces: readonly ReferrerPiece[];
  /** 0 = all. */
  readonly position: number;
}

export interface ReferrersPage {
  readonly limit: number;
  readonly offset: number;
  /** Only what comes after this one in the order. */
  readonly after?: ReferrerCount;
}

export interface FoundReferrers {
  readonly rows: readonly ReferrerCount[];
  /** How many there are, shown or not; null where the page is behind the last of them. */
  readonly total: number | null;
}

/** Most clicks first, then by referrer; an empty referrer is one of them. */
export async function readReferrers(
  reader: Reader,
  question: ReferrersQuestion,
  { limit, offset, after }: ReferrersPage,
): Promise<FoundReferrers> {
  const { sql, params } = counted(question);
  const isAfter = after === undefined ? '' : ' AND (SUM(`n`) < ? OR (SUM(`n`) = ? AND `referrer` > ?))';
  const rows = await reader.select({
    sql: `SELECT \`referrer\`, SUM(\`n\`), COUNT(*) OVER () ${sql}${isAfter} ORDER BY SUM(\`n\`) DESC, \`referrer\` LIMIT ? OFFSET ?`,
    params: [
      ...params,
      ...(after === undefined ? [] : [after.clicks, after.clicks, after.referrer]),
      ...[limit, offset],
    ],
    heavy: true,
  });
  return {
    rows: rows.map(([referrer, clicks]) => ({ referrer: String(referrer), clicks: Number(clicks) })),
    total: rows[0] === undefined ? null : Number(rows[0][2]),
  };
}

export async function countReferrers(reader: Reader, question: ReferrersQuestion): Promise<number> {
  const { sql, params } = counted(question);
  const rows = await reader.select({
    sql: `SELECT COUNT(*) FROM (SELECT \`referrer\` ${sql}) AS \`found\``,
    params,
    heavy: true,
  });
  return Number(rows[0]?.[0] ?? 0);
}

/** From FROM to HAVING: each referrer with the parts of its number in `n`. */
function counted({ days, pieces, position }: ReferrersQuestion): { readonly sql: string; readonly params: number[] } {
  const first = days === null ? 1 : (days.first ?? 0);
  const last = days === null ? 0 : (days.last ?? 99_999_999);
  const parts = [
    {
      sql: 'SELECT `referrer`, `clicks` AS `n` FROM `hcd_ad_referrer_days` WHERE `position` = ? AND `day` BETWEEN ? AND ?',
      params: [position, first, last],
    },
    ...pieces.map(({ from, to, inside }) => ({
      sql: `SELECT \`referrer\`, ${inside ? 1 : 0} - CASE WHEN \`day\` BETWEEN ? AND ? THEN 1 ELSE 0 END FROM \`hcd_ad_clicks\` WHERE \`clicked_on\` >= ? AND \`clicked_on\` < ?${position === 0 ? '' : ' AND `position` = ?'}`,
      params: [first, last, from, to, ...(position === 0 ? [] : [position])],
    })),
  ];
  return {
    sql: `FROM (${parts.map(({ sql }) => sql).join(' UNION ALL ')}) AS \`parts\` GROUP BY \`referrer\` HAVING SUM(\`n\`) > 0`,
    params: parts.flatMap(({ params }) => params),
  };
}
