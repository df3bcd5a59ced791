/**
 * A system setting that several processes change at the same time: locked, read and replaced in one transaction. The
 * replacement compares as well, for tables of old content systems whose engine knows neither locks nor transactions.
 */
import type { Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { settingNamespace } from './settings.js';

export interface LockedSetting {
  readonly key: string;
  /** The value of a row that has to be made for the lock. */
  readonly initial: string;
}

/** The stored text; until the transaction ends no other one gets past this for the same key. */
export async function lockSystemSetting(tx: Tx, prefix: string, { key, initial }: LockedSetting): Promise<string> {
  const table = `\`${prefix}system_settings\``;
  const columns = '`key`, `value`, `xtype`, `namespace`, `area`, `editedon`';
  // A row that is not there cannot be locked. On MariaDB the clause locks one that is there, too.
  const unlessThere =
    tx.dialect === 'mariadb' ? 'ON DUPLICATE KEY UPDATE `key` = VALUES(`key`)' : 'ON CONFLICT (`key`) DO NOTHING';
  await tx.run({
    sql: `INSERT INTO ${table} (${columns}) VALUES (?, ?, 'textfield', ?, '', CURRENT_TIMESTAMP) ${unlessThere}`,
    params: [key, initial, settingNamespace(key)],
  });
  const locking = tx.dialect === 'mariadb' ? ' FOR UPDATE' : '';
  const rows = await tx.select({ sql: `SELECT \`value\` FROM ${table} WHERE \`key\` = ?${locking}`, params: [key] });
  const [value] = rows[0] ?? [];
  return value === null || value === undefined ? '' : String(value);
}

/** Stores another text in the place of `from`; false when something else stands there by now. */
export async function replaceSystemSetting(
  tx: Tx,
  prefix: string,
  change: { readonly key: string; readonly from: string; readonly to: string },
): Promise<boolean> {
  const { exactText, exactMark } = dialectOf(tx.dialect);
  const { changes } = await tx.run({
    sql: `UPDATE \`${prefix}system_settings\` SET \`value\` = ?, \`editedon\` = CURRENT_TIMESTAMP WHERE \`key\` = ? AND ${exactText('`value`')} = ${exactMark}`,
    params: [change.to, change.key, change.from],
  });
  return changes > 0;
}
