/** Lists the audit log, and removes old rows in small batches, so that other writers do not wait long. */
import { Op } from 'sequelize';
import { randomId } from '../../crypto/primitives.js';
import type { Reader, Tx } from '../../store/base/database.js';
import { fromNow } from '../../store/models/columns.js';
import type { Store } from '../../store/open/open.js';
import { dayMs } from '../../values/dates.js';
import {
  type AuditFilter,
  type AuditRow,
  auditRows,
  insertAuditRows,
  type NewAuditRow,
  whereAudit,
} from '../models/audit.js';

export type { AuditFilter, AuditRow } from '../models/audit.js';

export async function listAudit(
  { own }: Store,
  { filter, ...page }: { readonly filter: AuditFilter; readonly limit: number; readonly offset: number },
) {
  const rows = await newestAuditRows(own.primary, filter, page);
  const isWhole = page.offset === 0 && rows.length < page.limit;
  const total = isWhole ? rows.length : await countAuditRows(own.primary, filter);
  return { rows, total };
}

export function newestAuditRows(
  reader: Reader,
  filter: AuditFilter,
  part: { readonly limit: number; readonly offset?: number },
): Promise<AuditRow[]> {
  const order: [string, string][] = ['createdOn', 'id'].map((name) => [name, 'DESC']);
  return auditRows.on(reader).findAll({ where: whereAudit(filter), order, ...part });
}

function countAuditRows(reader: Reader, filter: AuditFilter): Promise<number> {
  return auditRows.on(reader).count({ where: whereAudit(filter) });
}

const batchSize = 1000;

interface AuditPruning {
  readonly days: number;
  readonly most?: number;
  readonly signal?: AbortSignal;
}

export async function pruneAudit({ own }: Pick<Store, 'own'>, pruning: AuditPruning): Promise<number> {
  const { days, most = Number.POSITIVE_INFINITY, signal } = pruning;
  let removed = 0;
  while (removed < most && signal?.aborted !== true) {
    const batch = Math.min(batchSize, most - removed);
    const gone = await own.write((tx) => removeOldest(tx, { days, most: batch }), {
      outcome: async () => undefined,
    });
    removed += gone;
    if (gone < batch) break;
  }
  return removed;
}

async function removeOldest(tx: Tx, { days, most }: { readonly days: number; readonly most: number }): Promise<number> {
  const where = olderThan(tx, days);
  const rows = await auditRows.on(tx).findAll({ attributes: ['id'], where, order: ['createdOn', 'id'], limit: most });
  return auditRows.on(tx).destroy({ where: { id: rows.map(({ id }) => id) } });
}

export function countPrunable({ own }: Pick<Store, 'own'>, { days }: Pick<AuditPruning, 'days'>): Promise<number> {
  return auditRows.on(own.primary).count({ where: olderThan(own.primary, days) });
}

function olderThan(reader: Pick<Reader, 'dialect'>, days: number) {
  return { createdOn: { [Op.lt]: fromNow(reader, -days * dayMs) } };
}

const longestPath = 2048;

/** A command that was run from a browser, with a status as over HTTP: 200, 409, 422. */
export async function noteCommand(
  { own }: Pick<Store, 'own'>,
  { line, durationMs, ...row }: Pick<NewAuditRow, 'identity' | 'status' | 'durationMs'> & { readonly line: string },
): Promise<void> {
  const path = `hcd ${line}`.slice(0, longestPath);
  const given = { ...row, path, method: 'RUN', context: '', requestId: randomId(), age: 0 };
  await own.write((tx) => insertAuditRows(tx, [{ ...given, durationMs: Math.max(0, Math.round(durationMs)) }]));
}
