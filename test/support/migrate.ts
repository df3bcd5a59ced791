/**
 * Brings the databases of tests to the newest schema. Most tests begin with a new store: the first one of each kind that a
 * process makes is remembered, and the next ones are copies of it.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Connection } from 'mariadb';
import { migrationRun } from '../../commands/open-store.js';
import { migrateUp } from '../../src/store/migrations/migrate.js';
import { type OpenStoreOptions, openStore, type Store } from '../../src/store/open/open.js';
import { withMariadb } from './databases.js';
import { patientLimits } from './patient-limits.js';

/** A new database of one kind. */
interface Kind {
  isEmpty(url: string): Promise<boolean>;
  /** What makes other databases the same as this one. */
  remember(url: string): Promise<(url: string) => Promise<void>>;
}

const remembered = new Map<Kind, (url: string) => Promise<void>>();

/** Makes the tables of a store, or adds what they lack; nothing stays open. */
export async function migrate(options: OpenStoreOptions): Promise<void> {
  const { databaseUrl, ownDatabaseUrl, prefix } = options;
  const kind = databaseUrl.startsWith('sqlite:') ? sqlite : mariadb;
  const isUsual = ownDatabaseUrl === undefined && prefix === 'modx_' && (await kind.isEmpty(databaseUrl));
  const copy = remembered.get(kind);
  if (isUsual && copy !== undefined) return copy(databaseUrl);
  const store = await openStore({ ...options, limits: patientLimits });
  await migrateUp(migrationRun(store)).finally(() => store.close());
  if (isUsual) remembered.set(kind, await kind.remember(databaseUrl));
}

/** The store at these addresses, of the newest schema. */
export async function openMigrated(options: OpenStoreOptions): Promise<Store> {
  await migrate(options);
  return openStore(options);
}

const pathOf = (url: string) => url.slice('sqlite:'.length);

const sqlite: Kind = {
  isEmpty: async (url) => !existsSync(pathOf(url)),
  async remember(url) {
    const [bytes, { mode }] = [await readFile(pathOf(url)), await stat(pathOf(url))];
    return async (other) => {
      await mkdir(dirname(pathOf(other)), { recursive: true });
      await writeFile(pathOf(other), bytes, { mode });
    };
  },
};

const mariadb: Kind = {
  isEmpty: async (url) => (await withMariadb(url, tableNames)).length === 0,
  remember: (url) =>
    withMariadb(url, async (connection) => {
      const statements: string[] = [];
      for (const name of await tableNames(connection)) {
        const [[, made] = []] = await connection.query<string[][]>(`SHOW CREATE TABLE \`${name}\``);
        const rows = await connection.query<unknown[][]>(`SELECT * FROM \`${name}\``);
        const lists = rows.map((row) => `(${row.map((value) => connection.escape(value)).join(', ')})`);
        statements.push(
          `${made};`,
          ...(rows.length === 0 ? [] : [`INSERT INTO \`${name}\` VALUES ${lists.join(', ')};`]),
        );
      }
      // In one question, and as text: preparing each of them costs the server more than running it.
      const all = `BEGIN NOT ATOMIC ${statements.join('\n')} END`;
      return (other) => withMariadb(other, async (fresh) => void (await fresh.query(all)));
    }),
};

async function tableNames(connection: Connection): Promise<string[]> {
  return (await connection.query<string[][]>('SHOW TABLES')).flat();
}
