/** Adds events to the sums of their local day in their transaction: days first, then referrers, each in key order. */
import type { Statement, Tx } from '../../store/base/database.js';
import { partsOf } from '../../values/batches.js';
import { adDays, referrerDays } from '../models/events.js';

/** Numbers below 0 are subtracted. */
export type DayIncrement = Readonly<
  Record<'day' | 'ad' | 'position' | 'clicks' | 'impressions' | 'conversions', number>
>;

export type ReferrerIncrement = Readonly<Record<'day' | 'position' | 'clicks', number> & { referrer: string }>;

interface Sums {
  readonly table: string;
  readonly key: readonly string[];
  readonly figures: readonly string[];
}

const ofDays: Sums = {
  table: adDays.table,
  key: ['day', 'ad', 'position'],
  figures: ['clicks', 'impressions', 'conversions'],
};
const ofReferrers: Sums = { table: referrerDays.table, key: ['position', 'day', 'referrer'], figures: ['clicks'] };

interface Increment {
  readonly key: readonly (number | string)[];
  readonly figures: readonly number[];
}

export function addToDays(tx: Tx, increments: readonly DayIncrement[]): Promise<void> {
  return addTo(tx, ofDays, increments);
}

export function addToReferrerDays(tx: Tx, increments: readonly ReferrerIncrement[]): Promise<void> {
  return changeReferrerDays(
    tx,
    increments.flatMap((increment) => [increment, { ...increment, position: 0 }]),
  );
}

export function changeReferrerDays(tx: Tx, increments: readonly ReferrerIncrement[]): Promise<void> {
  return addTo(tx, ofReferrers, increments);
}

type Row = Readonly<Record<string, number | string>>;

const batchSize = 64;

async function addTo(tx: Tx, sums: Sums, rows: readonly Row[]): Promise<void> {
  const increments = joined(sums, rows);
  const isGrowing = increments.every(({ figures }) => figures.every((figure) => figure >= 0));
  // Subtractions are rare and run row by row, so that the order stays.
  for (const some of partsOf(increments, isGrowing ? batchSize : 1)) {
    const [first] = some;
    if (first?.figures.some((figure) => figure < 0)) await tx.run(subtraction(sums, first));
    const more = some.filter(({ figures }) => figures.some((figure) => figure > 0));
    if (more.length > 0) await tx.run(addition(tx.dialect, sums, more));
  }
}

function addition(dialect: Tx['dialect'], { table, key, figures }: Sums, rows: readonly Increment[]): Statement {
  const columns = [...key, ...figures].map((name) => `\`${name}\``);
  const place = `(${columns.map(() => '?').join(', ')})`;
  const insert = `INSERT INTO \`${table}\` (${columns.join(', ')}) VALUES ${rows.map(() => place).join(', ')}`;
  const sum = (name: string): string =>
    dialect === 'mariadb'
      ? `\`${name}\` = \`${name}\` + VALUES(\`${name}\`)`
      : `\`${name}\` = \`${table}\`.\`${name}\` + excluded.\`${name}\``;
  const conflict =
    dialect === 'mariadb'
      ? 'ON DUPLICATE KEY UPDATE'
      : `ON CONFLICT (${key.map((name) => `\`${name}\``).join(', ')}) DO UPDATE SET`;
  return {
    sql: `${insert} ${conflict} ${figures.map(sum).join(', ')}`,
    params: rows.flatMap((row) => [...row.key, ...row.figures.map((figure) => Math.max(figure, 0))]),
  };
}

function subtraction({ table, key, figures }: Sums, row: Increment): Statement {
  const rest = figures.map((name) => `\`${name}\` = CASE WHEN \`${name}\` > ? THEN \`${name}\` - ? ELSE 0 END`);
  const less = row.figures.map((figure) => Math.max(-figure, 0));
  return {
    sql: `UPDATE \`${table}\` SET ${rest.join(', ')} WHERE ${key.map((name) => `\`${name}\` = ?`).join(' AND ')}`,
    params: [...less.flatMap((figure) => [figure, figure]), ...row.key],
  };
}

function joined({ key, figures }: Sums, rows: readonly Row[]): Increment[] {
  const byKey = new Map<string, Increment>();
  for (const row of rows) {
    const values = key.map((name) => row[name] ?? 0);
    const sum = byKey.get(values.join('-'))?.figures;
    const more = figures.map((name, at) => Number(row[name]) + (sum?.[at] ?? 0));
    byKey.set(values.join('-'), { key: values, figures: more });
  }
  return [...byKey.values()].filter((one) => one.figures.some((figure) => figure !== 0)).sort(compareKeys);
}

function compareKeys(one: Increment, other: Increment): number {
  for (const [at, value] of one.key.entries()) {
    const against = other.key[at] ?? 0;
    if (value !== against) return value < against ? -1 : 1;
  }
  return 0;
}
