/** Checks a store as `hcd db check` does, in this process: for the tests of the checks, and after every fault. */
import { expect } from 'vitest';
import { migrationRun } from '../../commands/open-store.js';
import { systemClock } from '../../src/clock/clock.js';
import { checkStore, type Finding } from '../../src/operations/check/check-store.js';
import { maintenanceLimits } from '../../src/store/base/limits.js';
import { openStore, type Store } from '../../src/store/open/open.js';
import { atFileEnd } from './at-file-end.js';
import { freshSqliteUrl } from './databases.js';
import { openMigrated } from './migrate.js';

export interface CheckedStore {
  readonly url: string;
  readonly ownUrl?: string;
  /** The root secret; absent = the one in the database. */
  readonly secret?: string;
  readonly isRepairing?: boolean;
  /** Checks whose findings the rows of a test deserve, such as `uris` of resources without any. */
  readonly except?: readonly string[];
}

const prefix = 'modx_';
let pattern: Promise<Store> | undefined;

/** A store that was only migrated; one for a test file. */
function patternStore(): Promise<Store> {
  pattern ??= freshSqliteUrl().then(async (databaseUrl) => {
    const store = await openMigrated({ databaseUrl, prefix, limits: maintenanceLimits });
    atFileEnd(async () => {
      pattern = undefined;
      await store.close();
    });
    return store;
  });
  return pattern;
}

export async function checkedStore({ url, ownUrl, secret, isRepairing = false }: CheckedStore): Promise<Finding[]> {
  const own = ownUrl === undefined ? {} : { ownDatabaseUrl: ownUrl };
  const store = await openStore({ databaseUrl: url, ...own, prefix, limits: maintenanceLimits, create: false });
  try {
    return await checkStore({
      ...{ store, isRepairing, run: migrationRun(store), pattern: await patternStore() },
      ...{ secret: secret ?? null, env: {}, clock: systemClock, onProgress: () => undefined },
    });
  } finally {
    await store.close();
  }
}

/** Nothing is wrong with the store. */
export async function expectSound(store: string | CheckedStore): Promise<void> {
  const asked: CheckedStore = typeof store === 'string' ? { url: store } : store;
  const findings = (await checkedStore(asked)).filter(({ check }) => asked.except?.includes(check) !== true);
  expect(findings.map(({ check, table, key, detail }) => `${check} ${table} ${key}: ${detail}`)).toEqual([]);
}
