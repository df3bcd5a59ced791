/** The sample site, as `hcd demo` loads it, on a fresh database. */
import { join } from 'node:path';
import type { Identity } from '../../src/access/identity.js';
import { apiNames } from '../../src/config/value-type.js';
import { loadSample } from '../../src/operations/sample/load-sample.js';
import { openMigrated } from './migrate.js';
import { patientLimits } from './patient-limits.js';
import { startTestSite, type TestSite } from './site.js';
import { makeTempDir } from './temp-dir.js';

/** Starts it; callers by name as for startTestSite. */
export async function startSampleSite(identities?: Readonly<Record<string, Identity>>): Promise<TestSite> {
  const databaseUrl = `sqlite:${join(await makeTempDir('sample'), 'sample.sqlite')}`;
  const store = await openMigrated({ databaseUrl, prefix: 'modx_', limits: patientLimits });
  await loadSample(store, { env: {}, apis: apiNames, onProgress: () => undefined });
  await store.close();
  return startTestSite({ databaseUrl, ...(identities ? { identities } : {}) });
}
