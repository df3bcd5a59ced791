/** Old addresses of pages. A redirect that leads to a page names its id, and so follows the page when it moves. */
import { sha256Hex } from '../../crypto/primitives.js';
import type { Tx } from '../../store/base/database.js';
import { fromNow, id, integer, orNull, text, time } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';
import { batchesOf } from '../../values/batches.js';
import { trimOf } from '../../values/text.js';

export const redirects = defineModel('hcd_redirects', {
  id: id(),
  digest: text(64),
  context: text(100),
  source: text(),
  resource: orNull(integer()),
  /** An address outside the context; null with a resource. */
  target: orNull(text()),
  status: integer(),
  createdOn: time(),
});

export type RedirectRow = RowOf<typeof redirects>;
export type NewRedirect = Pick<RedirectRow, 'context' | 'source' | 'resource' | 'target' | 'status'>;

/** Slashes at the ends do not count. */
export function redirectDigest(context: string, source: string): string {
  return sha256Hex(`${context}\n${trimOf(source, '/')}`);
}

/** Replaces redirects of the same addresses. */
export async function writeRedirects(tx: Tx, rows: readonly NewRedirect[]): Promise<void> {
  const byDigest = new Map(rows.map((row) => [redirectDigest(row.context, row.source), row]));
  const createdOn = fromNow(tx);
  for (const some of batchesOf([...byDigest])) {
    await redirects.on(tx).bulkCreate(
      some.map(([digest, row]) => ({ ...row, digest, createdOn })),
      { conflictAttributes: ['digest'], updateOnDuplicate: ['source', 'resource', 'target', 'status', 'createdOn'] },
    );
  }
}

export async function removeRedirectsTo(tx: Tx, resources: readonly number[]): Promise<void> {
  for (const some of batchesOf(resources)) await redirects.on(tx).destroy({ where: { resource: [...some] } });
}
