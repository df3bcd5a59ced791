/** Rows of `hcd_ads`, the banners. The names of the columns are the names on the wire; how a value is stored is known here only. */
import type { Param, RawRow, RawValue, Reader, Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/state/ledger.js';

/** A banner as it is stored: lists as JSON text, times as Unix seconds. */
export interface AdRow {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly image: string;
  readonly source: number;
  readonly active: boolean;
  readonly description: string | null;
  readonly type: string;
  readonly html: string | null;
  readonly start: number | null;
  readonly end: number | null;
  readonly product_id: number;
  readonly category_id: number;
  readonly max_clicks: number;
  readonly max_impressions: number;
  /** JSON text. */
  readonly show_hours: string | null;
  readonly target_resource_id: number;
  readonly target_parent_id: number;
  /** JSON text. */
  readonly tags: string | null;
}

/** What an INSERT or UPDATE sets: the row and the bits made of its hours. */
export interface AdWrite extends Omit<AdRow, 'id'> {
  readonly show_days_bits: number;
  readonly show_hours_bits: number;
}

const names = [
  'id',
  'name',
  'url',
  'image',
  'source',
  'active',
  'description',
  'type',
  'html',
  'start',
  'end',
  'product_id',
  'category_id',
  'max_clicks',
  'max_impressions',
  'show_hours',
  'target_resource_id',
  'target_parent_id',
  'tags',
] as const satisfies readonly (keyof AdRow)[];

/** Columns of one row in their order, for the alias of the table. */
export function adColumns(alias: string): string {
  return names.map((name) => `\`${alias}\`.\`${name}\``).join(', ');
}

/** How many columns adColumns has; what is selected behind them begins there. */
export const adColumnCount = names.length;

/** null when there is no such banner. In a transaction `lock` keeps others from changing it until the end. */
export async function readAd(reader: Reader, id: number): Promise<AdRow | null> {
  return first(
    await reader.select({
      sql: `SELECT ${adColumns('a')} FROM \`hcd_ads\` AS \`a\` WHERE \`a\`.\`id\` = ?`,
      params: [id],
    }),
  );
}

/** Like readAd; until the transaction ends nobody else changes the row. */
export async function lockAd(tx: Tx, id: number): Promise<AdRow | null> {
  const locking = tx.dialect === 'mariadb' ? ' FOR UPDATE' : '';
  const sql = `SELECT ${adColumns('a')} FROM \`hcd_ads\` AS \`a\` WHERE \`a\`.\`id\` = ?${locking}`;
  return first(await tx.select({ sql, params: [id] }));
}

/** Adds a banner and gives its id. */
export async function insertAd(tx: Tx, ad: AdWrite): Promise<number> {
  const { columns, params } = written(ad);
  const now = nowMilliseconds(tx.dialect);
  const sql = `INSERT INTO \`hcd_ads\` (${columns.join(', ')}, \`created_on\`, \`edited_on\`) VALUES (${columns.map(() => '?').join(', ')}, ${now}, ${now})`;
  return (await tx.run({ sql, params })).lastId;
}

export async function updateAd(tx: Tx, id: number, ad: AdWrite): Promise<void> {
  const { columns, params } = written(ad);
  const set = columns.map((name) => `${name} = ?`).join(', ');
  await tx.run({
    sql: `UPDATE \`hcd_ads\` SET ${set}, \`edited_on\` = ${nowMilliseconds(tx.dialect)} WHERE \`id\` = ?`,
    params: [...params, id],
  });
}

/** Removes the banner; its events and sums stay, and its id is never given again. */
export async function deleteAd(tx: Tx, id: number): Promise<void> {
  await tx.run({ sql: 'DELETE FROM `hcd_ads` WHERE `id` = ?', params: [id] });
}

/** A row that begins with the columns of adColumns. */
export function decodeAd(row: RawRow): AdRow {
  const value = (name: (typeof names)[number]): RawValue => row[names.indexOf(name)] ?? null;
  const text = (name: (typeof names)[number]): string => String(value(name) ?? '');
  const number = (name: (typeof names)[number]): number => Number(value(name) ?? 0);
  const nullable = <T>(name: (typeof names)[number], decode: (raw: RawValue) => T): T | null => {
    const raw = value(name);
    return raw === null ? null : decode(raw);
  };
  return {
    id: number('id'),
    name: text('name'),
    url: text('url'),
    image: text('image'),
    source: number('source'),
    active: number('active') !== 0,
    description: nullable('description', String),
    type: text('type'),
    html: nullable('html', String),
    start: nullable('start', Number),
    end: nullable('end', Number),
    product_id: number('product_id'),
    category_id: number('category_id'),
    max_clicks: number('max_clicks'),
    max_impressions: number('max_impressions'),
    show_hours: nullable('show_hours', String),
    target_resource_id: number('target_resource_id'),
    target_parent_id: number('target_parent_id'),
    tags: nullable('tags', String),
  };
}

function first(rows: readonly RawRow[]): AdRow | null {
  return rows[0] === undefined ? null : decodeAd(rows[0]);
}

function written(ad: AdWrite): { readonly columns: readonly string[]; readonly params: readonly Param[] } {
  const { active, ...others } = ad;
  const row: Readonly<Record<string, Param>> = { ...others, active: active ? 1 : 0 };
  return { columns: Object.keys(row).map((name) => `\`${name}\``), params: Object.values(row) };
}
