/** A newly migrated store in a temporary file: what the migrations know is read from it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyStoreOptions } from '../../src/operations/copy/copy-request.js';
import { migrateUp } from '../../src/store/migrations/migrate.js';
import type { Store } from '../../src/store/open/open.js';
import type { Deps } from '../deps.js';
import { migrationRun } from '../migrate/migration-run.js';

/** Removes the file when the work has ended. */
export async function withPattern<T>(
  deps: Pick<Deps, 'openStore'>,
  prefix: string,
  work: (pattern: Store) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hcd-pattern-'));
  let pattern: Store | undefined;
  try {
    pattern = await deps.openStore(
      copyStoreOptions({ databaseUrl: `sqlite:${join(folder, 'pattern.sqlite')}`, prefix }),
    );
    await migrateUp(migrationRun(pattern));
    return await work(pattern);
  } finally {
    await pattern?.close();
    await rm(folder, { recursive: true, force: true });
  }
}
