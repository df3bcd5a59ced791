/**
 * Writes to banners, positions, presets and conversions: each leaves one audit entry in its own transaction
 * (docs/reference/banners.md#audit-entries), by which it is found when it is unknown whether the transaction was
 * committed. After an update the payload has what differs only; a banner that is made or removed is there as a whole.
 */
import { randomId } from '../../crypto/random.js';
import { AppError } from '../../errors/app-error.js';
import type { Tx } from '../../store/base/database.js';
import { hasAdWrite, insertAdAudit } from '../rows/ad-audit.js';
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
  readonly before: object | null;
  readonly after: object | null;
}

/** Leaves the entry of the write. What changes nothing calls it never, everything else once. */
export type Note = (write: NotedWrite) => Promise<void>;

/**
 * The result of the work once it is committed. When the answer to COMMIT was lost, the entry tells whether it took
 * effect: no write is made twice, and none that was made is told as failed while the database can be asked.
 */
export async function writeNoted<T extends object | null>(
  own: Pick<BannerStore['own'], 'write'>,
  work: (tx: Tx, note: Note) => Promise<T>,
): Promise<T> {
  const writeId = randomId();
  const last: { result?: T } = {};
  try {
    return await own.write(
      async (tx) => {
        const result = await work(tx, (write) => insertNote(tx, write, writeId));
        last.result = result;
        return result;
      },
      { outcome: async (tx) => ((await hasAdWrite(tx, writeId)) ? last.result : undefined) },
    );
  } catch (error) {
    // The lost COMMIT may take effect after it was looked for: the repeated work then finds its own trace.
    const { result } = last;
    if (result === undefined || !(error instanceof AppError) || error.code !== 'conflict') throw error;
    if (await own.write((tx) => hasAdWrite(tx, writeId))) return result;
    throw error;
  }
}

function insertNote(tx: Tx, write: NotedWrite, writeId: string): Promise<void> {
  const { entity, id, label, action, username } = write;
  const payload = JSON.stringify(payloadOf(write));
  return insertAdAudit(tx, { entity, entityId: id, label, action, username, payload, writeId });
}

function payloadOf({ before, after }: NotedWrite): { readonly before: object | null; readonly after: object | null } {
  if (before === null || after === null) return { before, after };
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter(
    (name) => JSON.stringify(was.get(name)) !== JSON.stringify(is.get(name)),
  );
  const only = (all: ReadonlyMap<string, unknown>): object =>
    Object.fromEntries(changed.filter((name) => all.has(name)).map((name) => [name, all.get(name)]));
  return { before: only(was), after: only(is) };
}
