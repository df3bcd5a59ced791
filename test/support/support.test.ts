/** The test support itself: databases are fresh and empty, servers survive a crash, the guard holds. */
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { createConnection } from 'mariadb';
import { expect, test } from 'vitest';
import { migrationRun } from '../../commands/open-store.js';
import type { Database } from '../../src/store/base/database.js';
import { migrateUp } from '../../src/store/migrations/migrate.js';
import { openStore } from '../../src/store/open/open.js';
import { schemaDump, tableNames } from '../migrations/store.js';
import {
  describeEachDatabase,
  describeWithOwnMariadb,
  executeOnMariadb,
  freshMariadbUrl,
  startMariadb,
} from './databases.js';
import { describeWithFixture, loadFixture } from './fixture.js';
import { migrate, openMigrated } from './migrate.js';

async function query(url: string, sql: string): Promise<unknown> {
  const { hostname, port, pathname } = new URL(url);
  const connection = await createConnection({
    host: hostname,
    port: Number(port),
    user: 'root',
    ...(pathname.length > 1 ? { database: pathname.slice(1) } : {}),
    rowsAsArray: true,
  });
  try {
    return await connection.query(sql);
  } finally {
    await connection.end();
  }
}

/** Schema and rows, without the times at which the steps were applied. */
async function contentsOf(database: Database): Promise<unknown> {
  const rows: Record<string, unknown> = {};
  for (const name of await tableNames(database)) {
    const columns = name === 'hcd_migrations' ? 'name' : '*';
    rows[name] = await database.select({ sql: `SELECT ${columns} FROM \`${name}\` ORDER BY 1`, params: [] });
  }
  return { schema: await schemaDump(database), rows };
}

describeEachDatabase('a test database', (database) => {
  test('is a new one at each call', async () => {
    expect(await database.url()).not.toBe(await database.url());
  });

  test('starts empty', async () => {
    const url = await database.url();
    if (database.name === 'sqlite') expect(existsSync(url.slice('sqlite:'.length))).toBe(false);
    else expect(await query(url, 'SHOW TABLES')).toEqual([]);
  });
});

describeEachDatabase('a migrated test store', (database) => {
  test('has the tables and rows that the migrations make', async () => {
    const target = async () => ({ databaseUrl: await database.url(), prefix: 'modx_' });
    await migrate(await target());
    const stores = [await openMigrated(await target()), await openStore(await target())] as const;
    const [copied, made] = stores;
    await migrateUp(migrationRun(made));
    expect(await contentsOf(copied.content)).toEqual(await contentsOf(made.content));
    await Promise.all(stores.map((store) => store.close()));
  });
});

describeWithOwnMariadb('a private server', () => {
  test('keeps committed rows over a kill and a restart on the same address', async () => {
    const server = await startMariadb();
    await executeOnMariadb(server.url, ['CREATE DATABASE d', 'CREATE TABLE d.t (id INT PRIMARY KEY)']);
    await executeOnMariadb(`${server.url}/d`, ['INSERT INTO t VALUES (7)']);
    await server.kill();
    await expect(query(server.url, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await server.restart();
    expect(await query(`${server.url}/d`, 'SELECT id FROM t')).toEqual([[7]]);
  });
});

describeWithFixture('the dump of a real site', () => {
  test('is loaded with all its resources', async () => {
    expect(await query(await loadFixture(), 'SELECT COUNT(*) FROM modx_site_content')).toEqual([[532n]]);
  });

  test('does not touch other databases', async () => {
    await loadFixture();
    expect(await query(await freshMariadbUrl(), 'SHOW TABLES')).toEqual([]);
  });
});

test('a connection to another machine throws', () => {
  expect(() => connect(80, '192.0.2.1')).toThrow('the outside network is blocked in tests: connection to 192.0.2.1');
});

test('a request to another machine fails', async () => {
  await expect(fetch('http://example.org/')).rejects.toMatchObject({
    cause: { message: 'the outside network is blocked in tests: connection to example.org' },
  });
});
