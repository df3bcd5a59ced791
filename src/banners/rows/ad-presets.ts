/** Rows of `hcd_ad_presets`: values that new banners start with. */
import type { RawRow, Reader, Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/state/ledger.js';

export interface AdPresetRow {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly tpl: string;
  /** JSON text of an object. */
  readonly defaults: string;
}

const columns = '`id`, `name`, `type`, `tpl`, `defaults_data`';

/** Presets in order of id. */
export async function readAdPresets(
  reader: Reader,
  page: { readonly limit: number; readonly offset: number },
): Promise<AdPresetRow[]> {
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_ad_presets\` ORDER BY \`id\` LIMIT ? OFFSET ?`,
    params: [page.limit, page.offset],
  });
  return rows.map(decode);
}

export async function countAdPresets(reader: Reader): Promise<number> {
  const rows = await reader.select({ sql: 'SELECT COUNT(*) FROM `hcd_ad_presets`', params: [] });
  return Number(rows[0]?.[0] ?? 0);
}

export async function readAdPreset(reader: Reader, id: number): Promise<AdPresetRow | null> {
  const rows = await reader.select({ sql: `SELECT ${columns} FROM \`hcd_ad_presets\` WHERE \`id\` = ?`, params: [id] });
  return rows[0] === undefined ? null : decode(rows[0]);
}

export async function readAdPresetByName(reader: Reader, name: string): Promise<AdPresetRow | null> {
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_ad_presets\` WHERE \`name\` = ?`,
    params: [name],
  });
  return rows[0] === undefined ? null : decode(rows[0]);
}

/** Adds a preset and gives its id. Throws conflict when the name is taken. */
export async function insertAdPreset(tx: Tx, preset: Omit<AdPresetRow, 'id'>): Promise<number> {
  const { lastId } = await tx.run({
    sql: `INSERT INTO \`hcd_ad_presets\` (\`name\`, \`type\`, \`tpl\`, \`defaults_data\`, \`created_on\`) VALUES (?, ?, ?, ?, ${nowMilliseconds(tx.dialect)})`,
    params: [preset.name, preset.type, preset.tpl, preset.defaults],
  });
  return lastId;
}

export async function deleteAdPreset(tx: Tx, id: number): Promise<void> {
  await tx.run({ sql: 'DELETE FROM `hcd_ad_presets` WHERE `id` = ?', params: [id] });
}

function decode([id, name, type, tpl, defaults]: RawRow): AdPresetRow {
  return { id: Number(id), name: String(name), type: String(type), tpl: String(tpl), defaults: String(defaults) };
}
