/** The audit log. The clock of the database decides when a request ended and what is old. */
import { Op, type WhereOptions } from 'sequelize';
import type { Reader, Tx } from '../../store/base/database.js';
import { fromNow, id, integer, text, time } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';

export type AuditRow = RowOf<typeof auditRows>;

export const auditRows = defineModel('hcd_audit', {
  id: id(),
  requestId: text(64),
  /** `api_key:<id>`, `access_token:<id>`, `session:<user id>`, `anonymous` or `studio`. */
  identity: text(190),
  method: text(8),
  path: text(2048),
  /** Empty unless the request named the key of a context. */
  context: text(64),
  status: integer(),
  durationMs: integer(),
  createdOn: time(),
});

export interface NewAuditRow extends Omit<AuditRow, 'id' | 'createdOn'> {
  readonly age: number;
}

/** Milliseconds by which the clocks of two attempts may differ. */
const tolerance = 500;

export async function insertAuditRows(tx: Tx, rows: readonly NewAuditRow[]): Promise<void> {
  await auditRows.on(tx).bulkCreate(rows.map(({ age, ...row }) => ({ ...row, createdOn: fromNow(tx, -age) })));
}

/** The time counts too, because callers may choose request ids. */
export async function hasAuditRow(
  reader: Reader,
  { age, requestId, identity, method, path }: NewAuditRow,
): Promise<boolean> {
  const createdOn = { [Op.between]: [fromNow(reader, -age - tolerance), fromNow(reader, tolerance - age)] };
  const where = { requestId, identity, method, path, createdOn } as const;
  return (await auditRows.on(reader).findOne({ attributes: ['id'], where })) !== null;
}

export interface AuditFilter {
  readonly since: number | null;
  readonly identity: string | null;
  readonly method: string | null;
  readonly status: readonly [from: number, to: number] | null;
  readonly requestId: string | null;
}

export function whereAudit({ since, identity, method, status, requestId }: AuditFilter): WhereOptions<AuditRow> {
  return {
    ...(since === null ? {} : { createdOn: { [Op.gte]: since } }),
    ...(identity === null ? {} : { identity: fittingIdentity(identity) }),
    ...(method === null ? {} : { method }),
    ...(status === null ? {} : { status: { [Op.between]: [...status] } }),
    ...(requestId === null ? {} : { requestId }),
  };
}

/** A kind is everything from `api_key:` to just before `api_key;`, so that the index serves it. */
function fittingIdentity(identity: string) {
  const isWhole = identity === 'anonymous' || identity === 'studio' || identity.includes(':');
  return isWhole ? identity : { [Op.gte]: `${identity}:`, [Op.lt]: `${identity};` };
}
