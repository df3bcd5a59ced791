/** `hcd token create`: a new token for the page delivery API. */
import { textValue } from '../../src/config/value-type.js';
import { readRuntimeSettings } from '../../src/content/settings/runtime-settings.js';
import { issueToken } from '../../src/identity/page-tokens/issue-token.js';
import type { Store } from '../../src/store/open/open.js';
import { defineCommand } from '../command.js';
import type { Deps } from '../deps.js';
import { endOf, expiryValue } from '../key/parameters.js';
import { origin } from '../key/usage-notes.js';
import { optional, required } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { scopesValue } from './parameters.js';
import { issuedRecord } from './token-record.js';

const nameAccepts = 'a text of 1 to 100 characters without line breaks and other controls';

export const command = defineCommand({
  path: 'token create',
  summary: 'Make a token for the page delivery API',
  description:
    'Makes a token and prints it, once: the setting pages_rest_tokens keeps only a digest, so a lost token is replaced and never shown again. Clients send it as "Authorization: Bearer TOKEN". It works from the next request on, without a restart.\n\nThe scope pages.read opens the pages, catalog.read the section types and the health route. Both only read what has been published. Tokens are for servers: a browser would show them to everybody.\n\nRequests with one token are limited by pages_rest_throttle_per_minute, wherever they come from.',
  arguments: {},
  options: {
    scopes: required(scopesValue, {
      placeholder: 'LIST',
      description: 'What the token opens, separated by commas',
      question: 'What does the token open?',
    }),
    name: optional(textValue({ accepts: nameAccepts, pattern: /^(?=.*\S)\P{Cc}{1,100}$/u }), {
      placeholder: 'NAME',
      description: 'Whose token it is, for people',
    }),
    expires: optional(expiryValue, { placeholder: 'WHEN', description: 'When the token ends; never when left out' }),
  },
  examples: [
    {
      line: 'token create --scopes pages.read,catalog.read --name website --expires 90d',
      does: 'Make a token with which a website reads for three months',
    },
    { line: 'token create --scopes pages.read --json', does: 'Make a token for a script' },
  ],
  async run({ scopes, name, expires }, deps) {
    const now = deps.clock.now();
    const expiresOn = endOf(expires, now);
    const store = await openReady(deps);
    const token = await issueToken(store, { env: deps.env, scopes, name: name ?? null, expiresOn, now });
    return { kind: 'record', record: issuedRecord(token), notes: await usageNotes(deps, { store, scopes }) };
  },
});

/** What to do with a fresh token, for people: how to send it, and what is in the way of its use. */
async function usageNotes(
  deps: Deps,
  { store, scopes }: { readonly store: Store; readonly scopes: readonly string[] },
): Promise<readonly string[]> {
  const { values } = await readRuntimeSettings(store, deps.env);
  const route = scopes.includes('catalog.read') ? '/health' : '/openapi.json';
  return [
    'The token is shown only now: store it where its server reads its secrets.',
    // The shell fills the token in, so that it does not come to stand in a history or a log.
    `Try it, with the token in PAGES_TOKEN: curl -H "Authorization: Bearer $PAGES_TOKEN" '${origin(deps)}/pages/api/v1.php?path=${route}'`,
    ...(values.pages_rest_api_enabled
      ? []
      : ['The page delivery API is switched off: hcd setting set pages_rest_api_enabled 1']),
  ];
}
