/** The named differences of the two databases: the same question has the same answer on both. */
import { expect, it } from 'vitest';
import type { Database } from '../../src/store/base/database.js';
import { dialectOf, isExactCollation } from '../../src/store/base/dialect.js';
import { maintenanceLimits } from '../../src/store/base/limits.js';
import { foldText } from '../../src/store/sqlite/fold.js';
import { describeEachDatabase, describeWithMariadb, freshMariadbUrl, type TestDatabase } from '../support/databases.js';
import { opened, rows, run } from './opened.js';

const words = [
  'a',
  'A',
  'ä',
  'Ä',
  'a ',
  ' a',
  'á',
  'b',
  '',
  'Z',
  'z',
  'ß',
  'ss',
  '😀',
  '\u{10000}',
  '\uffee',
  'İ',
  'σ',
  'Σ',
  'ς',
  '100%',
  '100',
  'a_b',
  'axb',
  'a!b',
];

/** A table of all words, in columns of several collations on MariaDB. */
async function wordTable(database: TestDatabase): Promise<Database> {
  const db = await opened({ url: await database.url() });
  const columns =
    db.dialect === 'sqlite'
      ? 'loose TEXT, bin TEXT, exact TEXT'
      : `loose VARCHAR(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci,
         bin VARCHAR(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
         exact VARCHAR(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin`;
  await run(db, `CREATE TABLE words (id INTEGER PRIMARY KEY, ${columns})`, 'CREATE INDEX words_loose ON words (loose)');
  await db.write(async (tx) => {
    for (const [at, word] of words.entries()) {
      await tx.run({ sql: 'INSERT INTO words VALUES (?, ?, ?, ?)', params: [at, word, word, word] });
    }
  });
  return db;
}

describeEachDatabase('text in SQL', (database) => {
  it('is equal only to itself: case, accents and trailing spaces count', async () => {
    const db = await wordTable(database);
    const { exactText, exactMark } = dialectOf(db.dialect);
    for (const [at, word] of words.entries()) {
      for (const column of ['loose', 'bin']) {
        const sql = `SELECT id FROM words WHERE ${column} = ? AND ${exactText(column)} = ${exactMark}`;
        expect(await rows(db, sql, word, word), `${column} ${JSON.stringify(word)}`).toEqual([[at]]);
      }
      expect(await rows(db, 'SELECT id FROM words WHERE exact = ?', word)).toEqual([[at]]);
    }
  });

  it('sorts by code point, whatever the collation', async () => {
    const db = await wordTable(database);
    const { exactText } = dialectOf(db.dialect);
    const sorted = [...words].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
    for (const order of [exactText('loose'), exactText('bin'), 'exact']) {
      expect((await rows(db, `SELECT loose FROM words ORDER BY ${order}, id`)).flat()).toEqual(sorted);
    }
  });

  it('is found in a range by code point', async () => {
    const db = await wordTable(database);
    const { exactText, exactMark } = dialectOf(db.dialect);
    for (const word of words) {
      const sql = `SELECT loose FROM words WHERE ${exactText('loose')} > ${exactMark} ORDER BY ${exactText('loose')}`;
      const greater = words.filter((other) => Buffer.compare(Buffer.from(other), Buffer.from(word)) > 0);
      expect((await rows(db, sql, word)).length, JSON.stringify(word)).toBe(greater.length);
    }
  });

  it.each([
    ['another case', 'A', ['a', 'A']],
    ['an accent', 'Ä', ['ä', 'Ä']],
    ['a final sigma', 'ς', ['ς']],
    ['a sigma', 'Σ', ['σ', 'Σ']],
    ['sharp s', 'SS', ['ss']],
    ['a wildcard', 'A_B', ['a_b', 'axb', 'a!b']],
    ['an escaped wildcard', 'a!_b', ['a_b']],
    ['the escape sign', 'a!!b', ['a!b']],
    ['a percent sign', '%!%%', ['100%']],
    ['one letter beyond the basic plane', '_', words.filter((word) => [...word].length === 1)],
  ])('matches LIKE without case but with accents: %s', async (_name, pattern, found) => {
    const db = await wordTable(database);
    const { foldedText, foldedMark } = dialectOf(db.dialect);
    for (const column of ['loose', 'bin', 'exact']) {
      const sql = `SELECT loose FROM words WHERE ${foldedText(column)} LIKE ${foldedMark} ESCAPE '!' ORDER BY id`;
      expect((await rows(db, sql, pattern)).flat(), column).toEqual(found);
    }
  });

  it('puts NULL first ascending and last descending', async () => {
    const db = await opened({ url: await database.url() });
    await run(db, 'CREATE TABLE n (v VARCHAR(5))', "INSERT INTO n VALUES ('b'), (NULL), ('a')");
    const { exactText } = dialectOf(db.dialect);
    expect(await rows(db, `SELECT v FROM n ORDER BY ${exactText('v')}`)).toEqual([[null], ['a'], ['b']]);
    expect(await rows(db, `SELECT v FROM n ORDER BY ${exactText('v')} DESC`)).toEqual([['b'], ['a'], [null]]);
  });

  it('becomes the integer at its start', async () => {
    const db = await opened({ url: await database.url() });
    await run(db, 'CREATE TABLE t (id INTEGER PRIMARY KEY, v VARCHAR(20))');
    const texts = ['12', '0', '', '7x', 'x7', ' 5', '-3', '1e3'];
    await db.write(async (tx) => {
      for (const [at, text] of texts.entries())
        await tx.run({ sql: 'INSERT INTO t VALUES (?, ?)', params: [at, text] });
    });
    const { textToInteger } = dialectOf(db.dialect);
    expect((await rows(db, `SELECT ${textToInteger('v')} FROM t ORDER BY id`)).flat()).toEqual([
      12, 0, 0, 7, 0, 5, -3, 1,
    ]);
  });

  it('names columns that are reserved words or hold a back-quote', async () => {
    const db = await opened({ url: await database.url() });
    const { quote } = dialectOf(db.dialect);
    await run(db, `CREATE TABLE ${quote('select')} (${quote('rank')} INTEGER, ${quote('a`b')} INTEGER)`);
    await run(db, `INSERT INTO ${quote('select')} VALUES (1, 2)`);
    expect(await rows(db, `SELECT ${quote('rank')}, ${quote('a`b')} FROM ${quote('select')}`)).toEqual([[1, 2]]);
  });
});

describeEachDatabase('upsert', (database) => {
  it('inserts, changes the named columns, or leaves the row as it is', async () => {
    const db = await opened({ url: await database.url() });
    const { upsert } = dialectOf(db.dialect);
    await run(db, 'CREATE TABLE u (a INTEGER, b INTEGER, v VARCHAR(9), w VARCHAR(9), PRIMARY KEY (a, b))');
    const spec = { table: 'u', columns: ['a', 'b', 'v', 'w'], key: ['a', 'b'] };
    const put = (update: readonly string[], v: string) =>
      db.write((tx) => tx.run({ sql: upsert({ ...spec, update }), params: [1, 2, v, v] }));
    await put([], 'one');
    await put([], 'two');
    expect(await rows(db, 'SELECT * FROM u')).toEqual([[1, 2, 'one', 'one']]);
    await put(['v'], 'three');
    expect(await rows(db, 'SELECT * FROM u')).toEqual([[1, 2, 'three', 'one']]);
    const several = upsert({ ...spec, update: ['w'], rows: 2 });
    await db.write((tx) => tx.run({ sql: several, params: [1, 2, 'four', 'four', 3, 4, 'new', 'new'] }));
    expect(await rows(db, 'SELECT * FROM u ORDER BY a')).toEqual([
      [1, 2, 'three', 'four'],
      [3, 4, 'new', 'new'],
    ]);
  });
});

it.each([
  [null, true],
  ['binary', true],
  ['utf8mb4_nopad_bin', true],
  ['utf8mb4_0900_bin', true],
  ['utf8mb4_bin', false],
  ['ascii_bin', false],
  ['utf8mb4_general_ci', false],
  ['utf8mb4_0900_as_cs', false],
])('knows whether the collation %s compares exactly', (collation, exact) => {
  expect(isExactCollation(collation)).toBe(exact);
});

describeWithMariadb('MariaDB', () => {
  it('folds every code point as hcd_fold does', async () => {
    const db = await opened({ url: await freshMariadbUrl(), limits: maintenanceLimits });
    const { foldedText } = dialectOf('mariadb');
    const letter = 'CONVERT(CHAR(seq USING utf32) USING utf8mb4)';
    const folded = await rows(
      db,
      `SELECT seq, ${foldedText(letter)} FROM seq_1_to_1114111 WHERE seq NOT BETWEEN 55296 AND 57343`,
    );
    expect(folded.length).toBe(1_112_063);
    const different = folded.filter(([seq, lower]) => foldText(String.fromCodePoint(Number(seq))) !== lower);
    expect(different.map(([seq]) => Number(seq).toString(16))).toEqual([]);
  });

  it('still uses the index of a loose column for exact equality', async () => {
    const db = await opened({ url: await freshMariadbUrl() });
    await run(db, 'CREATE TABLE t (id INTEGER PRIMARY KEY, v VARCHAR(50) COLLATE utf8mb4_general_ci, KEY v (v))');
    await run(db, "INSERT INTO t SELECT seq, CONCAT('v', seq) FROM seq_1_to_2000", 'ANALYZE TABLE t');
    const { exactText, exactMark } = dialectOf('mariadb');
    const [plan] = await rows(
      db,
      `EXPLAIN SELECT id FROM t WHERE v = ? AND ${exactText('v')} = ${exactMark}`,
      'v7',
      'v7',
    );
    expect([plan?.[3], plan?.[5]]).toEqual(['ref', 'v']);
  });

  it.each([
    ['latin1', 'latin1_general_ci'],
    ['utf8mb3', 'utf8mb3_unicode_ci'],
  ])('finds nothing, without an error, for an emoji in a %s column', async (charset, collation) => {
    const db = await opened({ url: await freshMariadbUrl() });
    await run(
      db,
      `CREATE TABLE t (id INTEGER PRIMARY KEY, v VARCHAR(50) CHARACTER SET ${charset} COLLATE ${collation}, KEY v (v))`,
      "INSERT INTO t SELECT seq, CONCAT('v', seq) FROM seq_2_to_2000",
      "INSERT INTO t VALUES (1, 'é')",
      'ANALYZE TABLE t',
    );
    const { exactText, exactMark, candidateMark, foldedText, foldedMark } = dialectOf('mariadb');
    const equal = `SELECT v FROM t WHERE v = ${candidateMark({ charset, collation })} AND ${exactText('v')} = ${exactMark}`;
    expect(await rows(db, equal, '😀', '😀')).toEqual([]);
    expect(await rows(db, equal, 'é', 'é')).toEqual([['é']]);
    expect(await rows(db, equal, 'É', 'É')).toEqual([]);
    const [plan] = await rows(db, `EXPLAIN ${equal}`, 'é', 'é');
    expect([plan?.[3], plan?.[5]]).toEqual(['ref', 'v']);
    await expect(rows(db, 'SELECT v FROM t WHERE v = ?', '😀')).rejects.toMatchObject({ code: 'validation_failed' });
    const like = `SELECT v FROM t WHERE ${foldedText('v')} LIKE ${foldedMark} ESCAPE '!'`;
    expect(await rows(db, like, '😀%')).toEqual([]);
    expect(await rows(db, like, 'É')).toEqual([['é']]);
    await expect(
      db.write((tx) => tx.run({ sql: 'INSERT INTO t VALUES (3000, ?)', params: ['😀'] })),
    ).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });
});
