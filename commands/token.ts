/** `hcd token`: tokens of the page delivery API. */

import { choiceValue, listValue } from '../src/config/value-type.js';
import {
  findToken,
  type IssuedToken,
  issueToken,
  listTokens,
  revokeToken,
  type TokenSelector,
  type TokenView,
} from '../src/identity/page-tokens/manage-tokens.js';
import { pageScopes, tokensVariable } from '../src/identity/page-tokens/token-settings.js';
import { isoTimeOfSeconds } from '../src/values/dates.js';
import { defineCommand, defineSiteCommand, recordOf } from './command.js';
import { endOf, expiryValue, idSelector, selectorValue } from './credentials.js';
import { labelValue, optional, required, toggle } from './parameters.js';

function tokenRecord({ created, expires, revoked, lastUsed, ...token }: TokenView) {
  return {
    ...recordOf(token, ['id', 'name', 'prefix', 'scopes', 'state']),
    ...{ created: isoTimeOfSeconds(created), expires: isoTimeOfSeconds(expires) },
    ...{ revoked: isoTimeOfSeconds(revoked), lastUsed: isoTimeOfSeconds(lastUsed) },
  };
}

const scopesValue = listValue(choiceValue(pageScopes), {
  min: 1,
  accepts: `a comma list of ${pageScopes.join(' and ')}`,
});

function issuedRecord({ id, name, token, prefix, scopes, expires }: IssuedToken) {
  return { id, name, token, prefix, scopes, expires: isoTimeOfSeconds(expires) };
}

const tokenParameter = required(
  selectorValue<TokenSelector>(
    { accepts: 'the id or the prefix (pt_ and 8 hexadecimal digits) of a token', list: 'hcd token list' },
    (text) => (/^pt_[0-9a-f]{8}$/.test(text) ? { prefix: text } : idSelector(text)),
  ),
  'Id or prefix of the token; the prefix is the part before the second underscore of the token',
  { placeholder: 'ID' },
);

export const commands = {
  create: defineCommand({
    description:
      'Creates a token for the page delivery API and prints it. The token is shown only once: the setting pages_rest_tokens stores a digest, so a lost token has to be replaced. Clients send it as "Authorization: Bearer TOKEN". It works from the next request on, without a restart.\n\nThe scope pages.read allows reading published pages; catalog.read allows reading section types and the health route. Use tokens on servers only: visitors can read a token in a browser.\n\npages_rest_throttle_per_minute limits the requests of each token.',
    options: {
      scopes: required(scopesValue, 'Scopes of the token, separated by commas', { question: 'Scopes of the token' }),
      name: optional(labelValue, 'A label for the token'),
      expires: optional(expiryValue, 'Expiry (default: never)', { placeholder: 'WHEN' }),
    },
    examples: {
      'token create --scopes pages.read,catalog.read --name website --expires 90d':
        'Create a token for a website that expires in 90 days',
      'token create --scopes pages.read --json': 'Create a token and print it as JSON',
    },
    async run({ scopes, name, expires }, deps) {
      const now = deps.clock.now();
      const expiresOn = endOf(expires, now);
      const site = await deps.openSite();
      const token = await issueToken(site.store, { env: deps.env, scopes, name: name ?? null, expiresOn, now });
      const { pages_rest_api_enabled: isOn } = await site.settings('pages');
      const route = scopes.includes('catalog.read') ? '/health' : '/openapi.json';
      return {
        kind: 'record',
        record: issuedRecord(token),
        notes: [
          'Copy the token now: it is not shown again.',
          // The shell fills in the token, so that it does not end up in a history or a log.
          `To try the token, with PAGES_TOKEN set to it: curl -H "Authorization: Bearer $PAGES_TOKEN" '${await site.addressOf('pages')}/pages/api/v1.php?path=${route}'`,
          !isOn && 'The page delivery API is off. Turn it on: hcd setting set pages_rest_api_enabled 1',
        ],
      };
    },
  }),

  list: defineSiteCommand({
    description:
      'Lists all tokens of the page delivery API with their scopes, state, expiry and last use. Secrets are never shown. States: active, expires_soon (within 14 days), expired and revoked. The last use is recorded at most once a minute. A narrow terminal shows fewer columns and names the missing ones.',
    options: { usable: toggle('Show only tokens that work now') },
    examples: {
      'token list': 'List all tokens',
      'token list --usable --json': 'List the tokens that work as JSON',
    },
    async run({ usable }, deps) {
      const { tokens, isLocked } = await listTokens(deps.store, { env: deps.env, now: deps.clock.now() });
      const shown = usable ? tokens.filter(({ state }) => state === 'active' || state === 'expires_soon') : tokens;
      return {
        kind: 'list',
        columns: ['id', 'name', 'prefix', 'scopes', 'state', 'expires', 'lastUsed', 'created', 'revoked'],
        spare: ['created', 'revoked', 'lastUsed'],
        marks: { state: { expires_soon: 'warning', expired: 'past', revoked: 'past' } },
        rows: shown.map(tokenRecord),
        empty: 'No page tokens. Create one: hcd token create --scopes pages.read,catalog.read',
        notes: [isLocked && `${tokensVariable} is set in this environment and overrides the stored tokens.`],
      };
    },
  }),

  revoke: defineSiteCommand({
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
        const used = token.lastUsed === null ? 'never used' : `last used ${isoTimeOfSeconds(token.lastUsed)}`;
        return token.state === 'revoked' ? null : `Revoke ${title(token)} (${used}) permanently?`;
      });
      const { token, wasRevoked } = await revokeToken(deps.store, { selector: id, env: deps.env, now });
      const message = wasRevoked
        ? `Already revoked at ${isoTimeOfSeconds(token.revoked)}: ${title(token)}. Nothing to do.`
        : `Revoked ${title(token)}. Servers refuse it from the next request on.`;
      return { kind: 'done', message, data: tokenRecord(token) };
    },
  }),
};

function title({ id, name, prefix }: TokenView): string {
  return `token ${id}${name === null ? '' : ` "${name}"`} (${prefix})`;
}
