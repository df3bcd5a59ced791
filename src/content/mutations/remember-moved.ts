/** Keeps the addresses that published pages leave behind (docs/gateway.md#moved-pages). */
import type { Tx } from '../../store/base/database.js';
import type { RowChange } from '../live/mutation.js';
import { type NewRedirect, removeRedirectsTo, writeRedirects } from '../models/redirects.js';
import type { MutationListeners } from './run-mutation.js';

const permanent = 301;

/** A resource with its `uri`, `context_key`, `published` and `deleted` before and after. */
type SeenChange = Pick<RowChange, 'before' | 'after'> & { readonly id: number };

/** In a transaction on our own tables. */
export async function rememberMoved(tx: Tx, changes: readonly SeenChange[]): Promise<void> {
  const left: NewRedirect[] = [];
  const removed: number[] = [];
  for (const { id, before, after } of changes) {
    if (before === null) continue;
    if (after === null) removed.push(id);
    const { uri: source, context_key: context } = before;
    const isShown = before['published'] === true && before['deleted'] !== true;
    if (after === null || !isShown || typeof source !== 'string' || typeof context !== 'string') continue;
    // The home page of a site may have no address of its own.
    if (source === '' || (source === after['uri'] && context === after['context_key'])) continue;
    left.push({ context, source, resource: id, target: null, status: permanent });
  }
  if (removed.length > 0) await removeRedirectsTo(tx, removed);
  if (left.length > 0) await writeRedirects(tx, left);
}

export function keepOldAddresses(): MutationListeners {
  return {
    async announce(tx, { rows }) {
      const resources = rows.filter(({ object }) => object === 'resources');
      await rememberMoved(
        tx,
        resources.map(({ key, before, after }) => ({ id: Number(key), before, after })),
      );
    },
  };
}
