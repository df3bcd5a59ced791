/** Makes a token for `hcd token create`. */
import { readRuntimeSettings } from '../../src/content/settings/runtime-settings.js';
import { issueToken } from '../../src/identity/page-tokens/issue-token.js';
import type { Store } from '../../src/store/open/open.js';
import type { Deps } from '../deps.js';
import type { Expiry } from '../key/parameters.js';
import { endOf } from '../key/run-create.js';
import { origin } from '../key/usage-notes.js';
import type { RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { issuedRecord } from './token-record.js';

export interface CreateOptions {
  readonly scopes: readonly string[];
  readonly name: string | undefined;
  readonly expires: Expiry | undefined;
}

export async function runCreate({ scopes, name, expires }: CreateOptions, deps: Deps): Promise<RecordResult> {
  const now = deps.clock.now();
  const expiresOn = endOf(expires, now);
  const store = await openReady(deps);
  const token = await issueToken(store, { env: deps.env, scopes, name: name ?? null, expiresOn, now });
  return { kind: 'record', record: issuedRecord(token), notes: await usageNotes(deps, { store, scopes }) };
}

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
