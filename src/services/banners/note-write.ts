/**
 * The audit entry of a write to banners, positions and presets: one for each, in its own transaction (contract 3.6).
 * After an update the payload has what differs only; a banner that is made or removed is there as a whole.
 */
import type { Tx } from '../../store/database.js';
import { insertAdAudit } from '../../store/rows/ad-audit.js';

/** The API calls presets templates. */
export const auditEntities = ['ad', 'position', 'template'] as const;

export const auditActions = [
  'create',
  'create_from_template',
  'duplicate',
  'update',
  'enable',
  'disable',
  'delete',
  'link',
  'unlink',
  'order',
] as const;

/** Who writes: the API, or somebody at the command line (contract 3.6). */
export type WriterName = 'rest-api' | 'cli';

export interface NotedWrite {
  readonly entity: (typeof auditEntities)[number];
  readonly id: number;
  /** The name of what was written. */
  readonly label: string;
  readonly action: (typeof auditActions)[number];
  readonly username: WriterName;
  readonly before: object | null;
  readonly after: object | null;
}

export async function noteWrite(tx: Tx, write: NotedWrite): Promise<void> {
  const { entity, id, label, action, username } = write;
  await insertAdAudit(tx, { entity, entityId: id, label, action, username, payload: JSON.stringify(payloadOf(write)) });
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
