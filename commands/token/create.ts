/** `hcd token create`: create a page token. */

import { choiceValue, listValue } from '../../src/config/value-type.js';
import { type IssuedToken, issueToken } from '../../src/identity/page-tokens/manage-tokens.js';
import { pageScopes } from '../../src/identity/page-tokens/token-settings.js';
import { isoTime } from '../../src/values/dates.js';
import { defineCommand, type JsonRecord } from '../command.js';
import { endOf, expiryValue } from '../key/shared.js';
import { labelValue, optional, required } from '../parameters.js';

const scopesValue = listValue(choiceValue(pageScopes), {
  min: 1,
  accepts: `a comma list of ${pageScopes.join(' and ')}`,
});

function issuedRecord({ id, name, token, prefix, scopes, expires }: IssuedToken): JsonRecord {
  return { id, name, token, prefix, scopes, expires: isoTime(expires) };
}

export const command = defineCommand({
  description:
    'Creates a token for the page delivery API and prints it. The token is shown only once: the setting pages_rest_tokens stores a digest, so a lost token has to be replaced. Clients send it as "Authorization: Bearer TOKEN". It works from the next request on, without a restart.\n\nThe scope pages.read allows reading published pages; catalog.read allows reading section types and the health route. Use tokens on servers only: visitors can read a token in a browser.\n\npages_rest_throttle_per_minute limits the requests of each token.',
  options: {
    scopes: required(scopesValue, {
      description: 'Scopes of the token, separated by commas',
      question: 'Scopes of the token',
    }),
    name: optional(labelValue, 'A label for the token'),
    expires: optional(expiryValue, { placeholder: 'WHEN', description: 'Expiry (default: never)' }),
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
});
