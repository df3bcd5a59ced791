/** Ends a token for `hcd token revoke`. */
import { revokeToken } from '../../src/identity/page-tokens/revoke-token.js';
import {
  findToken,
  listTokens,
  type TokenSelector,
  type TokenView,
} from '../../src/identity/page-tokens/token-view.js';
import { confirmChange } from '../confirm.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { isoTime, tokenRecord } from './token-record.js';

export async function runRevoke({ id }: { readonly id: TokenSelector }, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  const { env } = deps;
  if (deps.prompt.isInteractive) {
    const { tokens } = await listTokens(store, { env, now: deps.clock.now() });
    await confirm(deps, findToken(tokens, id));
  }
  const { token, wasRevoked } = await revokeToken(store, { selector: id, env, now: deps.clock.now() });
  const message = wasRevoked
    ? `Nothing to do: ${title(token)} was revoked at ${isoTime(token.revoked)}.`
    : `Revoked ${title(token)}. Servers refuse it from the next request on.`;
  return { kind: 'done', message, data: tokenRecord(token) };
}

async function confirm(deps: Deps, token: TokenView): Promise<void> {
  if (token.state === 'revoked') return;
  const used = token.lastUsed === null ? 'never used' : `last used ${isoTime(token.lastUsed)}`;
  await confirmChange(deps, `Revoke ${title(token)} (${used}) for good?`);
}

function title({ id, name, prefix }: TokenView): string {
  return `token ${id}${name === null ? '' : ` "${name}"`} (${prefix})`;
}
