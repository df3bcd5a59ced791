/** Rows of `hcd_ad_clicks` and `hcd_ad_impressions`: one per visitor, banner, position and local day. */
import type { Param, RawRow, Reader, Statement, Tx } from '../../store/base/database.js';
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
/** This many keys of one place get a separate statement; others share one. */
const manyOfPlace = 8;
const mostPlaces = 64;

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
  for (const question of questionsFor(kind, keys)) {
    for (const row of await reader.select(question)) found.set(keyTextOf(row), Number(row[0]));
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

function questionsFor(kind: EventKind, keys: readonly EventKey[]): readonly Statement[] {
  const places = new Map<string, EventKey[]>();
  for (const key of keys) {
    const place = `${key.day}-${key.ad}-${key.position}`;
    const there = places.get(place);
    if (there === undefined) places.set(place, [key]);
    else there.push(key);
  }
  const groups = [...places.values()];
  const few = groups.filter((place) => place.length < manyOfPlace).flat();
  return [
    ...slicesOf(few, mostPlaces).map((part) => questionOfPlaces(kind, part)),
    ...groups
      .filter((place) => place.length >= manyOfPlace)
      .flatMap((place) => slicesOf(place, mostTogether))
      .map((part) => questionOfVisitors(kind, part)),
  ];
}

function questionOfPlaces(kind: EventKind, keys: readonly EventKey[]): Statement {
  const all = filledUp(keys);
  const sql = textOf(`${kind} places ${all.length}`, () => {
    const term = '(`day` = ? AND `ad` = ? AND `position` = ? AND `visitor` = ?)';
    return `${findText(kind)} ${all.map(() => term).join(' OR ')}`;
  });
  return { sql, params: all.flatMap(({ day, ad, position, visitor }) => [day, ad, position, visitor]) };
}

function questionOfVisitors(kind: EventKind, keys: readonly EventKey[]): Statement {
  const all = filledUp(keys);
  const sql = textOf(`${kind} visitors ${all.length}`, () => {
    const marks = all.map(() => '?').join(', ');
    return `${findText(kind)} \`day\` = ? AND \`ad\` = ? AND \`position\` = ? AND \`visitor\` IN (${marks})`;
  });
  const [{ day, ad, position } = noKey] = all;
  return { sql, params: [day, ad, position, ...all.map(({ visitor }) => visitor)] };
}

function findText(kind: EventKind): string {
  return `SELECT \`id\`, \`day\`, \`ad\`, \`position\`, \`visitor\` FROM \`${tables[kind].name}\` WHERE`;
}

function filledUp(keys: readonly EventKey[]): readonly EventKey[] {
  const size = sizes.findLast((one) => one >= keys.length) ?? keys.length;
  return Array.from({ length: size }, (_, at) => keys[Math.min(at, keys.length - 1)] ?? noKey);
}

function slicesOf<Row>(rows: readonly Row[], size: number): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => rows.slice(at * size, (at + 1) * size));
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

const noKey: EventKey = Object.freeze({ day: 0, ad: 0, position: 0, visitor: '' });

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
