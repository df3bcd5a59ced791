/** Tables of extras with parts that one of the databases lacks: each part is kept or named, also after a copy back. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { openStore } from '../../../src/store/open/open.js';
import { runCli } from '../../support/cli.js';
import { describeWithMariadb, freshMariadbUrl, freshSqliteUrl } from '../../support/databases.js';
import { makeTempDir } from '../../support/temp-dir.js';
import { change, copy, makeOwnStore, rowsOf, select } from './stores.js';

const made = [
  'CREATE TABLE modx_shop (id int unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, name varchar(255) NOT NULL, raw varbinary(90), url text, UNIQUE KEY start (name(3)), UNIQUE KEY pair (name(20), raw), UNIQUE KEY url (url(300)))',
  "INSERT INTO modx_shop (name) VALUES ('alpha'), ('beta')",
  'CREATE TABLE modx_code (code varchar(20) NOT NULL PRIMARY KEY, n int unsigned NOT NULL AUTO_INCREMENT, UNIQUE KEY n (n)) AUTO_INCREMENT=50',
  'CREATE TABLE modx_free (n bigint NOT NULL AUTO_INCREMENT, KEY n (n)) AUTO_INCREMENT=70',
  'CREATE TABLE modx_pair (id int NOT NULL AUTO_INCREMENT, lang char(2) NOT NULL, PRIMARY KEY (id, lang)) AUTO_INCREMENT=90',
  String.raw`CREATE TABLE modx_texts (id int PRIMARY KEY, a varchar(50) DEFAULT 'it''s \\\\ \n\r\t "', b enum('x\ny','\\\\') DEFAULT '\\\\')`,
  'CREATE TABLE modx_place (id int PRIMARY KEY, title varchar(20), at point NOT NULL)',
  "INSERT INTO modx_place VALUES (1, 'here', POINT(1, 2))",
];
const others = [
  'CREATE TABLE modx_grouped (grp char(2) NOT NULL, id int NOT NULL AUTO_INCREMENT, PRIMARY KEY (grp, id)) ENGINE=MyISAM',
  "CREATE TABLE modx_long (id int PRIMARY KEY, note text DEFAULT 'it''s */ new')",
  'CREATE TABLE modx_kept (a int PRIMARY KEY, b int) WITH SYSTEM VERSIONING',
  'INSERT INTO modx_kept VALUES (1, 1)',
  'UPDATE modx_kept SET b = 2',
  'CREATE TABLE modx_child (id int PRIMARY KEY, parent int, twice int AS (parent * 2) VIRTUAL, word varchar(40) NOT NULL DEFAULT (uuid()), CONSTRAINT to_pair FOREIGN KEY (parent) REFERENCES modx_pair (id))',
  'CREATE VIEW modx_children AS SELECT id FROM modx_child',
  'CREATE TRIGGER modx_upper BEFORE INSERT ON modx_site_content FOR EACH ROW SET NEW.pagetitle = UPPER(NEW.pagetitle)',
];
const noPlace = 'modx_place: the target has no place for the columns at.';
const notUnique =
  'SQLite has no indexes that are unique on the first characters of a column, so these are not unique there: modx_shop.pair, modx_shop.start, modx_shop.url.';
const notCounted = (names: string) => `The target does not count in these columns (AUTO_INCREMENT): ${names}.`;
const lossesInSqlite = [notUnique, notCounted('modx_code.n, modx_free.n, modx_pair.id')];

async function makeSite(url: string, statements: readonly string[]): Promise<string> {
  await makeOwnStore(url);
  await change(url, statements);
  return url;
}

/** Keys and counters of the tables, as the server prints them. */
async function expectSameKeys(source: string, target: string): Promise<void> {
  const keys = async (url: string, table: string) =>
    String((await select(url, `SHOW CREATE TABLE ${table}`))[0]?.[1]).match(/\bKEY .*?\)(?=,?\n)|AUTO_INCREMENT=\d+/g);
  for (const table of ['modx_shop', 'modx_code', 'modx_free', 'modx_pair']) {
    expect([table, await keys(target, table)]).toEqual([table, await keys(source, table)]);
  }
}

describeWithMariadb('a copy of unusual tables', () => {
  test.each([
    ['SQLite', freshSqliteUrl, lossesInSqlite],
    ['MariaDB', freshMariadbUrl, []],
  ])('to %s names what is lost, and a copy back has it again', async (_name, fresh, losses) => {
    const [source, middle, end] = [
      await makeSite(await freshMariadbUrl(), made),
      await fresh(),
      await freshMariadbUrl(),
    ];
    expect((await copy(source, middle, { dryRun: true })).data?.notes).toEqual(losses);
    expect(await copy(source, middle)).toMatchObject({ code: 0, data: { notes: [...losses, noPlace] } });
    expect((await copy(middle, end)).code).toBe(0);
    await expectSameKeys(source, end);
    for (const url of [source, middle, end]) await change(url, ['INSERT INTO modx_texts (id) VALUES (1)']);
    const texts = JSON.stringify(['it\'s \\\\ \n\r\t "', '\\\\']);
    expect([await rowsOf(middle, 'modx_texts', ['a', 'b']), await rowsOf(end, 'modx_texts', ['a', 'b'])]).toEqual([
      [texts],
      [texts],
    ]);
    if (losses.length === 0) return;
    await change(middle, ["INSERT INTO modx_shop (id, name) VALUES (7, 'alphabet')"]);
    expect((await copy(middle, await freshMariadbUrl())).error?.message).toMatch(/^The row id 7 of modx_shop cannot/);
  });

  test('names what is never made, and keeps the default of a long text', async () => {
    const [source, target] = [await makeSite(await freshMariadbUrl(), [...made, ...others]), await freshMariadbUrl()];
    expect((await copy(source, target)).data?.notes.slice(1)).toEqual([
      notCounted('modx_grouped.id'),
      'Not made in the target: the computed columns modx_child.twice; their values are copied.',
      'Not made in the target: the default expressions modx_child.word.',
      'Not made in the target: the foreign keys modx_child.to_pair.',
      'Not made in the target: the triggers modx_upper.',
      'Not made in the target: the views modx_children.',
      noPlace,
    ]);
    await change(target, ['INSERT INTO modx_long (id) VALUES (3)']);
    expect(await rowsOf(target, 'modx_long', ['note'])).toEqual([`["it's */ new"]`]);
    expect(await rowsOf(target, 'modx_kept', ['a', 'b'])).toEqual(['[1,2]']);
  });

  test('from a backup names in the restore what only SQLite loses', async () => {
    const source = await makeSite(await freshMariadbUrl(), made);
    const file = join(await makeTempDir('unusual'), 'site.backup');
    const run = async (command: string, url: string, path = file) =>
      (await runCli([command, path], { openStore, clock: systemClock, env: { HCD_DATABASE_URL: url } })).stderr;
    const [server, embedded] = [await freshMariadbUrl(), await freshSqliteUrl()];
    expect([await run('backup', source), await run('restore', server)]).toEqual([`${noPlace}\n`, '']);
    await expectSameKeys(source, server);
    expect(await run('restore', embedded)).toBe(`${lossesInSqlite.join('\n')}\n`);
    expect(await run('backup', embedded, `${file}-again`)).toBe('');
  });
});

test('a copy of a SQLite file names the views, triggers, foreign keys and virtual tables of extras', async () => {
  const source = await makeSite(await freshSqliteUrl(), [
    'CREATE TABLE modx_child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES modx_site_content (id))',
    'CREATE VIEW modx_children AS SELECT id FROM modx_child',
    'CREATE TRIGGER modx_follow AFTER DELETE ON modx_child BEGIN DELETE FROM modx_child WHERE parent = old.id; END',
    'CREATE VIRTUAL TABLE modx_words USING fts5(words)',
  ]);
  const unmade = [
    'foreign keys modx_child.parent',
    'triggers modx_follow',
    'views modx_children',
    'virtual tables modx_words',
  ];
  expect((await copy(source, await freshSqliteUrl())).data?.notes).toEqual(
    unmade.map((one) => `Not made in the target: the ${one}.`),
  );
});
