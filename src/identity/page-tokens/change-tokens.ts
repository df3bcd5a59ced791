/**
 * Changes the list of page tokens. The list is one setting, so all who change it take turns: when two processes change
 * it at the same moment, both changes are in the list afterwards (docs/reference/pages.md#tokens-in-the-store).
 */
import { decodePageTokens, formatPageTokens, type PageToken } from '../../config/page-token-list.js';
import { lockSystemSetting, replaceSystemSetting } from '../../content/models/settings.js';
import { AppError } from '../../errors/app-error.js';
import type { Tx } from '../../store/base/database.js';
import { type ContentStore, tokensKey, unreadableList } from './token-settings.js';

export interface TokensChange<T> {
  /** The whole new list; null leaves it as it is. */
  readonly tokens: readonly PageToken[] | null;
  readonly result: T;
}

/** Runs `work` on the list of this moment, again when need be; so it must be harmless to repeat. */
export type TokensWork<T> = (tokens: readonly PageToken[], tx: Tx) => TokensChange<T> | Promise<TokensChange<T>>;

/** Only tables without transactions let anybody get in between, and nobody does so often. */
const mostAttempts = 100;

/** Gives the result of the work. Throws refused when the stored list cannot be understood. */
export async function changeTokens<T>({ content, prefix }: ContentStore, work: TokensWork<T>): Promise<T> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    // Whatever the work does is harmless to repeat, so an unknown outcome is too.
    const done = await content.write((tx) => tryChange(tx, { prefix, work }), { outcome: async () => undefined });
    if (done !== 'overtaken') return done.result;
  }
  throw new AppError('conflict', { message: `The setting ${tokensKey} is changed by others all the time; try again` });
}

async function tryChange<T>(
  tx: Tx,
  { prefix, work }: { readonly prefix: string; readonly work: TokensWork<T> },
): Promise<TokensChange<T> | 'overtaken'> {
  const from = await lockSystemSetting(tx, prefix, { key: tokensKey, initial: formatPageTokens([]) });
  const tokens = decodePageTokens(from);
  if (tokens === null) throw unreadableList();
  const change = await work(tokens, tx);
  const to = change.tokens === null ? from : formatPageTokens(change.tokens);
  if (to === from || (await replaceSystemSetting(tx, prefix, { key: tokensKey, from, to }))) return change;
  return 'overtaken';
}
