/** The store of a command as the migration runner takes it, with every step that this program knows. */
import { migrations } from '../../migrations/list.js';
import type { MigrationRun } from '../../src/store/migrations/migrate.js';
import type { Store } from '../../src/store/open/open.js';

export function migrationRun(store: Store): MigrationRun {
  const { content, own, prefix } = store;
  // Content tables that do not exist yet will be ours.
  return { content, own, prefix, kind: store.kind === 'attached' ? 'attached' : 'own', migrations };
}
