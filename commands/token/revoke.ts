/** `hcd token revoke ID`: revokes a page token. */
import { findToken, listTokens, revokeToken, type TokenView } from '../../src/identity/page-tokens/manage-tokens.js';
import { isoTime } from '../../src/values/dates.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import type { Deps } from '../deps.js';
import { tokenParameter, tokenRecord } from './shared.js';

export const command = defineCommand({
  path: 'token revoke',
  summary: 'Revoke a page token',
  description:
    'Revokes a token permanently. Every server refuses it from the next request on, with 401. A revoked token stays in the list and cannot be restored.',
  arguments: { id: tokenParameter },
  options: {},
  examples: [
    { line: 'token revoke 3', does: 'Revoke the token with id 3' },
    { line: 'token revoke pt_5f0c1f9e --yes', does: 'Revoke a leaked token by its prefix' },
  ],
  destructive: {},
  async run({ id }, deps) {
    const store = await deps.openReady();
    const { env } = deps;
    if (deps.prompt.isInteractive) {
      const { tokens } = await listTokens(store, { env, now: deps.clock.now() });
      await confirm(deps, findToken(tokens, id));
    }
    const { token, wasRevoked } = await revokeToken(store, { selector: id, env, now: deps.clock.now() });
    const message = wasRevoked
      ? `Already revoked at ${isoTime(token.revoked)}: ${title(token)}. Nothing to do.`
      : `Revoked ${title(token)}. Servers refuse it from the next request on.`;
    return { kind: 'done', message, data: tokenRecord(token) };
  },
});

async function confirm(deps: Deps, token: TokenView): Promise<void> {
  if (token.state === 'revoked') return;
  const used = token.lastUsed === null ? 'never used' : `last used ${isoTime(token.lastUsed)}`;
  await confirmChange(deps, `Revoke ${title(token)} (${used}) permanently?`);
}

function title({ id, name, prefix }: TokenView): string {
  return `token ${id}${name === null ? '' : ` "${name}"`} (${prefix})`;
}
