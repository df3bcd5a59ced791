/** A backup restores every value into either database, and replaces a store only as a whole. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { openStore } from '../../../src/store/open/open.js';
import { type CliOptions, runCli } from '../../support/cli.js';
import {
  describeEachDatabase,
  describeWithMariadb,
  executeOnMariadb,
  freshMariadbUrl,
  freshSqliteUrl,
} from '../../support/databases.js';
import { makeTempDir } from '../../support/temp-dir.js';
import { change, columnsOf, makeOwnStore, rowsOf, tablesOf, withDatabase } from '../copy/stores.js';

const surroundings: CliOptions = { openStore, clock: systemClock };

async function run(
  words: readonly string[],
): Promise<{ code: number | null; error?: { code: string; message: string }; data?: Record<string, unknown> }> {
  const { code, stdout } = await runCli([...words, '--json'], surroundings);
  return { code, ...JSON.parse(stdout) };
}

async function makeSource(url: string): Promise<void> {
  await makeOwnStore(url, {
    site_content: [
      { id: 4 },
      { id: 5, pagetitle: 'Fünf 🎒', content: 'NUL \u0000 and "quotes"\n' },
      { id: 900, pagetitle: 'Nine hundred', createdon: 2_147_483_647 },
    ],
    site_tmplvars: [{ id: 3, name: 'mood', type: 'text' }],
    site_tmplvar_contentvalues: [{ tmplvarid: 3, contentid: 5, value: 'glad' }],
    session: [{ id: 'gone', access: 1 }],
    manager_log: [{ action: 'resource_update', classKey: 'modResource', item: '5' }],
  });
  await change(url, [
    "INSERT INTO hcd_state (`key`, value, updated_at) VALUES ('root_secret', 'kept', 1)",
    url.startsWith('sqlite')
      ? 'CREATE TABLE modx_shop (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, title VARCHAR(20) NOT NULL, big BIGINT NULL, price DECIMAL(10,2) NULL, exact DECIMALTEXT(30,10) NULL, ratio DOUBLE NULL, picture BLOB NULL, sold DATETIME NULL)'
      : 'CREATE TABLE modx_shop (id int NOT NULL PRIMARY KEY AUTO_INCREMENT, title varchar(20) NOT NULL, big bigint NULL, price decimal(10,2) NULL, exact decimal(30,10) NULL, ratio double NULL, picture blob NULL, sold datetime NULL, UNIQUE KEY title (title))',
    "INSERT INTO modx_shop VALUES (7, 'seven', 9007199254740993, 12.50, '12345678901234567890.1234567890', 0.1, X'00ff10', '2026-11-22 10:11:12'), (41, 'one', -9223372036854775808, NULL, NULL, -1e300, NULL, '0000-00-00 00:00:00')",
    'DELETE FROM modx_shop WHERE id = 41',
    // MariaDB would count for an id 0 that is not meant as one.
    ...(url.startsWith('sqlite') ? ["INSERT INTO modx_shop (id, title) VALUES (0, 'zero')"] : []),
    'CREATE TABLE modx_keyless (title VARCHAR(20) NOT NULL)',
    "INSERT INTO modx_keyless (title) VALUES ('same'), ('same')",
  ]);
}

/** Tables that say something about their own database only. */
const unmoved = [
  'hcd_migrations',
  'hcd_rate_counters',
  'hcd_changes',
  'hcd_copy',
  'hcd_search',
  'hcd_tv_values',
  'hcd_known_resources',
  'modx_session',
];

/** The note of the last backup is written when the backup is complete. */
function isOfBackup(row: string): boolean {
  return row.startsWith('["last_backup"');
}

async function expectSame(source: string, target: string): Promise<void> {
  const tables = [...(await tablesOf(source, 'modx_')), ...(await tablesOf(source, 'hcd_'))];
  expect([...(await tablesOf(target, 'modx_')), ...(await tablesOf(target, 'hcd_'))]).toEqual(tables);
  for (const table of tables.filter((name) => !unmoved.includes(name))) {
    // Read as a number it would lose digits on MariaDB.
    const columns = (await columnsOf(source, table)).filter((column) => column !== 'exact');
    const rows = async (url: string) => (await rowsOf(url, table, columns)).filter((row) => !isOfBackup(row));
    expect([table, await rows(target)]).toEqual([table, await rows(source)]);
  }
}

/** A store in SQLite and its backup, which tests only read. */
let source: string;
let file: string;

beforeAll(async () => {
  source = await freshSqliteUrl();
  await makeSource(source);
  file = join(await makeTempDir('backup'), 'a.backup');
  expect((await run(['backup', file, '--database', source])).code).toBe(0);
});

describeEachDatabase('a backup', (database) => {
  test.each([
    ['sqlite', freshSqliteUrl],
    ...(database.name === 'mariadb' ? ([['mariadb', freshMariadbUrl]] as const) : []),
  ] as const)('is restored into %s with every value and the next ids', async (_name, freshUrl) => {
    const [source, target] = [await database.url(), await freshUrl()];
    await makeSource(source);
    const file = join(await makeTempDir('backup'), 'a.backup');
    const made = await run(['backup', file, '--database', source]);
    expect(made).toMatchObject({ code: 0, data: { file, encrypted: false, version: expect.any(String) } });
    expect(made.data).toMatchObject({
      bytes: statSync(file).size,
      tables: expect.any(Number),
      rows: expect.any(Number),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const restored = await run(['restore', file, '--database', target]);
    expect(restored).toEqual({ code: 0, data: { tables: made.data?.['tables'], rows: made.data?.['rows'] } });
    await expectSame(source, target);
    const exact = await withDatabase(target, (open) =>
      open.select({ sql: 'SELECT CAST(exact AS CHAR) FROM modx_shop WHERE id = 7', params: [] }),
    );
    expect(exact).toEqual([['12345678901234567890.1234567890']]);
    expect(await rowsOf(target, 'modx_session', ['id'])).toEqual([]);
    await change(target, [
      "INSERT INTO modx_shop (title) VALUES ('next')",
      "INSERT INTO modx_site_content (description) VALUES ('')",
    ]);
    expect(await rowsOf(target, 'modx_shop', ['id'])).toEqual(expect.arrayContaining(['[42]', '[7]']));
    expect(await rowsOf(target, 'modx_site_content', ['id'])).toContain('[901]');
    expect(await runCli(['doctor', '--database', target], surroundings)).toMatchObject({ code: 0 });
  });

  test('replaces a store as a whole, and only with --yes', async () => {
    const target = await database.url();
    await makeOwnStore(target, { site_content: [{ id: 77, pagetitle: 'Old' }] });
    await change(target, ['CREATE TABLE modx_left (id INTEGER NOT NULL PRIMARY KEY)']);
    const refused = await run(['restore', file, '--database', target]);
    expect(refused).toMatchObject({ code: 1, error: { code: 'target_not_empty' } });
    expect(await rowsOf(target, 'modx_site_content', ['id'])).toEqual(['[77]']);
    expect(await run(['restore', file, '--database', target, '--yes'])).toMatchObject({ code: 0 });
    await expectSame(source, target);
  });

  test('may go into a store that was only migrated', async () => {
    const target = await database.url();
    await makeOwnStore(target);
    expect(await run(['restore', file, '--database', target])).toMatchObject({ code: 0 });
    await expectSame(source, target);
  });

  test('is not restored while another process has the database open', async () => {
    const target = await database.url();
    await makeOwnStore(target);
    const refused = await withDatabase(target, async (open) => {
      await open.select({ sql: 'SELECT 1', params: [] });
      return run(['restore', file, '--database', target, '--yes']);
    });
    expect(refused).toMatchObject({ code: 1, error: { code: 'target_in_use' } });
    expect(await rowsOf(target, 'modx_site_content', ['id'])).toEqual([]);
    expect(await run(['restore', file, '--database', target, '--yes'])).toMatchObject({ code: 0 });
  });

  test('with one changed byte leaves the store as it is, and nothing besides', async () => {
    const target = await database.url();
    await makeOwnStore(target, { site_content: [{ id: 77 }] });
    const bytes = readFileSync(file);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 3) ^ 4, bytes.length - 3);
    const changed = join(await makeTempDir('backup'), 'changed.backup');
    writeFileSync(changed, bytes);
    const refused = await run(['restore', changed, '--database', target, '--yes']);
    expect(refused).toMatchObject({ code: 1, error: { code: 'backup_invalid' } });
    expect(await rowsOf(target, 'modx_site_content', ['id'])).toEqual(['[77]']);
    expect(await tablesOf(target, 'hcd_restore')).toEqual([]);
    if (database.name === 'sqlite') {
      const path = target.slice('sqlite:'.length);
      expect(readdirSync(join(path, '..')).filter((name) => name.includes('.restore'))).toEqual([]);
    }
  });

  test('of an older schema is restored and migrated', async () => {
    const [source, target] = [await database.url(), await freshSqliteUrl()];
    await makeSource(source);
    expect((await runCli(['migrate', 'down', '--yes', '--database', source], surroundings)).code).toBe(0);
    const file = join(await makeTempDir('backup'), 'a.backup');
    expect(await run(['backup', file, '--database', source])).toMatchObject({ code: 0 });
    expect(await run(['restore', file, '--database', target])).toMatchObject({ code: 0 });
    const { stdout } = await runCli(['migrate', 'status', '--json', '--database', target], surroundings);
    expect(JSON.parse(stdout).data.filter(({ state }: { state: string }) => state !== 'applied')).toEqual([]);
    expect(await rowsOf(target, 'modx_site_content', ['id'])).toEqual(['[4]', '[5]', '[900]']);
  });
});

describe('a damaged SQLite file', () => {
  test('is replaced with --yes', async () => {
    const target = await freshSqliteUrl();
    writeFileSync(target.slice('sqlite:'.length), 'not a database at all'.repeat(100));
    expect(await run(['restore', file, '--database', target])).toMatchObject({
      code: 1,
      error: { code: 'target_not_empty' },
    });
    expect(await run(['restore', file, '--database', target, '--yes'])).toMatchObject({ code: 0 });
    await expectSame(source, target);
  });
});

describe('a SQLite file of another program', () => {
  test('is replaced only with --yes', async () => {
    const target = await freshSqliteUrl();
    await change(target, ['CREATE TABLE letters (text VARCHAR(9))', "INSERT INTO letters VALUES ('dear')"]);
    const refused = await run(['restore', file, '--database', target]);
    expect(refused).toMatchObject({ code: 1, error: { code: 'target_not_empty' } });
    expect(refused.error?.message).toMatch('the table letters');
    expect(await rowsOf(target, 'letters', ['text'])).toEqual(['["dear"]']);
    expect(await run(['restore', file, '--database', target, '--yes'])).toMatchObject({ code: 0 });
  });
});

describeWithMariadb('a table of an extra in MariaDB', () => {
  test('comes back with the types and values that SQLite does not have', async () => {
    const [source, target] = [await freshMariadbUrl(), await freshMariadbUrl()];
    await makeOwnStore(source);
    await change(source, [
      `CREATE TABLE modx_odd (id int unsigned NOT NULL PRIMARY KEY, state enum('new','It''s') NOT NULL DEFAULT 'new',
        tags set('a','b') NULL, bits bit(9) NULL, hash bigint unsigned NOT NULL,
        changed timestamp NOT NULL DEFAULT current_timestamp() ON UPDATE current_timestamp())`,
      "INSERT INTO modx_odd VALUES (1, 'It''s', 'a,b', b'101', 18446744073709551615, '2026-01-02 03:04:05'), (2, 'new', NULL, NULL, 7, '2026-01-02 03:04:05')",
    ]);
    const file = join(await makeTempDir('backup'), 'a.backup');
    expect(await run(['backup', file, '--database', source])).toMatchObject({ code: 0 });
    expect(await run(['restore', file, '--database', target])).toMatchObject({ code: 0 });
    const shown = (url: string) =>
      withDatabase(url, async (open) => [
        await open.select({ sql: 'SELECT * FROM modx_odd ORDER BY id', params: [] }),
        await open.select({
          sql: "SELECT column_name, column_type, column_default, extra FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'modx_odd' ORDER BY ordinal_position",
          params: [],
        }),
      ]);
    expect(await shown(target)).toEqual(await shown(source));
    const tooLarge = await run(['restore', file, '--database', await freshSqliteUrl()]);
    expect(tooLarge.error?.message).toMatch('column hash holds 18446744073709551615');
  });
});

describeWithMariadb('the database of a CMS', () => {
  test('is never replaced, and its backup restores into SQLite', async () => {
    const [source, target] = [await freshMariadbUrl(), await freshSqliteUrl()];
    await makeSource(source);
    // A site of a CMS: its content tables are in no ledger.
    await executeOnMariadb(source, ["DELETE FROM hcd_migrations WHERE name LIKE '%-content-%'"]);
    const file = join(await makeTempDir('backup'), 'a.backup');
    expect(await run(['backup', file, '--database', source])).toMatchObject({ code: 0 });
    const refused = await run(['restore', file, '--database', source, '--yes']);
    expect(refused).toMatchObject({ code: 1, error: { code: 'target_not_empty' } });
    expect(refused.error?.message).toMatch('holds the tables of a CMS');
    expect(await run(['restore', file, '--database', target])).toMatchObject({ code: 0 });
    await expectSame(source, target);
    expect(existsSync(`${target.slice('sqlite:'.length)}.restore`)).toBe(false);
  });
});
