/** Reads template variables of many resources in one statement (docs/reference/storage.md#template-variables). */
import type { Param, Reader } from '../../store/base/database.js';

/** One tv of one resource: the stored value, or null when there is no row and the default applies. */
export interface TvRow {
  readonly resource: number;
  readonly tv: number;
  readonly name: string;
  readonly category: number;
  readonly stored: string | null;
  readonly defaultText: string;
}

/**
 * All tvs that the templates of the resources link, in link order, then tv order. Values left over from an earlier
 * template are not among them.
 */
export async function readTvRows(
  db: Reader,
  prefix: string,
  asked: { readonly resources: readonly number[]; readonly names: readonly string[] | null },
): Promise<TvRow[]> {
  if (asked.resources.length === 0 || asked.names?.length === 0) return [];
  const params: Param[] = [...asked.resources];
  let names = '';
  if (asked.names) {
    names = ` AND t.\`name\` IN (${marks(asked.names)})`;
    params.push(...asked.names);
  }
  const rows = await db.select({
    sql: `SELECT c.\`id\`, t.\`id\`, t.\`name\`, t.\`category\`, v.\`value\`, t.\`default_text\`
FROM \`${prefix}site_content\` c
JOIN \`${prefix}site_tmplvar_templates\` l ON l.\`templateid\` = c.\`template\`
JOIN \`${prefix}site_tmplvars\` t ON t.\`id\` = l.\`tmplvarid\`
LEFT JOIN \`${prefix}site_tmplvar_contentvalues\` v ON v.\`contentid\` = c.\`id\` AND v.\`tmplvarid\` = t.\`id\`
WHERE c.\`id\` IN (${marks(asked.resources)})${names}
ORDER BY c.\`id\`, l.\`rank\`, t.\`rank\`, t.\`id\`, v.\`id\``,
    params,
  });
  return rows.map((row) => ({
    resource: Number(row[0]),
    tv: Number(row[1]),
    name: String(row[2]),
    category: Number(row[3]),
    stored: row[4] === null ? null : String(row[4]),
    defaultText: row[5] === null ? '' : String(row[5]),
  }));
}

/** Own values of some tvs for some resources, whatever their template; for inheritance from parents. */
export async function readTvValues(
  db: Reader,
  prefix: string,
  asked: { readonly resources: readonly number[]; readonly tvs: readonly number[] },
): Promise<{ readonly resource: number; readonly tv: number; readonly value: string }[]> {
  if (asked.resources.length === 0 || asked.tvs.length === 0) return [];
  const rows = await db.select({
    sql: `SELECT \`contentid\`, \`tmplvarid\`, \`value\` FROM \`${prefix}site_tmplvar_contentvalues\` WHERE \`contentid\` IN (${marks(asked.resources)}) AND \`tmplvarid\` IN (${marks(asked.tvs)}) ORDER BY \`id\``,
    params: [...asked.resources, ...asked.tvs],
  });
  return rows.map((row) => ({ resource: Number(row[0]), tv: Number(row[1]), value: String(row[2] ?? '') }));
}

/** Parent of each resource; 0 = root. Missing resources are absent. */
export async function readParents(db: Reader, prefix: string, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db.select({
    sql: `SELECT \`id\`, \`parent\` FROM \`${prefix}site_content\` WHERE \`id\` IN (${marks(ids)})`,
    params: ids,
  });
  return new Map(rows.map((row) => [Number(row[0]), Number(row[1])]));
}

function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
