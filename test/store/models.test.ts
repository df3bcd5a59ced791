/** Models on our connections: finders, changes, transactions, and what Sequelize must not do with values. */
import { Op } from 'sequelize';
import { expect, it, onTestFinished } from 'vitest';
import { errorChain } from '../../src/log/observation.js';
import type { Database } from '../../src/store/base/database.js';
import {
  commaList,
  end,
  flag,
  id,
  integer,
  json,
  jsonTexts,
  key,
  named,
  optional,
  orNull,
  text,
  time,
} from '../../src/store/models/columns.js';
import { defineModel } from '../../src/store/models/model.js';
import { describeEachDatabase, freshSqliteUrl, type TestDatabase } from '../support/databases.js';
import { opened, rows, run } from './opened.js';

const notes = defineModel('hcd_notes', {
  id: id(),
  title: text(20),
  bodyText: orNull(text()),
  endsOn: orNull(end()),
  labels: commaList(),
  texts: jsonTexts(),
  hits: integer(),
  madeOn: time(),
});

const note = { title: 'one', labels: ['a', 'b'], texts: ['x,y', 'ü'], hits: 0, madeOn: 1_700_000_000_123 };

async function withNotes(database: TestDatabase): Promise<Database> {
  const db = await opened({ url: await database.url() });
  const counted = db.dialect === 'sqlite' ? 'INTEGER PRIMARY KEY AUTOINCREMENT' : 'int PRIMARY KEY AUTO_INCREMENT';
  const columns = 'body_text text, ends_on bigint, labels text NOT NULL, texts text NOT NULL, hits int NOT NULL';
  await run(
    db,
    `CREATE TABLE hcd_notes (id ${counted}, title varchar(20) NOT NULL UNIQUE, ${columns}, made_on bigint NOT NULL)`,
  );
  return db;
}

describeEachDatabase('a model', (database) => {
  it('writes and reads rows with decoded values', async () => {
    const db = await withNotes(database);
    const noteId = await db.write((tx) => notes.on(tx).create({ ...note, endsOn: 1_700_000_001_999 }));
    expect(noteId).toBe(1);
    const expected = { ...note, id: 1, bodyText: null, endsOn: 1_700_000_001_000 };
    expect(await notes.on(db).findAll()).toEqual([expected]);
    expect(await notes.on(db.primary).findOne({ where: { title: 'one' } })).toEqual(expected);
    expect(await notes.on(db).findOne({ where: { title: 'two' } })).toBeNull();
  });

  it('changes and removes rows, and says how many', async () => {
    const db = await withNotes(database);
    const titles = ['one', 'two', 'three'];
    await db.write((tx) => notes.on(tx).bulkCreate(titles.map((title) => ({ ...note, title }))));
    const changed = await db.write((tx) =>
      notes.on(tx).update({ hits: 7, labels: [] }, { where: { title: { [Op.in]: ['one', 'two'] }, bodyText: null } }),
    );
    expect(changed).toBe(2);
    expect(await notes.on(db).count({ where: { hits: 7 } })).toBe(2);
    expect(await db.write((tx) => notes.on(tx).destroy({ where: { hits: 7 }, limit: 1 }))).toBe(1);
    const left = await notes.on(db).findAll({ order: [['title', 'DESC']], limit: 5 });
    expect(left.map(({ title, labels }) => [title, labels])).toEqual([
      ['two', []],
      ['three', ['a', 'b']],
    ]);
  });

  it('looks up the rows that have one of some values, in an order', async () => {
    const db = await withNotes(database);
    const made = ['b', 'a', 'c', 'd'].map((title) => ({ ...note, title, hits: title === 'd' ? 1 : 0 }));
    await db.write((tx) => notes.on(tx).bulkCreate(made));
    const attributes = ['hits', 'title'] as const;
    const titled = (title: string, hits = 0) => ({ title, hits });
    const { lookUpAll } = notes.on(db);
    const order = ['title'] as const;
    expect(await lookUpAll({ hits: 0, title: ['d', 'c', 'a'] }, { attributes, order })).toEqual(
      ['a', 'c'].map((title) => titled(title)),
    );
    expect(await lookUpAll({}, { attributes, order: ['hits', 'title'], limit: 2 })).toEqual(
      ['a', 'b'].map((title) => titled(title)),
    );
    expect(await lookUpAll({ title: ['d'] }, { attributes })).toEqual([titled('d', 1)]);
    expect(await lookUpAll({ title: [] })).toEqual([]);
    expect(await lookUpAll({ title: 'a' })).toMatchObject([{ ...note, id: 2, title: 'a' }]);
    await db.write(async (tx) => {
      expect(await notes.on(tx).lookUpAll({ id: 1 }, { attributes, lock: true })).toEqual([titled('b')]);
    });
  });

  it('replaces the named values of a row whose primary key is taken', async () => {
    const db = await withNotes(database);
    for (const hits of [1, 2]) {
      const row = { ...note, id: 1, hits, madeOn: 10 * hits };
      await db.write((tx) => notes.on(tx).bulkCreate([row], { updateOnDuplicate: ['hits'] }));
    }
    expect(await notes.on(db).findAll()).toMatchObject([{ hits: 2, madeOn: 10 }]);
  });

  it('takes part in the transaction that it is given', async () => {
    const db = await withNotes(database);
    const failed = db.write(async (tx) => {
      await notes.on(tx).create(note);
      expect(await tx.select({ sql: 'SELECT title FROM hcd_notes', params: [] })).toEqual([['one']]);
      expect(await notes.on(tx).count()).toBe(1);
      expect(await notes.on(db).count()).toBe(0);
      throw new Error('stop');
    });
    await expect(failed).rejects.toThrow('stop');
    expect(await notes.on(db).count()).toBe(0);
  });

  it('takes every text for a text', async () => {
    const db = await withNotes(database);
    const texts = ["'", "''; --", '\\', "\\' OR 1=1 #", '%_', '?', ':a $1 $$', '😀', 'á', '"', '`', '\n\r\t\x1a'];
    for (const title of texts) {
      await db.write((tx) => notes.on(tx).create({ ...note, title, bodyText: title }));
      expect(await notes.on(db).findAll({ where: { bodyText: title } })).toMatchObject([{ title, bodyText: title }]);
      expect(await notes.on(db).count({ where: { title: `${title}\0` } })).toBe(0);
      expect(await db.write((tx) => notes.on(tx).update({ hits: 1 }, { where: { bodyText: title } }))).toBe(1);
      expect(await db.write((tx) => notes.on(tx).destroy({ where: { bodyText: `${title}\0` } }))).toBe(0);
      expect(await db.write((tx) => notes.on(tx).destroy({ where: { bodyText: title } }))).toBe(1);
    }
  });

  it('translates errors, and none of them shows a value', async () => {
    const db = await withNotes(database);
    await db.write((tx) => notes.on(tx).create(note));
    await expect(db.write((tx) => notes.on(tx).create(note))).rejects.toMatchObject({ code: 'conflict' });
    const missing = defineModel('hcd_missing', { id: id(), secret: text() });
    const asked = [
      () => missing.on(db).findAll({ where: { secret: 'my-secret' } }),
      () => db.write((tx) => missing.on(tx).create({ secret: 'my-secret' })),
      () => db.write((tx) => missing.on(tx).update({ secret: 'my-secret' }, { where: { secret: 'my-secret' } })),
    ];
    for (const question of asked) {
      const error: unknown = await question().catch((thrown: unknown) => thrown);
      // SQLite has no code of its own for a table that is missing.
      expect(error).toMatchObject({ code: db.dialect === 'mariadb' ? 'database_not_ready' : 'internal_error' });
      const logged = errorChain(error).join('\n');
      expect(logged).toContain('hcd_missing');
      expect(logged).not.toContain('my-secret');
    }
  });
});

/** Tables of a site, whose names have its prefix. */
const people = defineModel('people', {
  id: id(),
  fullName: named('fullname', text(20)),
  isActive: named('active', optional(flag())),
  extra: json((value) => (Array.isArray(value) ? value.length : 0)),
});
const members = defineModel('members', {
  groupKey: named('group', key(text(20))),
  personId: named('person', key(integer())),
  rank: optional(integer()),
});

async function withPeople(database: TestDatabase): Promise<Database> {
  const db = await opened({ url: await database.url() });
  const counted = db.dialect === 'sqlite' ? 'INTEGER PRIMARY KEY AUTOINCREMENT' : 'int PRIMARY KEY AUTO_INCREMENT';
  const columns = 'fullname varchar(20) NOT NULL UNIQUE, active tinyint NOT NULL DEFAULT 1, extra text';
  await run(db, `CREATE TABLE x_people (id ${counted}, ${columns})`);
  const group = '`group` varchar(20) NOT NULL';
  await run(
    db,
    `CREATE TABLE x_members (${group}, person int NOT NULL, \`rank\` int NOT NULL DEFAULT 5, PRIMARY KEY (\`group\`, person))`,
  );
  await db.write(async (tx) => {
    await people.on(tx, 'x_').bulkCreate([
      { fullName: 'Ann', isActive: true, extra: 0 },
      { fullName: 'Bob', isActive: false, extra: 0 },
    ]);
    await members.on(tx, 'x_').bulkCreate([
      { groupKey: 'a', personId: 1 },
      { groupKey: 'b', personId: 1 },
      { groupKey: 'b', personId: 9 },
    ]);
  });
  return db;
}

describeEachDatabase('a model of a site', (database) => {
  it('reads columns with other names, defaults and flags', async () => {
    const db = await withPeople(database);
    const found = await people.on(db, 'x_').findAll({ where: { isActive: true } });
    expect(found).toEqual([{ id: 1, fullName: 'Ann', isActive: true, extra: 0 }]);
    expect(await people.on(db, 'x_').lookUp({ fullName: 'Bob' })).toMatchObject({ id: 2, isActive: false });
  });

  it('leaves what a new row does not name to the defaults of the table', async () => {
    const db = await withPeople(database);
    const made = await db.write((tx) => people.on(tx, 'x_').create({ fullName: 'Cid', extra: 0 }));
    expect(await people.on(db, 'x_').lookUp({ id: made })).toMatchObject({ fullName: 'Cid', isActive: true });
  });

  it('reads chosen attributes, in pages', async () => {
    const db = await withPeople(database);
    const page = { attributes: ['fullName'], order: [['fullName', 'DESC']], limit: 1, offset: 1 } as const;
    expect(await people.on(db, 'x_').findAll({ ...page, order: [['fullName', 'DESC']] })).toEqual([
      { fullName: 'Ann' },
    ]);
  });

  it('counts by group, and finds the largest value', async () => {
    const db = await withPeople(database);
    const counted = await members.on(db, 'x_').count({ group: ['groupKey'], where: { rank: 5 } });
    expect(counted).toEqual([
      { groupKey: 'a', count: 1 },
      { groupKey: 'b', count: 2 },
    ]);
    expect(await members.on(db, 'x_').max('personId')).toBe(9);
    expect(await members.on(db, 'x_').max('personId', { where: { rank: 6 } })).toBeNull();
  });

  it('leaves or changes a row whose key is taken', async () => {
    const db = await withPeople(database);
    const row = { groupKey: 'a', personId: 1, rank: 8 };
    const ranks = async () =>
      (await members.on(db, 'x_').findAll({ order: ['groupKey', 'personId'] })).map(({ rank }) => rank);
    await db.write((tx) => members.on(tx, 'x_').bulkCreate([row, { ...row, personId: 2 }], { ignoreDuplicates: true }));
    expect(await ranks()).toEqual([5, 8, 5, 5]);
    await db.write((tx) => members.on(tx, 'x_').bulkCreate([row], { updateOnDuplicate: ['rank'] }));
    expect(await ranks()).toEqual([8, 8, 5, 5]);
    const conflictAttributes: ['fullName'] = ['fullName'];
    const ann = { fullName: 'Ann', isActive: false, extra: 0 };
    await db.write((tx) => people.on(tx, 'x_').bulkCreate([ann], { ignoreDuplicates: true, conflictAttributes }));
    expect(await people.on(db, 'x_').lookUp({ id: 1 })).toMatchObject({ isActive: true });
    await db.write((tx) =>
      people.on(tx, 'x_').bulkCreate([ann], { updateOnDuplicate: ['isActive'], conflictAttributes }),
    );
    expect(await people.on(db, 'x_').lookUp({ id: 1 })).toMatchObject({ isActive: false });
  });
});

it('a model cannot write outside a transaction on SQLite', async () => {
  const db = await withNotes({ name: 'sqlite', url: freshSqliteUrl });
  const written = db.query('hcd_notes', ({ sequelize, transaction }) =>
    sequelize.query("INSERT INTO hcd_notes (title) VALUES ('x')", { transaction }),
  );
  await expect(written).rejects.toMatchObject({ name: 'AppError' });
  expect(await rows(db, 'SELECT COUNT(*) FROM hcd_notes')).toEqual([[0]]);
  onTestFinished(() => db.close());
});
