/** `hcd token revoke`: revoke a page token. */
import {
  findToken,
  listTokens,
  revokeToken,
  type TokenSelector,
  type TokenView,
} from '../../src/identity/page-tokens/manage-tokens.js';
import { isoTime } from '../../src/values/dates.js';
import { defineSiteCommand } from '../command.js';
import { type Readable, required } from '../parameters.js';
import { tokenRecord } from './shared.js';

const idAccepts = 'the id or the prefix (pt_ and 8 hexadecimal digits) of a token';

/** Errors do not repeat the text: it may be the token itself. */
const selectorValue: Readable<TokenSelector> = {
  kind: 'text',
  accepts: idAccepts,
  parse(text) {
    if (/^pt_[0-9a-f]{8}$/.test(text)) return { ok: true, value: { prefix: text } };
    if (/^[1-9]\d{0,9}$/.test(text)) return { ok: true, value: { id: Number(text) } };
    return { ok: false, problem: `must be ${idAccepts} (see hcd token list)` };
  },
};

const tokenParameter = required(selectorValue, {
  placeholder: 'ID',
  description: 'Id or prefix of the token; the prefix is the part before the second underscore of the token',
});

export const command = defineSiteCommand({
  description:
    'Revokes a token permanently. Every server refuses it from the next request on, with 401. A revoked token stays in the list and cannot be restored.',
  arguments: { id: tokenParameter },
  examples: {
    'token revoke 3': 'Revoke the token with id 3',
    'token revoke pt_5f0c1f9e --yes': 'Revoke a leaked token by its prefix',
  },
  destructive: {},
  async run({ id }, deps) {
    const now = deps.clock.now();
    await deps.confirm(async () => {
      const { tokens } = await listTokens(deps.store, { env: deps.env, now });
      const token = findToken(tokens, id);
      const used = token.lastUsed === null ? 'never used' : `last used ${isoTime(token.lastUsed)}`;
      return token.state === 'revoked' ? null : `Revoke ${title(token)} (${used}) permanently?`;
    });
    const { token, wasRevoked } = await revokeToken(deps.store, { selector: id, env: deps.env, now });
    const message = wasRevoked
      ? `Already revoked at ${isoTime(token.revoked)}: ${title(token)}. Nothing to do.`
      : `Revoked ${title(token)}. Servers refuse it from the next request on.`;
    return { kind: 'done', message, data: tokenRecord(token) };
  },
});

function title({ id, name, prefix }: TokenView): string {
  return `token ${id}${name === null ? '' : ` "${name}"`} (${prefix})`;
}
