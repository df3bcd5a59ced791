/** Lists of banners: which rows of `hcd_ads` fit, in which order, and how many there are. */

import { containsPattern } from '../../store/base/contains-pattern.js';
import type { Param, Reader } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { type AdRow, adColumns, decodeAd } from './ads.js';

/** What a list is narrowed to; null = not at all. */
export interface AdFilter {
  /** Part of name or description, without case; every character stands for itself. */
  readonly query: string | null;
  readonly active: boolean | null;
  readonly type: string | null;
  readonly productId: number | null;
  readonly categoryId: number | null;
  readonly tag: string | null;
  readonly positions: { readonly mode: 'include' | 'exclude'; readonly ids: readonly number[] } | null;
  /** Shown at this moment: Unix seconds, and the bits of its weekday and hour. */
  readonly onSchedule: { readonly seconds: number; readonly dayBits: number; readonly hourBits: number } | null;
}

export type AdSort = 'id' | 'name' | 'active' | 'start' | 'end';

export interface AdPage {
  readonly sort: AdSort;
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** Rows of one page; rows with the same value are in the order of their ids. Unset times count as the earliest. */
export async function readAds(reader: Reader, filter: AdFilter, page: AdPage): Promise<AdRow[]> {
  const { where, params } = conditionOf(reader, filter);
  const direction = page.descending ? 'DESC' : 'ASC';
  const order =
    page.sort === 'id' ? `\`a\`.\`id\` ${direction}` : `\`a\`.\`${page.sort}\` ${direction}, \`a\`.\`id\` ASC`;
  const rows = await reader.select({
    sql: `SELECT ${adColumns('a')} FROM \`hcd_ads\` AS \`a\`${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
    params: [...params, page.limit, page.offset],
    heavy: { over: 'hcd_ads' },
  });
  return rows.map(decodeAd);
}

export async function countAds(reader: Reader, filter: AdFilter): Promise<number> {
  const { where, params } = conditionOf(reader, filter);
  const sql = `SELECT COUNT(*) FROM \`hcd_ads\` AS \`a\`${where}`;
  const rows = await reader.select({ sql, params, heavy: { over: 'hcd_ads' } });
  return Number(rows[0]?.[0] ?? 0);
}

type Part = readonly [sql: string, params: readonly Param[]];

function conditionOf(reader: Reader, filter: AdFilter): { readonly where: string; readonly params: readonly Param[] } {
  const parts = [
    ...queryPart(reader, filter.query),
    ...equalPart('active', filter.active === null ? null : Number(filter.active)),
    ...equalPart('type', filter.type),
    ...equalPart('product_id', filter.productId),
    ...equalPart('category_id', filter.categoryId),
    ...tagPart(filter.tag),
    ...positionPart(filter.positions),
    ...schedulePart(filter.onSchedule),
  ];
  return {
    where: parts.length === 0 ? '' : ` WHERE ${parts.map(([sql]) => `(${sql})`).join(' AND ')}`,
    params: parts.flatMap(([, params]) => params),
  };
}

function equalPart(column: string, value: Param): readonly Part[] {
  return value === null ? [] : [[`\`a\`.\`${column}\` = ?`, [value]]];
}

function queryPart(reader: Reader, query: string | null): readonly Part[] {
  if (query === null) return [];
  const { foldedText, foldedMark } = dialectOf(reader.dialect);
  const pattern = containsPattern(query);
  const like = (column: string): string => `${foldedText(`\`a\`.\`${column}\``)} LIKE ${foldedMark} ESCAPE '!'`;
  return [[`${like('name')} OR ${like('description')}`, [pattern, pattern]]];
}

/** The alphabet of tags has no quote, so a tag between two of them is the whole tag. */
function tagPart(tag: string | null): readonly Part[] {
  return tag === null ? [] : [['INSTR(`a`.`tags`, ?) > 0', [`"${tag}"`]]];
}

/** To be at none of no positions is true of every banner, to be at one of none of none. */
function positionPart(positions: AdFilter['positions']): readonly Part[] {
  if (positions === null) return [];
  const { mode, ids } = positions;
  if (ids.length === 0) return mode === 'include' ? [['1 = 0', []]] : [];
  const links = `SELECT 1 FROM \`hcd_ad_links\` AS \`l\` WHERE \`l\`.\`ad\` = \`a\`.\`id\` AND \`l\`.\`position\` IN (${ids.map(() => '?').join(', ')})`;
  return [[`${mode === 'include' ? '' : 'NOT '}EXISTS (${links})`, ids]];
}

function schedulePart(moment: AdFilter['onSchedule']): readonly Part[] {
  if (moment === null) return [];
  const { seconds, dayBits, hourBits } = moment;
  return [
    ['`a`.`start` IS NULL OR `a`.`start` <= ?', [seconds]],
    ['`a`.`end` IS NULL OR `a`.`end` >= ?', [seconds]],
    ['`a`.`show_days_bits` = 0 OR (`a`.`show_days_bits` & ?) <> 0', [dayBits]],
    ['`a`.`show_hours_bits` = 0 OR (`a`.`show_hours_bits` & ?) <> 0', [hourBits]],
  ];
}
