/** Adds events to the sums of their local day in their transaction: days first, then referrers, each in key order. */
import type { Statement, Tx } from '../../store/base/database.js';
import { adDays, referrerDays } from '../models/events.js';

/** Numbers below 0 are subtracted. */
export interface DayIncrement {
  readonly day: number;
  readonly ad: number;
  readonly position: number;
  readonly clicks: number;
  readonly impressions: number;
  readonly conversions: number;
}

export interface ReferrerIncrement {
  readonly day: number;
  readonly position: number;
  readonly referrer: string;
  readonly clicks: number;
}

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

/** Rows of one statement; with 1 as the other size, two statement texts are enough. */
const batchSize = 64;

export function addToDays(tx: Tx, increments: readonly DayIncrement[]): Promise<void> {
  const rows = increments.map(({ day, ad, position, clicks, impressions, conversions }) => ({
    key: [day, ad, position],
    figures: [clicks, impressions, conversions],
  }));
  return addTo(tx, ofDays, rows);
}

export function addToReferrerDays(tx: Tx, increments: readonly ReferrerIncrement[]): Promise<void> {
  return changeReferrerDays(
    tx,
    increments.flatMap((increment) => [increment, { ...increment, position: 0 }]),
  );
}

export function changeReferrerDays(tx: Tx, increments: readonly ReferrerIncrement[]): Promise<void> {
  const rows = increments.map(({ position, day, referrer, clicks }) => ({
    key: [position, day, referrer],
    figures: [clicks],
  }));
  return addTo(tx, ofReferrers, rows);
}

async function addTo(tx: Tx, sums: Sums, increments: readonly Increment[]): Promise<void> {
  const left = joined(increments);
  const isGrowing = left.every(({ figures }) => figures.every((figure) => figure >= 0));
  while (left.length > 0) {
    // Subtractions are rare and run row by row, so that the order stays.
    const rows = left.splice(0, isGrowing && left.length >= batchSize ? batchSize : 1);
    const [first] = rows;
    if (first?.figures.some((figure) => figure < 0)) await tx.run(subtraction(sums, first));
    const more = rows.filter(({ figures }) => figures.some((figure) => figure > 0));
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

function joined(increments: readonly Increment[]): Increment[] {
  const byKey = new Map<string, Increment>();
  for (const { key, figures } of increments) {
    const name = key.join('-');
    const sum = byKey.get(name)?.figures;
    byKey.set(name, { key, figures: figures.map((figure, at) => figure + (sum?.[at] ?? 0)) });
  }
  return [...byKey.values()].filter(({ figures }) => figures.some((figure) => figure !== 0)).sort(compareKeys);
}

function compareKeys(one: Increment, other: Increment): number {
  for (const [at, value] of one.key.entries()) {
    const against = other.key[at] ?? 0;
    if (value !== against) return value < against ? -1 : 1;
  }
  return 0;
}
