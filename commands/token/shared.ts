/** What the commands for page tokens share: arguments and records. */
import { choiceValue, listValue, type ValueType } from '../../src/config/value-type.js';
import type { IssuedToken, TokenSelector, TokenView } from '../../src/identity/page-tokens/manage-tokens.js';
import { pageScopes } from '../../src/identity/page-tokens/token-settings.js';
import { isoTime } from '../../src/values/dates.js';
import { required } from '../parameters.js';
import type { JsonRecord } from '../result.js';

const idAccepts = 'the id or the prefix (pt_ and 8 hexadecimal digits) of a token';

/** Errors do not repeat the text: it may be the token itself. */
const selectorValue: ValueType<TokenSelector> = {
  kind: 'text',
  accepts: idAccepts,
  parse(text) {
    if (/^pt_[0-9a-f]{8}$/.test(text)) return { ok: true, value: { prefix: text } };
    if (/^[1-9]\d{0,9}$/.test(text)) return { ok: true, value: { id: Number(text) } };
    return { ok: false, problem: `must be ${idAccepts} (see hcd token list)` };
  },
  format: (selector) => ('id' in selector ? String(selector.id) : selector.prefix),
};

export const tokenParameter = required(selectorValue, {
  placeholder: 'ID',
  description: 'Id or prefix of the token; the prefix is the part before the second underscore of the token',
});

export const scopesValue = listValue(choiceValue(pageScopes), {
  min: 1,
  accepts: `a comma list of ${pageScopes.join(' and ')}`,
});

/** A token with its secret: the only record that has it. */
export function issuedRecord({ id, name, token, prefix, scopes, expires }: IssuedToken): JsonRecord {
  return { id, name, token, prefix, scopes, expires: isoTime(expires) };
}

export function tokenRecord(token: TokenView): JsonRecord {
  return {
    id: token.id,
    name: token.name,
    prefix: token.prefix,
    scopes: token.scopes,
    state: token.state,
    created: isoTime(token.created),
    expires: isoTime(token.expires),
    revoked: isoTime(token.revoked),
    lastUsed: isoTime(token.lastUsed),
  };
}
