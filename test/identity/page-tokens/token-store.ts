/** A migrated store for tests of page tokens, and tokens with what the test does not care about filled in. */
import { onTestFinished } from 'vitest';
import { readSystemSettings } from '../../../src/content/models/settings.js';
import { type IssuedToken, issueToken, type TokenRequest } from '../../../src/identity/page-tokens/manage-tokens.js';
import { openStore, type Store } from '../../../src/store/open/open.js';
import { migrate } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';

export const start = Date.UTC(2026, 10, 21, 9, 30);

export async function migrated(databaseUrl: string): Promise<string> {
  await migrate({ databaseUrl, prefix: 'modx_' });
  return databaseUrl;
}

/** Opens the database again, as another process would; closed when the test is done. */
export async function openHandle(databaseUrl: string): Promise<Store> {
  const store = await openStore({ databaseUrl, prefix: 'modx_', limits: patientLimits });
  onTestFinished(() => store.close());
  return store;
}

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
