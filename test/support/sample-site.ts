/** The sample site, as `hcd demo` loads it, on a fresh database. A process loads it once; the others are copies. */
import { readFile, writeFile } from 'node:fs/promises';
import type { Identity } from '../../src/access/identity.js';
import { apiNames } from '../../src/config/value-type.js';
import { loadSample } from '../../src/operations/sample/load-sample.js';
import { freshSqliteUrl } from './databases.js';
import { openMigrated } from './migrate.js';
import { patientLimits } from './patient-limits.js';
import { startTestSite, type TestSite } from './site.js';

const pathOf = (url: string) => url.slice('sqlite:'.length);
let loaded: Promise<Buffer> | undefined;

/** Starts it; callers by name as for startTestSite. */
export async function startSampleSite(identities?: Readonly<Record<string, Identity>>): Promise<TestSite> {
  loaded ??= load();
  const databaseUrl = await freshSqliteUrl();
  await writeFile(pathOf(databaseUrl), await loaded, { mode: 0o600 });
  return startTestSite({ databaseUrl, ...(identities ? { identities } : {}) });
}

async function load(): Promise<Buffer> {
  const databaseUrl = await freshSqliteUrl();
  const store = await openMigrated({ databaseUrl, prefix: 'modx_', limits: patientLimits });
  await loadSample(store, { env: {}, apis: apiNames, onProgress: () => undefined });
  await store.close();
  return readFile(pathOf(databaseUrl));
}
