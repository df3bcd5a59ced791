/**
 * Template variables of a template and their stored values on one resource, for writing
 * (docs/reference/storage.md#template-variables).
 */
import type { Reader, Tx } from '../../store/base/database.js';

export interface TemplateTv {
  readonly id: number;
  readonly name: string;
  /** The input type. */
  readonly type: string;
  readonly category: number;
  readonly defaultText: string;
}

/** The variables that the template links. */
export async function readTemplateTvs(db: Reader, prefix: string, template: number): Promise<TemplateTv[]> {
  const rows = await db.select({
    sql: `SELECT t.\`id\`, t.\`name\`, t.\`type\`, t.\`category\`, t.\`default_text\` FROM \`${prefix}site_tmplvar_templates\` l JOIN \`${prefix}site_tmplvars\` t ON t.\`id\` = l.\`tmplvarid\` WHERE l.\`templateid\` = ? ORDER BY t.\`id\``,
    params: [template],
  });
  return rows.map(([id, name, type, category, text]) => ({
    id: Number(id),
    name: String(name),
    type: String(type),
    category: Number(category),
    defaultText: text === null || text === undefined ? '' : String(text),
  }));
}

interface TvPlace {
  readonly prefix: string;
  readonly resource: number;
  readonly tv: number;
}

/** Stores the value. Where an old database holds several rows the first one counts, so that one is changed. */
export async function storeTvValue(tx: Tx, place: TvPlace, value: string): Promise<void> {
  const { prefix, resource, tv } = place;
  const table = `\`${prefix}site_tmplvar_contentvalues\``;
  const [first] = await tx.select({
    sql: `SELECT \`id\` FROM ${table} WHERE \`contentid\` = ? AND \`tmplvarid\` = ? ORDER BY \`id\` LIMIT 1`,
    params: [resource, tv],
  });
  if (first) {
    await tx.run({ sql: `UPDATE ${table} SET \`value\` = ? WHERE \`id\` = ?`, params: [value, first[0] ?? 0] });
    return;
  }
  await tx.run({
    sql: `INSERT INTO ${table} (\`tmplvarid\`, \`contentid\`, \`value\`) VALUES (?, ?, ?)`,
    params: [tv, resource, value],
  });
}

/** Removes the value, so that the default holds. */
export async function removeTvValue(tx: Tx, { prefix, resource, tv }: TvPlace): Promise<void> {
  await tx.run({
    sql: `DELETE FROM \`${prefix}site_tmplvar_contentvalues\` WHERE \`contentid\` = ? AND \`tmplvarid\` = ?`,
    params: [resource, tv],
  });
}
