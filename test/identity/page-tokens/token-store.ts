/** For tests of page tokens: tokens with what the test does not care about filled in, and stored settings. */
import { readSystemSettings } from '../../../src/content/models/settings.js';
import { type IssuedToken, issueToken, type TokenRequest } from '../../../src/identity/page-tokens/manage-tokens.js';
import type { Store } from '../../../src/store/open/open.js';

export const start = Date.UTC(2026, 10, 21, 9, 30);

export function issue(store: Store, request: Partial<TokenRequest> = {}): Promise<IssuedToken> {
  return issueToken(store, {
    env: {},
    scopes: ['pages.read', 'catalog.read'],
    name: null,
    expiresOn: null,
    now: start,
    ...request,
  });
}

/** The text of a setting; null when it has no row. */
export async function storedText({ content, prefix }: Store, key: string): Promise<string | null> {
  const [row] = await readSystemSettings(content.primary, prefix, [key]);
  return row?.value ?? null;
}
