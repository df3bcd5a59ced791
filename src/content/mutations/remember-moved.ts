/** Keeps the addresses that published pages leave behind (docs/gateway.md#moved-pages). */
import type { Tx } from '../../store/base/database.js';
import type { Mutation } from '../live/mutation.js';
import { type NewRedirect, removeRedirectsTo, writeRedirects } from '../models/redirects.js';

const permanent = 301;

/** In a transaction on our own tables. */
export async function rememberMoved(tx: Tx, { rows }: Pick<Mutation, 'rows'>): Promise<void> {
  const left: NewRedirect[] = [];
  const removed: number[] = [];
  for (const { object, key, before, after } of rows) {
    if (object !== 'resources' || before === null) continue;
    const id = Number(key);
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
