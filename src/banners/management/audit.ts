/** The audit log: each write adds an entry in its transaction (docs/banners.md#positions-templates-audit-log). */
import { Op } from 'sequelize';
import { randomId } from '../../crypto/primitives.js';
import { AppError } from '../../errors/app-error.js';
import { repeatable, type Tx } from '../../store/base/database.js';
import { touch, writeInBatches } from '../../store/base/transaction.js';
import { fromNow } from '../../store/models/columns.js';
import { dayMs, isoTimeOfMs } from '../../values/dates.js';
import { audit } from '../models/audit.js';
import { type Condition, type Page, readPage } from '../models/page.js';
import type { BannerStore } from './banner-store.js';

/** The API calls presets templates. */
export const auditEntities = ['ad', 'position', 'template', 'click'] as const;

export const auditActions = [
  'create',
  'create_from_template',
  'duplicate',
  'update',
  'enable',
  'disable',
  'delete',
  'conversion',
  'link',
  'unlink',
  'order',
] as const;

export type WriterName = 'rest-api' | 'cli' | 'studio';

export interface NotedWrite {
  readonly entity: (typeof auditEntities)[number];
  readonly id: number;
  /** The name of what was written; for a click, the name of its banner. */
  readonly label: string;
  readonly action: (typeof auditActions)[number];
  /** Null or absent: the record did not exist before, or no longer exists. */
  readonly before?: object | null;
  readonly after?: object | null;
}

/** Adds the entry. Work that changes something calls it exactly once; other work never calls it. */
export type Note = (write: NotedWrite) => Promise<void>;

/** Runs the work. When the answer to COMMIT is lost, the entry shows whether the write took effect. */
export async function writeNoted<T extends object | null>(
  { own, username }: { readonly own: Pick<BannerStore['own'], 'write'>; readonly username: WriterName },
  work: (tx: Tx, note: Note) => Promise<T>,
): Promise<T> {
  const writeId = randomId();
  const last: { result?: T } = {};
  // A replica may not have the entry yet, so a transaction looks it up.
  const isThere = async (tx: Tx): Promise<boolean> => (await audit.on(tx).lookUp({ writeId })) !== null;
  try {
    return await own.write(
      async (tx) => {
        const result = await work(tx, (write) => addEntry(tx, write, { username, writeId }));
        last.result = result;
        return result;
      },
      { outcome: async (tx) => ((await isThere(tx)) ? last.result : undefined) },
    );
  } catch (error) {
    // A lost COMMIT can take effect after the entry was looked for: the repeated work then finds its own trace.
    const { result } = last;
    if (result === undefined || !(error instanceof AppError) || error.code !== 'conflict') throw error;
    if (await own.write(isThere)) return result;
    throw error;
  }
}

async function addEntry(tx: Tx, write: NotedWrite, by: { username: WriterName; writeId: string }): Promise<void> {
  const { entity, id, label, action } = write;
  if (entity === 'ad' || entity === 'position') touch(tx, 'banners');
  const payload = payloadOf(write);
  await audit.on(tx).create({ entity, entityId: id, label, action, payload, ...by, createdOn: fromNow(tx) });
}

function payloadOf({ before = null, after = null }: NotedWrite): {
  readonly before: object | null;
  readonly after: object | null;
} {
  if (before === null || after === null) return { before, after };
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter(
    (name) => JSON.stringify(was.get(name)) !== JSON.stringify(is.get(name)),
  );
  const only = (all: ReadonlyMap<string, unknown>): object =>
    Object.fromEntries(changed.filter((name) => all.has(name)).map((name) => [name, all.get(name)]));
  return { before: only(was), after: only(is) };
}

interface AuditQuestion extends Page {
  readonly entity: string | null;
  readonly action: string | null;
  readonly sort: 'id' | 'entity' | 'action' | 'createdOn' | 'username';
}

export async function listAudit({ own }: BannerStore, { entity, action, ...page }: AuditQuestion) {
  const conditions: readonly Condition[] = [
    ...(entity === null ? [] : [['`entity` = ?', [entity]] as const]),
    ...(action === null ? [] : [['`action` = ?', [action]] as const]),
  ];
  const { rows, total } = await readPage(own.primary, audit, { ...page, conditions, isWhole: true });
  const entries = rows.map((row) => ({
    id: row.id,
    entity: row.entity,
    entity_id: row.entityId,
    label: row.label,
    action: row.action,
    created_at: isoTimeOfMs(row.createdOn),
    username: row.username,
    payload: row.payload,
  }));
  return { rows: entries, total };
}

/** Keeps entries about removed banners and positions, whose names statistics read. `days`: 0 = prune nothing. */
export async function pruneBannerAudit(
  { own }: BannerStore,
  { days, signal }: { readonly days: number; readonly signal: AbortSignal },
): Promise<number> {
  if (days === 0) return 0;
  const isRemoval = { action: 'delete', entity: ['ad', 'position'] };
  const remove = (tx: Tx, limit: number) => {
    const where = { createdOn: { [Op.lt]: fromNow(tx, -days * dayMs) }, [Op.not]: isRemoval };
    return audit.on(tx).destroy({ where, limit });
  };
  return writeInBatches(own, remove, { ...repeatable, stop: signal });
}
