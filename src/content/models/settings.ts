/** Settings in the CMS's tables, changed on an attached store too: rows keep their namespace, area and input widget. */
import { cast, literal, Op, where } from 'sequelize';
import { invalidField } from '../../errors/app-error.js';
import type { Reader, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { touch } from '../../store/base/transaction.js';
import { dateText, key, optional, orEmpty, orNull, text, withDefaults } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';

const more = {
  ...withDefaults({ xtype: text(75), namespace: text(40), area: text(255) }),
  editedon: orNull(dateText()),
};

export const systemSettings = defineModel('system_settings', { key: optional(key(text(50))), value: text(), ...more });

export const contextSettings = defineModel('context_setting', {
  contextKey: key(text(191)),
  key: key(text(50)),
  value: orEmpty(text()),
  ...more,
});

const shown = ['key', 'value', 'namespace', 'xtype'] as const;

export type SettingRow = Pick<RowOf<typeof systemSettings>, (typeof shown)[number]>;
type ContextSettingRow = SettingRow & Pick<RowOf<typeof contextSettings>, 'contextKey'>;

interface SettingWrite {
  readonly key: string;
  readonly value: string;
  readonly kind: 'flag' | 'text';
}

const flagWidget = 'combo-boolean';
const longestKey = 50;
/** TEXT in system_settings; the MEDIUMTEXT of context_setting is kept to the same. */
const longestValue = 65_535;
const now = literal('CURRENT_TIMESTAMP');

export async function readSystemSettings(
  reader: Reader,
  prefix: string,
  keys?: readonly string[],
): Promise<SettingRow[]> {
  const how = { attributes: shown, order: ['key'] } as const;
  const rows = await systemSettings.on(reader, prefix).lookUpAll(keys === undefined ? {} : { key: keys }, how);
  // Old databases ignore case when they compare.
  return rows.filter((row) => keys?.includes(row.key) ?? true);
}

export async function readContextSettings(
  reader: Reader,
  prefix: string,
  { context, keys }: { readonly context?: string; readonly keys?: readonly string[] } = {},
): Promise<ContextSettingRow[]> {
  const asked = {
    ...(context === undefined ? {} : { contextKey: context }),
    ...(keys === undefined ? {} : { key: keys }),
  };
  const how = { attributes: ['contextKey', ...shown], order: ['contextKey', 'key'] } as const;
  const rows = await contextSettings.on(reader, prefix).lookUpAll(asked, how);
  return rows.filter(
    (row) => (keys?.includes(row.key) ?? true) && (context === undefined || row.contextKey === context),
  );
}

export function isFlag({ xtype }: SettingRow): boolean {
  return xtype === flagWidget;
}

export async function setSystemSetting(tx: Tx, prefix: string, setting: SettingWrite): Promise<void> {
  touch(tx, 'live');
  await systemSettings.on(tx, prefix).bulkCreate([newRow(setting)], { updateOnDuplicate: ['value', 'editedon'] });
}

export async function setContextSetting(
  tx: Tx,
  prefix: string,
  setting: SettingWrite & { readonly contextKey: string },
): Promise<void> {
  const row = { ...newRow(setting), contextKey: setting.contextKey };
  touch(tx, 'live');
  await contextSettings.on(tx, prefix).bulkCreate([row], { updateOnDuplicate: ['value', 'editedon'] });
}

export async function unsetSystemSetting(tx: Tx, prefix: string, name: string): Promise<boolean> {
  touch(tx, 'live');
  return (await systemSettings.on(tx, prefix).destroy({ where: { key: name } })) > 0;
}

export async function unsetContextSetting(
  tx: Tx,
  prefix: string,
  setting: { readonly contextKey: string; readonly key: string },
): Promise<boolean> {
  touch(tx, 'live');
  return (await contextSettings.on(tx, prefix).destroy({ where: setting })) > 0;
}

/** Our runtime settings have a namespace per API; the others belong to the CMS's core. */
export function settingNamespace(name: string): string {
  const api = ['gateway', 'media', 'pages', 'banners'].find((one) => name.startsWith(`${one}_`));
  return api === undefined ? 'core' : `hcd_${api}`;
}

/** SQLite stores any length, and old CMS databases cut long values. */
function newRow({ key: name, value, kind }: SettingWrite) {
  if (name === '' || [...name].length > longestKey) {
    throw invalidField('key', `must have 1 to ${longestKey} characters`);
  }
  if (Buffer.byteLength(value) > longestValue) {
    throw invalidField('value', `must not exceed ${longestValue} bytes`);
  }
  const xtype = kind === 'flag' ? flagWidget : 'textfield';
  return { key: name, value, xtype, namespace: settingNamespace(name), area: '', editedon: now };
}

export async function lockSystemSetting(
  tx: Tx,
  prefix: string,
  { key: name, initial }: { readonly key: string; readonly initial: string },
): Promise<string> {
  const settings = systemSettings.on(tx, prefix);
  // A missing row cannot be locked.
  await settings.bulkCreate([newRow({ key: name, value: initial, kind: 'text' })], { ignoreDuplicates: true });
  const [row] = await settings.lookUpAll({ key: name }, { attributes: ['value'], lock: true });
  return row?.value ?? '';
}

/** False when the stored text has changed: tables of old CMSs may have neither locks nor transactions. */
export async function replaceSystemSetting(
  tx: Tx,
  prefix: string,
  { key: name, from, to }: { readonly key: string; readonly from: string; readonly to: string },
): Promise<boolean> {
  const stored = literal(dialectOf(tx.dialect).exactText('`value`'));
  const isFrom = where(stored, tx.dialect === 'mariadb' ? cast(from, 'BINARY') : from);
  const changes = await systemSettings
    .on(tx, prefix)
    .update({ value: to, editedon: now }, { where: { key: name, [Op.and]: [isFrom] } });
  return changes > 0;
}
