/** Backups with the right outside and a wrong inside: refused with the line or the table, and nothing is changed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { sha256Hex } from '../../../src/crypto/hash.js';
import { openStore } from '../../../src/store/open/open.js';
import { runCli } from '../../support/cli.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { makeTempDir } from '../../support/temp-dir.js';
import { change, makeOwnStore, rowsOf, tablesOf } from '../copy/stores.js';
import { pack, unpack } from './pieces.js';

type Lines = readonly string[];

let made: Promise<Lines> | undefined;

/** The lines of a small backup. */
function smallBackup(): Promise<Lines> {
  made ??= (async () => {
    const source = await freshSqliteUrl();
    await makeOwnStore(source, { site_content: [{ id: 4 }, { id: 5 }] });
    await change(source, [
      'CREATE TABLE modx_shop (id INTEGER NOT NULL PRIMARY KEY, title VARCHAR(20) NULL)',
      "INSERT INTO modx_shop VALUES (1, 'one'), (2, 'two')",
    ]);
    const file = join(await makeTempDir('backup'), 'a.backup');
    expect((await run(['backup', file, '--database', source])).code).toBe(0);
    return (await unpack(readFileSync(file))).toString('utf8').trimEnd().split('\n');
  })();
  return made;
}

async function run(
  words: readonly string[],
): Promise<{ code: number | null; error?: { code: string; message: string } }> {
  const { code, stdout } = await runCli([...words, '--json'], { openStore, clock: systemClock });
  return { code, ...JSON.parse(stdout) };
}

/** The lines with a manifest that fits them. */
function resealed(lines: Lines): Lines {
  const tables: { name: string; rows: number; sha256: string }[] = [];
  let text = '';
  for (const line of lines.slice(1, -1)) {
    if (line.startsWith('{')) {
      tables.push({ name: JSON.parse(line).table.name, rows: 0, sha256: '' });
      text = '';
    }
    text += `${line}\n`;
    const last = tables.at(-1);
    if (last !== undefined)
      Object.assign(last, { rows: last.rows + (line.startsWith('[') ? 1 : 0), sha256: sha256Hex(text) });
  }
  const { version, migrations } = JSON.parse(lines[0] ?? '').backup;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return [...lines.slice(0, -1), JSON.stringify({ manifest: { version, migrations, tables, rows } })];
}

/** Changes the line of a table, which must be there. */
function changeTable(name: string, work: (table: Record<string, unknown>) => void): (lines: Lines) => Lines {
  return (lines) => {
    const at = lines.findIndex((line) => line.startsWith(`{"table":{"name":"${name}"`));
    const value = JSON.parse(lines[at] ?? '');
    work(value.table);
    return resealed(lines.with(at, JSON.stringify(value)));
  };
}

/** Replaces the first row of the table of shop. */
function changeRow(row: string): (lines: Lines) => Lines {
  return (lines) => resealed(lines.with(lines.indexOf('[1,"one"]'), row));
}

const set = (member: string, value: unknown) => (table: object) => void Reflect.set(table, member, value);
const shopLine = (lines: Lines): string => lines.find((line) => line.startsWith('{"table":{"name":"shop"')) ?? '';

const cases: readonly [name: string, change: (lines: Lines) => Lines, code: string, message: RegExp][] = [
  ['without its manifest', (lines) => lines.slice(0, -1), 'backup_invalid', /no manifest at its end/],
  [
    'without its first line',
    (lines) => lines.slice(1),
    'backup_invalid',
    /^Line 1 .*does not begin with its first line/,
  ],
  [
    'with a missing row',
    (lines) => lines.filter((line) => line !== '[1,"one"]'),
    'backup_invalid',
    /^Line \d+ .*manifest does not fit/,
  ],
  [
    'with a changed row',
    (lines) => lines.map((line) => line.replace('"two"', '"too"')),
    'backup_invalid',
    /manifest does not fit/,
  ],
  ['with a row after the manifest', (lines) => [...lines, '[1]'], 'backup_invalid', /something follows the manifest/],
  [
    'with a second manifest',
    (lines) => [...lines, lines.at(-1) ?? ''],
    'backup_invalid',
    /something follows the manifest/,
  ],
  [
    'with a table twice',
    (lines) => resealed(lines.toSpliced(-1, 0, shopLine(lines))),
    'backup_invalid',
    /table shop is there twice/,
  ],
  [
    'with one name twice in a line',
    (lines) => lines.map((line) => line.replace('{"table":{"name":"shop"', '{"table":{"name":"shop","name":"shop"')),
    'backup_invalid',
    /same name twice/,
  ],
  [
    'with a line that is not JSON',
    (lines) => lines.toSpliced(3, 0, 'hello'),
    'backup_invalid',
    /^Line 4 of the backup/,
  ],
  ['with a row that is not JSON', changeRow('[1,"one'), 'backup_invalid', /the row is not JSON/],
  ['with a row of deep lists', changeRow(`${'['.repeat(200_000)}`), 'backup_invalid', /the row is not JSON/],
  ['with a row of another width', changeRow('[1]'), 'backup_invalid', /the row has 1 values, and the table 2 columns/],
  [
    'with an unknown kind of value',
    changeRow('[1,{"path":"/etc/passwd"}]'),
    'backup_invalid',
    /a value of the row is not accepted/,
  ],
  [
    'with an integer out of every range',
    changeRow('[{"i":"99999999999999999999"},"one"]'),
    'backup_invalid',
    /whole number is not accepted/,
  ],
  ['with a value of another type', changeRow('["x","one"]'), 'refused', /row id x of shop/],
  ['with a key twice', changeRow('[2,"one"]'), 'refused', /row id 2 of shop cannot be copied/],
  [
    'with a newer migration',
    (lines) =>
      resealed([
        (lines[0] ?? '').replace('"migrations":[', '"migrations":["2099-01-01T01-own-future",'),
        ...lines.slice(1),
      ]),
    'backup_newer',
    /holds migration 2099-01-01T01-own-future/,
  ],
  [
    'without migrations',
    (lines) => resealed([(lines[0] ?? '').replace(/"migrations":\[[^\]]*\]/, '"migrations":[]'), ...lines.slice(1)]),
    'backup_invalid',
    /names no migration/,
  ],
  [
    'with the ledger as a table',
    changeTable('shop', (table) => {
      set('name', 'hcd_migrations')(table);
      set('group', 'own')(table);
    }),
    'backup_invalid',
    /table hcd_migrations of the group own/,
  ],
  [
    'with a table of hcd that it does not know',
    changeTable('shop', (table) => {
      set('name', 'hcd_other')(table);
      set('group', 'own')(table);
    }),
    'backup_invalid',
    /table hcd_other of the group own/,
  ],
  ['with a foreign table', changeTable('shop', set('group', 'core')), 'backup_invalid', /table shop of the group core/],
  [
    'with a known table as one of an extra',
    changeTable('site_content', set('group', 'extra')),
    'backup_invalid',
    /table site_content of the group extra/,
  ],
  [
    'with a table of an unknown group',
    changeTable('shop', set('group', 'mysql')),
    'backup_invalid',
    /group of table shop is unknown/,
  ],
  [
    'with control characters in a name',
    changeTable('shop', set('name', 'a\nb')),
    'backup_invalid',
    /name of a table is not accepted/,
  ],
  [
    'with SQL in a type',
    changeTable('shop', (table) => {
      Object.assign((table['columns'] as object[])[1] ?? {}, { declared: 'int); DROP TABLE modx_users; --' });
    }),
    'backup_invalid',
    /type of column title is not accepted/,
  ],
  [
    'with SQL in the size of an index',
    changeTable('shop', set('indexes', [{ name: 'i', unique: false, parts: [{ column: 'title', length: '1)' }] }])),
    'backup_invalid',
    /length of an index is not accepted/,
  ],
  [
    'with an index of an unknown column',
    changeTable('shop', set('indexes', [{ name: 'i', unique: false, parts: [{ column: 'x', length: null }] }])),
    'backup_invalid',
    /names an unknown column/,
  ],
  [
    'with a column twice',
    changeTable('shop', (table) =>
      set('columns', [...(table['columns'] as object[]), ...(table['columns'] as object[])])(table),
    ),
    'backup_invalid',
    /has a column twice/,
  ],
  [
    'with a next id out of range',
    changeTable('shop', set('nextId', '99999999999999999999')),
    'backup_invalid',
    /whole number is not accepted/,
  ],
];

describeEachDatabase('a backup', (database) => {
  let target: string | undefined;
  // What is refused before a table is made does not depend on the database.
  const mine = cases.filter(([, , , message]) => database.name === 'sqlite' || /table|row id/.test(message.source));

  test.each(mine)('%s is refused and changes nothing', async (_name, mutate, code, message) => {
    if (target === undefined) {
      target = await database.url();
      await makeOwnStore(target, { site_content: [{ id: 77, pagetitle: 'Kept' }] });
    }
    const before = await tablesOf(target, '');
    const file = join(await makeTempDir('backup'), 'a.backup');
    writeFileSync(file, await pack(`${mutate(await smallBackup()).join('\n')}\n`));
    const refused = await run(['restore', file, '--database', target, '--yes']);
    expect(refused).toMatchObject({ code: 1, error: { code, message: expect.stringMatching(message) } });
    expect(await tablesOf(target, '')).toEqual(before);
    expect(await rowsOf(target, 'modx_site_content', ['id', 'pagetitle'])).toEqual(['[77,"Kept"]']);
  });

  test('names with quotes are names and nothing else', async () => {
    const into = await database.url();
    const odd = 'sh`op"; DROP TABLE x; --';
    const file = join(await makeTempDir('backup'), 'a.backup');
    writeFileSync(file, await pack(`${changeTable('shop', set('name', odd))(await smallBackup()).join('\n')}\n`));
    expect(await run(['restore', file, '--database', into])).toMatchObject({ code: 0 });
    expect(await tablesOf(into, 'modx_sh')).toEqual([`modx_${odd}`]);
  });
});
