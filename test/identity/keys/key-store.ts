/**
 * A migrated store for tests of API keys: keys made in it, the statements that reach its key table, a second handle.
 */
import { onTestFinished } from 'vitest';
import { buildRegistry } from '../../../src/content/objects/core-objects.js';
import { type IssuedKey, issueKey, type KeyRequest } from '../../../src/identity/keys/manage-keys.js';
import type { Reader, Statement } from '../../../src/store/base/database.js';
import { openStore, type Store } from '../../../src/store/open/open.js';
import { migrate } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';

/** Opens the database again, as another process would; closed when the test is done. */
export async function openHandle(databaseUrl: string): Promise<Store> {
  const store = await openStore({ databaseUrl, prefix: 'modx_', limits: patientLimits });
  onTestFinished(() => store.close());
  return store;
}

export async function migrated(databaseUrl: string): Promise<string> {
  await migrate({ databaseUrl, prefix: 'modx_' });
  return databaseUrl;
}

/** A key with what the test does not care about filled in. */
export function issue(store: Store, request: Partial<KeyRequest> = {}): Promise<IssuedKey> {
  return issueKey(store, {
    registry: buildRegistry([]),
    scopes: ['resources.read'],
    name: null,
    expiresOn: null,
    username: null,
    rateLimit: { max: null, windowSeconds: null },
    createdBy: 'test',
    now: Date.UTC(2026, 10, 21, 9, 30),
    ...request,
  });
}

/** Records the reads on the primary that name the table, from now on; `before` runs ahead of each of them. */
export function recordReads(
  { own }: Store,
  { table = 'hcd_api_keys', before = async () => undefined }: { table?: string; before?: () => Promise<void> } = {},
): string[] {
  const reads: string[] = [];
  const { primary } = own;
  const select = primary.select.bind(primary);
  const query = primary.query.bind(primary);
  const recording: Pick<Reader, 'select' | 'query'> = {
    async select(statement: Statement) {
      const isMeant = statement.sql.includes(table);
      if (isMeant) reads.push(statement.sql);
      const rows = await select(statement);
      if (isMeant) await before();
      return rows;
    },
    async query(name, work) {
      if (name === table) reads.push(name);
      const found = await query(name, work);
      if (name === table) await before();
      return found;
    },
  };
  Object.assign(primary, recording);
  return reads;
}
