/**
 * Settings in the CMS's tables: read as decoded rows, set and removed one at a time. Works on an attached store too:
 * rows keep their namespace, area and input widget, and every column that has no default is named.
 */
import { invalidField } from '../../errors/app-error.js';
import { touch } from '../../store/base/commits.js';
import type { RawRow, Reader, Tx } from '../../store/base/database.js';

export interface SettingRow {
  readonly key: string;
  readonly value: string;
  readonly namespace: string;
  readonly xtype: string;
  /** The value is a flag: `1` is true, an empty text and `0` are false. */
  readonly isFlag: boolean;
}

export interface ContextSettingRow extends SettingRow {
  readonly contextKey: string;
}

/** Which rows to read: all, those whose key begins with a text, or those with one of the keys. */
export type SettingFilter = { readonly startsWith: string } | { readonly keys: readonly string[] } | 'all';

export interface SettingWrite {
  readonly key: string;
  readonly value: string;
  /** Widget of a new row: a checkbox for flags, a text field otherwise. */
  readonly kind: 'flag' | 'text';
}

const columns = '`key`, `value`, `namespace`, `xtype`';
const longestKey = 50;
/** Bytes of the columns: TEXT in system_settings, and MEDIUMTEXT, kept to the same here, in context_setting. */
const longestValue = 65_535;

/** System settings in order of key. */
export async function readSystemSettings(reader: Reader, prefix: string, filter: SettingFilter): Promise<SettingRow[]> {
  const { where, params } = condition(filter);
  const sql = `SELECT ${columns} FROM \`${prefix}system_settings\` WHERE ${where} ORDER BY \`key\``;
  const rows = await reader.select({ sql, params });
  return rows.map(decodeSetting).filter(({ key }) => matches(filter, key));
}

/** Settings of one context, or of all, in order of context and key. */
export async function readContextSettings(
  reader: Reader,
  prefix: string,
  asked: { readonly context: string | 'every'; readonly filter: SettingFilter },
): Promise<ContextSettingRow[]> {
  const { where, params } = condition(asked.filter);
  const ofContext = asked.context === 'every' ? '' : ' AND `context_key` = ?';
  const rows = await reader.select({
    sql: `SELECT ${columns}, \`context_key\` FROM \`${prefix}context_setting\` WHERE ${where}${ofContext} ORDER BY \`context_key\`, \`key\``,
    params: asked.context === 'every' ? params : [...params, asked.context],
  });
  return rows
    .map((row) => ({ ...decodeSetting(row), contextKey: String(row[4]) }))
    .filter(({ key, contextKey }) => matches(asked.filter, key) && ['every', contextKey].includes(asked.context));
}

/** Creates or changes a system setting. */
export async function setSystemSetting(tx: Tx, prefix: string, setting: SettingWrite): Promise<void> {
  checkSize(setting);
  touch(tx, 'live');
  await upsert(tx, { table: `${prefix}system_settings`, key: { key: setting.key }, setting });
}

/** Creates or changes a setting of one context. */
export async function setContextSetting(
  tx: Tx,
  prefix: string,
  setting: SettingWrite & { readonly contextKey: string },
): Promise<void> {
  checkSize(setting);
  touch(tx, 'live');
  const key = { context_key: setting.contextKey, key: setting.key };
  await upsert(tx, { table: `${prefix}context_setting`, key, setting });
}

/** Removes a system setting; false when it was not there. */
export async function unsetSystemSetting(tx: Tx, prefix: string, key: string): Promise<boolean> {
  touch(tx, 'live');
  const result = await tx.run({ sql: `DELETE FROM \`${prefix}system_settings\` WHERE \`key\` = ?`, params: [key] });
  return result.changes > 0;
}

/** Removes a setting of one context; false when it was not there. */
export async function unsetContextSetting(
  tx: Tx,
  prefix: string,
  setting: { readonly contextKey: string; readonly key: string },
): Promise<boolean> {
  touch(tx, 'live');
  const sql = `DELETE FROM \`${prefix}context_setting\` WHERE \`context_key\` = ? AND \`key\` = ?`;
  return (await tx.run({ sql, params: [setting.contextKey, setting.key] })).changes > 0;
}

/** Our runtime settings have a namespace per API; everything else belongs to the CMS's core. */
export function settingNamespace(key: string): string {
  const api = ['gateway', 'pages', 'banners'].find((name) => key.startsWith(`${name}_`));
  return api === undefined ? 'core' : `hcd_${api}`;
}

interface Upsert {
  readonly table: string;
  readonly key: Readonly<Record<string, string>>;
  readonly setting: SettingWrite;
}

/** One statement, so that two writers cannot both insert. */
async function upsert(tx: Tx, { table, key, setting }: Upsert): Promise<void> {
  const row = {
    ...key,
    value: setting.value,
    xtype: setting.kind === 'flag' ? 'combo-boolean' : 'textfield',
    namespace: settingNamespace(setting.key),
    area: '',
  };
  const names = Object.keys(row).map((name) => `\`${name}\``);
  const insert = `INSERT INTO \`${table}\` (${names.join(', ')}, \`editedon\`) VALUES (${names.map(() => '?').join(', ')}, CURRENT_TIMESTAMP)`;
  const keys = Object.keys(key).map((name) => `\`${name}\``);
  const update =
    tx.dialect === 'mariadb'
      ? 'ON DUPLICATE KEY UPDATE `value` = VALUES(`value`), `editedon` = CURRENT_TIMESTAMP'
      : `ON CONFLICT (${keys.join(', ')}) DO UPDATE SET \`value\` = excluded.\`value\`, \`editedon\` = CURRENT_TIMESTAMP`;
  await tx.run({ sql: `${insert} ${update}`, params: Object.values(row) });
}

/** SQLite stores any length, and old CMS databases cut what is too long. */
function checkSize({ key, value }: SettingWrite): void {
  if (key === '' || [...key].length > longestKey) {
    throw invalidField('key', `must have 1 to ${longestKey} characters`);
  }
  if (Buffer.byteLength(value) > longestValue) {
    throw invalidField('value', `must not exceed ${longestValue} bytes`);
  }
}

function condition(filter: SettingFilter): { where: string; params: string[] } {
  if (filter === 'all') return { where: '1 = 1', params: [] };
  if ('keys' in filter) {
    if (filter.keys.length === 0) return { where: '1 = 0', params: [] };
    return { where: `\`key\` IN (${filter.keys.map(() => '?').join(', ')})`, params: [...filter.keys] };
  }
  // An underscore alone would stand for any character.
  const pattern = `${filter.startsWith.replaceAll(/[!%_]/g, '!$&')}%`;
  return { where: "`key` LIKE ? ESCAPE '!'", params: [pattern] };
}

/** LIKE on SQLite and every comparison of old databases disregard case, so what they found is compared again. */
function matches(filter: SettingFilter, key: string): boolean {
  if (filter === 'all') return true;
  return 'keys' in filter ? filter.keys.includes(key) : key.startsWith(filter.startsWith);
}

function decodeSetting(row: RawRow): SettingRow {
  const [key, value, namespace, xtype] = row.map((column) => (column === null ? '' : String(column)));
  return {
    key: key ?? '',
    value: value ?? '',
    namespace: namespace ?? '',
    xtype: xtype ?? '',
    isFlag: xtype === 'combo-boolean',
  };
}
