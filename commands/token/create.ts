/** `hcd token create`: a new token for the page delivery API. */
import { readRuntimeSettings } from '../../src/content/settings/settings.js';
import { issueToken } from '../../src/identity/page-tokens/manage-tokens.js';
import type { Store } from '../../src/store/open/open.js';
import { defineCommand } from '../command.js';
import type { Deps } from '../deps.js';
import { endOf, expiryValue, origin } from '../key/shared.js';
import { labelValue, optional, required } from '../parameters.js';
import { issuedRecord, scopesValue } from './shared.js';

export const command = defineCommand({
  path: 'token create',
  summary: 'Create a page token',
  description:
    'Creates a token for the page delivery API and prints it. The token is shown only once: the setting pages_rest_tokens stores a digest, so a lost token has to be replaced. Clients send it as "Authorization: Bearer TOKEN". It works from the next request on, without a restart.\n\nThe scope pages.read allows reading published pages; catalog.read allows reading section types and the health route. Use tokens on servers only: visitors can read a token in a browser.\n\npages_rest_throttle_per_minute limits the requests of each token.',
  arguments: {},
  options: {
    scopes: required(scopesValue, {
      placeholder: 'LIST',
      description: 'Scopes of the token, separated by commas',
      question: 'Scopes of the token',
    }),
    name: optional(labelValue, {
      placeholder: 'NAME',
      description: 'A label for the token',
    }),
    expires: optional(expiryValue, { placeholder: 'WHEN', description: 'Expiry (default: never)' }),
  },
  examples: [
    {
      line: 'token create --scopes pages.read,catalog.read --name website --expires 90d',
      does: 'Create a token for a website that expires in 90 days',
    },
    { line: 'token create --scopes pages.read --json', does: 'Create a token and print it as JSON' },
  ],
  async run({ scopes, name, expires }, deps) {
    const now = deps.clock.now();
    const expiresOn = endOf(expires, now);
    const store = await deps.openReady();
    const token = await issueToken(store, { env: deps.env, scopes, name: name ?? null, expiresOn, now });
    return { kind: 'record', record: issuedRecord(token), notes: await usageNotes(deps, { store, scopes }) };
  },
});

/** Notes on a new token: how to send it, and what keeps it from working. */
async function usageNotes(
  deps: Deps,
  { store, scopes }: { readonly store: Store; readonly scopes: readonly string[] },
): Promise<readonly string[]> {
  const { values } = await readRuntimeSettings(store, deps.env);
  const route = scopes.includes('catalog.read') ? '/health' : '/openapi.json';
  return [
    'Copy the token now: it is not shown again.',
    // The shell fills in the token, so that it does not end up in a history or a log.
    `To try the token, with PAGES_TOKEN set to it: curl -H "Authorization: Bearer $PAGES_TOKEN" '${origin(deps)}/pages/api/v1.php?path=${route}'`,
    ...(values.pages_rest_api_enabled
      ? []
      : ['The page delivery API is off. Turn it on: hcd setting set pages_rest_api_enabled 1']),
  ];
}
