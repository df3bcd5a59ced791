/** Rows of `hcd_ad_audit`: what was written to banners, positions and presets, by whom, with the values before and after. */
import { touch } from '../../store/base/commits.js';
import type { Param, RawRow, Reader, Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/state/ledger.js';

export interface NewAdAuditRow {
  readonly entity: string;
  readonly entityId: number | null;
  readonly label: string;
  readonly action: string;
  readonly username: string;
  /** JSON text. */
  readonly payload: string;
  /** Unique to the write. */
  readonly writeId: string;
}

export interface AdAuditRow extends Omit<NewAdAuditRow, 'writeId'> {
  readonly id: number;
  /** Unix milliseconds. */
  readonly createdOn: number;
}

export interface AdAuditFilter {
  readonly entity: string | null;
  readonly action: string | null;
}

export type AdAuditSort = 'id' | 'entity' | 'action' | 'created_on' | 'username';

export interface AdAuditPage {
  readonly sort: AdAuditSort;
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

const columns = '`id`, `entity`, `entity_id`, `label`, `action`, `created_on`, `username`, `payload`';

/** The moment is the one of the database's clock. */
export async function insertAdAudit(tx: Tx, row: NewAdAuditRow): Promise<void> {
  if (row.entity === 'ad' || row.entity === 'position') touch(tx, 'banners');
  await tx.run({
    sql: `INSERT INTO \`hcd_ad_audit\` (\`entity\`, \`entity_id\`, \`label\`, \`action\`, \`username\`, \`payload\`, \`write_id\`, \`created_on\`) VALUES (?, ?, ?, ?, ?, ?, ?, ${nowMilliseconds(tx.dialect)})`,
    params: [row.entity, row.entityId, row.label, row.action, row.username, row.payload, row.writeId],
  });
}

/** Whether the write is there, asked in a transaction: a replica may not have it yet. */
export async function hasAdWrite(tx: Tx, writeId: string): Promise<boolean> {
  const rows = await tx.select({ sql: 'SELECT `id` FROM `hcd_ad_audit` WHERE `write_id` = ?', params: [writeId] });
  return rows.length > 0;
}

export interface OldAdAudit {
  /** Milliseconds. */
  readonly olderThan: number;
  readonly most: number;
}

/**
 * Removes the oldest entries that are older than so many milliseconds, so many at most; gives how many there were. Those
 * of removals of banners and positions stay: from them statistics have the names of what is gone.
 */
export async function removeOldAdAudit(tx: Tx, { olderThan, most }: OldAdAudit): Promise<number> {
  // The inner table makes MariaDB take a LIMIT here.
  const old = `SELECT \`id\` FROM (SELECT \`id\` FROM \`hcd_ad_audit\` WHERE \`created_on\` < ${nowMilliseconds(tx.dialect)} - ? AND NOT (\`action\` = 'delete' AND \`entity\` IN ('ad', 'position')) ORDER BY \`created_on\`, \`id\` LIMIT ?) AS \`old\``;
  const sql = `DELETE FROM \`hcd_ad_audit\` WHERE \`id\` IN (${old})`;
  return (await tx.run({ sql, params: [olderThan, most] })).changes;
}

export async function readAdAudit(reader: Reader, filter: AdAuditFilter, page: AdAuditPage): Promise<AdAuditRow[]> {
  const { where, params } = conditionOf(filter);
  const direction = page.descending ? 'DESC' : 'ASC';
  // Rows of one value follow in the direction of the whole list: the newest first by default.
  const order = page.sort === 'id' ? `\`id\` ${direction}` : `\`${page.sort}\` ${direction}, \`id\` ${direction}`;
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_ad_audit\`${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
    params: [...params, page.limit, page.offset],
    heavy: { over: 'hcd_ad_audit' },
  });
  return rows.map(decode);
}

export async function countAdAudit(reader: Reader, filter: AdAuditFilter): Promise<number> {
  const { where, params } = conditionOf(filter);
  const heavy = { over: 'hcd_ad_audit' };
  const rows = await reader.select({ sql: `SELECT COUNT(*) FROM \`hcd_ad_audit\`${where}`, params, heavy });
  return Number(rows[0]?.[0] ?? 0);
}

function conditionOf({ entity, action }: AdAuditFilter): { readonly where: string; readonly params: readonly Param[] } {
  const parts = [
    ...(entity === null ? [] : [['`entity` = ?', entity] as const]),
    ...(action === null ? [] : [['`action` = ?', action] as const]),
  ];
  return {
    where: parts.length === 0 ? '' : ` WHERE ${parts.map(([sql]) => sql).join(' AND ')}`,
    params: parts.map(([, value]) => value),
  };
}

function decode([id, entity, entityId, label, action, createdOn, username, payload]: RawRow): AdAuditRow {
  return {
    id: Number(id),
    entity: String(entity),
    entityId: entityId === null || entityId === undefined ? null : Number(entityId),
    label: String(label),
    action: String(action),
    createdOn: Number(createdOn),
    username: String(username),
    payload: String(payload),
  };
}
