/** Rows of `hcd_ad_clicks` and `hcd_ad_impressions`: one per visitor, banner, position and local day. */
import type { Param, RawRow, Reader, Statement, Tx } from '../../store/base/database.js';
import { batchesOf, padded } from '../../values/batches.js';
import type { EventKind } from '../models/events.js';

interface EventKey {
  readonly day: number;
  readonly ad: number;
  readonly position: number;
  readonly visitor: string;
}

/** Texts must fit their columns: they are not cut here. */
export interface EventRow extends EventKey {
  /** Absent or null: the database assigns it. */
  readonly id?: number | null;
  readonly at: number;
  readonly ip: string;
  readonly referrer?: string;
  readonly orderId?: string | null;
}

interface EventTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly bind: (row: EventRow, params: Param[]) => void;
}

const tables: Readonly<Record<EventKind, EventTable>> = Object.freeze({
  clicks: {
    name: 'hcd_ad_clicks',
    columns: ['id', 'ad', 'position', 'clicked_on', 'day', 'visitor', 'ip', 'referrer', 'order_id'],
    bind(row, params) {
      bindCommon(row, params);
      params.push(row.referrer ?? '', row.orderId ?? null);
    },
  },
  impressions: {
    name: 'hcd_ad_impressions',
    columns: ['id', 'ad', 'position', 'shown_on', 'day', 'visitor', 'ip'],
    bind: bindCommon,
  },
});

function bindCommon({ id = null, ad, position, at, day, visitor, ip }: EventRow, params: Param[]): void {
  params.push(id, ad, position, at, day, visitor, ip);
}

/** Rows of one statement: few statement texts cover every number of rows. */
const mostTogether = 256;
const sizes = [mostTogether, 64, 8, 1];
const mostAsked = 64;

/** One text per key; `addedText` makes the same one. */
export function eventKeyText({ day, ad, position, visitor }: EventKey): string {
  return `${day}-${ad}-${position}-${visitor}`;
}

export async function findEvents(
  reader: Reader,
  kind: EventKind,
  keys: readonly EventKey[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const some of batchesOf(keys, mostAsked)) {
    const asked = padded(some);
    const sql = textOf(`${kind} look-up ${asked.length}`, () => {
      const terms = asked.map(() => '(`day` = ? AND `ad` = ? AND `position` = ? AND `visitor` = ?)');
      return `SELECT \`id\`, \`day\`, \`ad\`, \`position\`, \`visitor\` FROM \`${tables[kind].name}\` WHERE ${terms.join(' OR ')}`;
    });
    const params = asked.flatMap(({ day, ad, position, visitor }) => [day, ad, position, visitor]);
    for (const row of await reader.select({ sql, params })) found.set(keyTextOf(row), Number(row[0]));
  }
  return found;
}

/** In the order of the keys, so that two writers cannot deadlock. Returns how many were added. */
export async function insertEvents(tx: Tx, kind: EventKind, rows: readonly EventRow[]): Promise<number> {
  let added = 0;
  for (const part of partsOf(rows)) added += (await tx.run(insertion({ tx, kind, part, end: '' }))).changes;
  return added;
}

/** Only for SQLite: MySQL, and MariaDB before 10.5, cannot return the added rows. */
export async function insertEventsReturning<Row extends EventRow>(
  tx: Tx,
  kind: EventKind,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const added: Row[] = [];
  for (const part of partsOf(rows)) {
    const keys = await tx.select(insertion({ tx, kind, part, end: addedText }));
    if (keys.length === part.length) {
      for (const row of part) added.push(row);
      continue;
    }
    const there = new Set(keys.map(([key]) => String(key)));
    for (const row of part) if (there.has(eventKeyText(row))) added.push(row);
  }
  return added;
}

function partsOf<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const parts: (readonly Row[])[] = [];
  for (let start = 0; start < rows.length; ) {
    const left = rows.length - start;
    const size = sizes.find((one) => one <= left) ?? 1;
    parts.push(rows.slice(start, start + size));
    start += size;
  }
  return parts;
}

const addedText = " RETURNING `day` || '-' || `ad` || '-' || `position` || '-' || `visitor`";

interface Insertion {
  readonly tx: Tx;
  readonly kind: EventKind;
  readonly part: readonly EventRow[];
  readonly end: string;
}

function insertion({ tx: { dialect }, kind, part, end }: Insertion): Statement {
  const sql = textOf(
    `${kind} insertion ${dialect} ${part.length}${end}`,
    () => insertionText(dialect, kind, part.length) + end,
  );
  const params: Param[] = [];
  for (const row of part) tables[kind].bind(row, params);
  return { sql, params };
}

/** Not INSERT IGNORE, which would also accept values that do not fit. */
function insertionText(dialect: Tx['dialect'], kind: EventKind, size: number): string {
  const { name, columns } = tables[kind];
  const place = `(${columns.map(() => '?').join(', ')})`;
  const places = Array.from({ length: size }, () => place).join(', ');
  const conflict = dialect === 'mariadb' ? 'ON DUPLICATE KEY UPDATE `id` = `id`' : 'ON CONFLICT DO NOTHING';
  return `INSERT INTO \`${name}\` (${columns.map((column) => `\`${column}\``).join(', ')}) VALUES ${places} ${conflict}`;
}

/** Texts of statements by kind and size: each has thousands of characters, and few are used repeatedly. */
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
