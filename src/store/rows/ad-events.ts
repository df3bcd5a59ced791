/**
 * Rows of `hcd_ad_clicks` and `hcd_ad_impressions`: one per visitor, banner, position and local day. Which rows an
 * INSERT added is found out without RETURNING, which MySQL and MariaDB before 10.5 lack.
 */
import type { Param, RawRow, Reader, Tx } from '../database.js';

export type EventKind = 'clicks' | 'impressions';

/** What makes an event the same as another one. */
export interface EventKey {
  /** Digits of a local day. */
  readonly day: number;
  readonly ad: number;
  readonly position: number;
  /** 16 hexadecimal digits. */
  readonly visitor: string;
}

export interface EventRow extends EventKey {
  /** Null: the database counts. */
  readonly id: number | null;
  /** Unix milliseconds. */
  readonly at: number;
  /** As it is to be kept; empty = not kept. */
  readonly ip: string;
  /** Empty for impressions, which have none. */
  readonly referrer: string;
  /** Null for impressions, which lead to no order. */
  readonly orderId: string | null;
}

interface EventTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly values: (row: EventRow) => Param[];
}

const tables: Readonly<Record<EventKind, EventTable>> = Object.freeze({
  clicks: {
    name: 'hcd_ad_clicks',
    columns: ['id', 'ad', 'position', 'clicked_on', 'day', 'visitor', 'ip', 'referrer', 'order_id'],
    values: (row) => [...common(row), row.referrer, row.orderId],
  },
  impressions: {
    name: 'hcd_ad_impressions',
    columns: ['id', 'ad', 'position', 'shown_on', 'day', 'visitor', 'ip'],
    values: common,
  },
});

function common({ id, ad, position, at, day, visitor, ip }: EventRow): Param[] {
  return [id, ad, position, at, day, visitor, ip];
}

/** Rows of one statement: few texts of it are enough for every number of rows. */
const sizes = [64, 8, 1];

/** One text per key, for maps of them. */
export function eventKeyText({ day, ad, position, visitor }: EventKey): string {
  return `${day}-${ad}-${position}-${visitor}`;
}

/** Ids of the events that are there, by `eventKeyText`. */
export async function findEvents(
  reader: Reader,
  kind: EventKind,
  keys: readonly EventKey[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const left = [...keys];
  while (left.length > 0) {
    const part = left.splice(0, sizes[0]);
    for (const row of await reader.select(question(kind, part))) found.set(keyTextOf(row), Number(row[0]));
  }
  return found;
}

/**
 * Adds those rows whose key and id are free; gives how many there were. The rows come in the order of their keys
 * wherever several are added, so that two writers cannot wait for each other crosswise.
 */
export async function insertEvents(tx: Tx, kind: EventKind, rows: readonly EventRow[]): Promise<number> {
  const left = [...rows];
  let added = 0;
  while (left.length > 0) {
    const part = left.splice(0, sizes.find((size) => size <= left.length) ?? 1);
    added += (await tx.run(insertion(tx.dialect, kind, part))).changes;
  }
  return added;
}

/** Every term names one place of the unique index. Missing terms repeat the last one. */
function question(kind: EventKind, keys: readonly EventKey[]) {
  const size = sizes.findLast((one) => one >= keys.length) ?? keys.length;
  const params: Param[] = [];
  for (let at = 0; at < size; at += 1) {
    const key = keys[Math.min(at, keys.length - 1)];
    if (key !== undefined) params.push(key.day, key.ad, key.position, key.visitor);
  }
  return { sql: textOf(`${kind} question ${size}`, () => questionText(kind, size)), params };
}

function questionText(kind: EventKind, size: number): string {
  const term = '(`day` = ? AND `ad` = ? AND `position` = ? AND `visitor` = ?)';
  const terms = Array.from({ length: size }, () => term).join(' OR ');
  return `SELECT \`id\`, \`day\`, \`ad\`, \`position\`, \`visitor\` FROM \`${tables[kind].name}\` WHERE ${terms}`;
}

/** Not INSERT IGNORE, which would also take values that do not fit. */
function insertion(dialect: Tx['dialect'], kind: EventKind, rows: readonly EventRow[]) {
  const sql = textOf(`${kind} insertion ${dialect} ${rows.length}`, () => insertionText(dialect, kind, rows.length));
  return { sql, params: rows.flatMap(tables[kind].values) };
}

function insertionText(dialect: Tx['dialect'], kind: EventKind, size: number): string {
  const { name, columns } = tables[kind];
  const place = `(${columns.map(() => '?').join(', ')})`;
  const places = Array.from({ length: size }, () => place).join(', ');
  const conflict = dialect === 'mariadb' ? 'ON DUPLICATE KEY UPDATE `id` = `id`' : 'ON CONFLICT DO NOTHING';
  return `INSERT INTO \`${name}\` (${columns.map((column) => `\`${column}\``).join(', ')}) VALUES ${places} ${conflict}`;
}

/** Texts of statements by kind and size: thousands of characters, and the same few again and again. */
const texts = new Map<string, string>();

function textOf(name: string, make: () => string): string {
  const known = texts.get(name);
  if (known !== undefined) return known;
  const made = make();
  texts.set(name, made);
  return made;
}

function keyTextOf([, day, ad, position, visitor]: RawRow): string {
  return eventKeyText({ day: Number(day), ad: Number(ad), position: Number(position), visitor: String(visitor) });
}
