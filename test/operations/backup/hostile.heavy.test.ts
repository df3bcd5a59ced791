/** Backups with the right outside and a wrong inside are refused, and nothing is changed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { openStore } from '../../../src/store/open/open.js';
import { runCli } from '../../support/cli.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { makeTempDir } from '../../support/temp-dir.js';
import { change, columnsOf, makeOwnStore, rowsOf, tablesOf } from '../copy/stores.js';
import { pack, unpack } from './pieces.js';

let made: Promise<Buffer> | undefined;

/** The SQLite file in a small backup. */
function smallStore(): Promise<Buffer> {
  made ??= (async () => {
    const source = await freshSqliteUrl();
    await makeOwnStore(source, { site_content: [{ id: 4 }, { id: 5 }] });
    await change(source, [
      'CREATE TABLE modx_shop (id INTEGER NOT NULL PRIMARY KEY, title VARCHAR(20) NULL)',
      "INSERT INTO modx_shop VALUES (1, 'one'), (2, 'two')",
    ]);
    const file = join(await makeTempDir('backup'), 'a.backup');
    expect((await run(['backup', file, '--database', source])).code).toBe(0);
    return unpack(readFileSync(file));
  })();
  return made;
}

async function run(
  words: readonly string[],
): Promise<{ code: number | null; error?: { code: string; message: string } }> {
  const { code, stdout } = await runCli([...words, '--json'], { openStore, clock: systemClock });
  return { code, ...JSON.parse(stdout) };
}

type Change = (store: Buffer) => Buffer | Promise<Buffer>;

/** Runs the statements in the file. */
function after(...statements: readonly string[]): Change {
  return async (store) => {
    const path = join(await makeTempDir('store'), 'store.sqlite');
    writeFileSync(path, store);
    await change(`sqlite:${path}`, statements);
    return readFileSync(path);
  };
}

function withBytes(work: (store: Buffer) => void): Change {
  return (store) => {
    const changed = Buffer.from(store);
    work(changed);
    return changed;
  };
}

const invalid = 'backup_invalid';
const cases: readonly [name: string, change: Change, code: string, message: RegExp][] = [
  ['with another content', () => Buffer.from('Dear Sir or Madam'.repeat(100)), invalid, /does not contain a store/],
  ['with nothing inside', () => Buffer.alloc(0), invalid, /does not contain a store/],
  [
    'with bytes after its store',
    (store) => Buffer.concat([store, Buffer.alloc(4096)]),
    invalid,
    /does not contain a store/,
  ],
  ['with half a store', (store) => store.subarray(0, store.length / 2), invalid, /does not contain a store/],
  [
    'that needs more room than the disk has',
    withBytes((store) => void store.writeUInt32BE(0xffff_ffff, 28)),
    'refused',
    /^The store in the backup has \d+ bytes, and .* has room for \d+$/,
  ],
  [
    'with damaged pages',
    withBytes((store) => void store.fill(0xa5, 4096 * 3, 4096 * 8)),
    invalid,
    /^The store in the backup (is refused|cannot be read)/,
  ],
  ['with a view', after('CREATE VIEW modx_v AS SELECT 1'), invalid, /view modx_v, which is not a plain table/],
  [
    'with a trigger',
    after('CREATE TRIGGER t AFTER INSERT ON modx_shop BEGIN DELETE FROM modx_shop; END'),
    invalid,
    /trigger t, which is not a plain table/,
  ],
  ['with a virtual table', after('CREATE VIRTUAL TABLE modx_f USING fts5(a)'), invalid, /table modx_f, which is not/],
  [
    'with a computed column',
    after('ALTER TABLE modx_shop ADD COLUMN more TEXT AS (hex(title)) VIRTUAL'),
    invalid,
    /column more of the table modx_shop is computed/,
  ],
  [
    'with an index on an expression',
    after('CREATE INDEX i ON modx_shop (hex(title))'),
    invalid,
    /index i of the table modx_shop/,
  ],
  [
    'with a partial index',
    after("CREATE INDEX i ON modx_shop (title) WHERE title > ''"),
    invalid,
    /index i of the table modx_shop/,
  ],
  [
    'with SQL in a type',
    after('CREATE TABLE modx_bad (id INTEGER PRIMARY KEY, c "int); DROP TABLE modx_users; --")'),
    invalid,
    /type of the column c of the table modx_bad is not accepted/,
  ],
  [
    'with control characters in a name',
    after('CREATE TABLE "modx_a\nb" (id INTEGER PRIMARY KEY)'),
    invalid,
    /a name in the table modx_a\nb is not accepted/,
  ],
  [
    'with a next id that is a text',
    after("UPDATE sqlite_sequence SET seq = 'x' WHERE name = 'modx_site_content'"),
    invalid,
    /next id of a table is not a number/,
  ],
  [
    'with a row that would fill the memory',
    after('CREATE TABLE modx_big (a BLOB)', 'INSERT INTO modx_big VALUES (zeroblob(67108865))'),
    invalid,
    /a row of the table modx_big is larger than 64 MiB/,
  ],
  [
    'with a newer migration',
    after("INSERT INTO hcd_migrations VALUES ('2099-01-01T01-own-future', 1, 1, '9.9.9')"),
    'backup_newer',
    /written by hcd 9.9.9 and holds migration 2099-01-01T01-own-future/,
  ],
  ['without migrations', after('DELETE FROM hcd_migrations'), invalid, /names no migration/],
  ['without a ledger', after('DROP TABLE hcd_migrations'), invalid, /names no migration/],
  [
    'with a ledger of another shape',
    after('DROP TABLE hcd_migrations', 'CREATE TABLE hcd_migrations (a BLOB)'),
    invalid,
    /names no migration|cannot be read/,
  ],
  [
    'with a table of hcd that it does not know',
    after('CREATE TABLE hcd_other (id INTEGER PRIMARY KEY)'),
    invalid,
    /table hcd_other, which hcd does not know/,
  ],
  [
    'with a known table in other letters',
    after('DROP TABLE modx_categories', 'CREATE TABLE modx_Categories (id INTEGER PRIMARY KEY)'),
    invalid,
    /table Categories, which hcd does not know/,
  ],
  [
    'with a value that does not fit',
    after("UPDATE modx_site_content SET pagetitle = printf('%0500d', 1) WHERE id = 5"),
    'refused',
    /row id 5 of modx_site_content cannot be copied/,
  ],
];

describeEachDatabase('a backup', (database) => {
  let target: string | undefined;
  // What is refused before a table is made does not depend on the database.
  const onMariadb = /table hcd_other|row id|row of the table/;
  const mine = cases.filter(([, , code, { source }]) =>
    database.name === 'sqlite' ? code !== 'refused' || !/row id/.test(source) : onMariadb.test(source),
  );

  test.each(mine)('%s is refused and changes nothing', async (_name, mutate, code, message) => {
    if (target === undefined) {
      target = await database.url();
      await makeOwnStore(target, { site_content: [{ id: 77, pagetitle: 'Kept' }] });
    }
    const before = await tablesOf(target, '');
    const file = join(await makeTempDir('backup'), 'a.backup');
    writeFileSync(file, await pack(await mutate(await smallStore())));
    const refused = await run(['restore', file, '--database', target, '--yes']);
    expect(refused).toMatchObject({ code: 1, error: { code, message: expect.stringMatching(message) } });
    expect(await tablesOf(target, '')).toEqual(before);
    expect(await rowsOf(target, 'modx_site_content', ['id', 'pagetitle'])).toEqual(['[77,"Kept"]']);
  });

  test('with SQL in the default of a bit field has no such default', async () => {
    const into = await database.url();
    const bad =
      "CREATE TABLE modx_bits (id INTEGER PRIMARY KEY, b BIT(4) NULL DEFAULT '1, evil INT', c BIT(4) DEFAULT 5)";
    const file = join(await makeTempDir('backup'), 'a.backup');
    writeFileSync(file, await pack(await after(bad)(await smallStore())));
    expect(await run(['restore', file, '--database', into])).toMatchObject({ code: 0 });
    expect(await columnsOf(into, 'modx_bits')).toEqual(['id', 'b', 'c']);
  });

  test('with rows that cannot be read by their key is refused', async () => {
    const into = await database.url();
    const made = 'CREATE TABLE modx_nulls (a VARCHAR(9), b INT, PRIMARY KEY (a, b))';
    const rows =
      'INSERT INTO modx_nulls WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT NULL, i FROM n';
    const file = join(await makeTempDir('backup'), 'a.backup');
    writeFileSync(file, await pack(await after(made, rows)(await smallStore())));
    const refused = await run(['restore', file, '--database', into]);
    expect(refused).toMatchObject({ code: 1, error: { code: 'refused' } });
    expect(refused.error?.message).toMatch('modx_nulls has 300 rows, but its copy has 200 or other ones');
  });

  test('names with quotes are names and nothing else', async () => {
    const into = await database.url();
    const odd = 'modx_sh`op"; DROP TABLE x; --';
    const rename = `ALTER TABLE modx_shop RENAME TO "${odd.replace('"', '""')}"`;
    const file = join(await makeTempDir('backup'), 'a.backup');
    writeFileSync(file, await pack(await after(rename)(await smallStore())));
    expect(await run(['restore', file, '--database', into])).toMatchObject({ code: 0 });
    expect(await tablesOf(into, 'modx_sh')).toEqual([odd]);
  });
});
