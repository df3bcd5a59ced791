/** Tables as the migrations make them, to compare a store with. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { maintenanceLimits } from '../../store/base/limits.js';
import { buildTables } from '../../store/migrations/migrate.js';
import type { Migration } from '../../store/migrations/migration.js';
import { openDatabase, type Store } from '../../store/open/open.js';

export type Pattern = Pick<Store, 'content' | 'own' | 'prefix'>;

export const ownPrefix = 'hcd_';

/** The pattern is a SQLite file that is removed after the work. */
export async function withPattern<T>(
  { steps, prefix }: { readonly steps: readonly Migration[]; readonly prefix: string },
  work: (pattern: Pattern) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hcd-pattern-'));
  try {
    const database = await openDatabase({ url: `sqlite:${join(folder, 'pattern.sqlite')}`, limits: maintenanceLimits });
    try {
      await buildTables(database, { steps, prefixes: { content: prefix, own: ownPrefix }, version: '' });
      return await work({ content: database, own: database, prefix });
    } finally {
      await database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
