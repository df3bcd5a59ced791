/**
 * The audit log of banners (docs/reference/banners.md#audit-entries): each write to a banner, position, preset or
 * conversion leaves one entry in its own transaction, by which the write is found when the answer to its COMMIT is lost.
 * After an update the payload has only what differs; a banner that is created or removed is in it as a whole.
 */
import { Op } from 'sequelize';
import { randomId } from '../../crypto/random.js';
import { AppError } from '../../errors/app-error.js';
import type { Tx } from '../../store/base/database.js';
import { touch } from '../../store/base/transaction.js';
import { fromNow } from '../../store/models/database-time.js';
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

/** Who writes: the API or a command. */
export type WriterName = 'rest-api' | 'cli';

export interface NotedWrite {
  readonly entity: (typeof auditEntities)[number];
  readonly id: number;
  /** The name of what was written; of a click that of its banner. */
  readonly label: string;
  readonly action: (typeof auditActions)[number];
  readonly username: WriterName;
  /** Null or absent: the record did not exist before, or no longer exists. */
  readonly before?: object | null;
  readonly after?: object | null;
}

/** Adds the entry of the write. Work that changes something calls it once, other work never. */
export type Note = (write: NotedWrite) => Promise<void>;

/**
 * The result of the work once it is committed. When the answer to COMMIT is lost, the entry shows whether the write took
 * effect: no write is made twice, and none that took effect is reported as failed while the database can be asked.
 */
export async function writeNoted<T extends object | null>(
  own: Pick<BannerStore['own'], 'write'>,
  work: (tx: Tx, note: Note) => Promise<T>,
): Promise<T> {
  const writeId = randomId();
  const last: { result?: T } = {};
  // Asked in a transaction: a replica may not have the entry yet.
  const isThere = async (tx: Tx): Promise<boolean> => (await audit.on(tx).lookUp({ writeId })) !== null;
  try {
    return await own.write(
      async (tx) => {
        const result = await work(tx, (write) => addEntry(tx, write, writeId));
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

async function addEntry(tx: Tx, write: NotedWrite, writeId: string): Promise<void> {
  const { entity, id, label, action, username } = write;
  if (entity === 'ad' || entity === 'position') touch(tx, 'banners');
  const payload = payloadOf(write);
  await audit
    .on(tx)
    .create({ entity, entityId: id, label, action, username, payload, writeId, createdOn: fromNow(tx) });
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
  /** Null = all. */
  readonly entity: string | null;
  readonly action: string | null;
  readonly sort: 'id' | 'entity' | 'action' | 'createdOn' | 'username';
}

/** Entries of one page, and the number of all that match. */
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

export type AuditRecord = Awaited<ReturnType<typeof listAudit>>['rows'][number];

/** Entries of one transaction, so that other writers do not wait for long. */
const together = 1000;

/**
 * Removes entries of that age in days (0 = none) until the signal aborts, and gives how many. Entries about the removal of
 * banners and positions stay: statistics take the names of removed ones from them. Interrupted work may be repeated.
 */
export async function pruneBannerAudit(
  { own }: BannerStore,
  { days, signal }: { readonly days: number; readonly signal: AbortSignal },
): Promise<number> {
  const isRemoval = { action: 'delete', entity: ['ad', 'position'] };
  let all = 0;
  let removed = days === 0 ? 0 : together;
  for (; removed === together && !signal.aborted; all += removed) {
    removed = await own.write(
      (tx) => {
        const where = { createdOn: { [Op.lt]: fromNow(tx, -days * dayMs) }, [Op.not]: isRemoval };
        return audit.on(tx).destroy({ where, limit: together });
      },
      { outcome: async () => undefined },
    );
  }
  return all;
}
