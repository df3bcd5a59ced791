/** Sequelize over the SQLite driver: models, errors and transactions behave as with its own driver. */
import {
  DataTypes,
  ForeignKeyConstraintError,
  type Model,
  type ModelStatic,
  QueryTypes,
  UniqueConstraintError,
} from 'sequelize';
import { expect, it } from 'vitest';
import type { Database } from '../../src/store/base/database.js';
import { describeEachDatabase, freshSqliteUrl, type TestDatabase } from '../support/databases.js';
import { opened, rows } from './opened.js';

async function models(database: TestDatabase) {
  const db = await opened({ url: await database.url() });
  const User: ModelStatic<Model> = db.sequelize.define(
    'user',
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      name: { type: DataTypes.STRING(50), unique: true },
      active: { type: DataTypes.BOOLEAN, defaultValue: true },
      born: DataTypes.DATE,
      data: DataTypes.JSON,
    },
    { timestamps: false },
  );
  const Note: ModelStatic<Model> = db.sequelize.define('note', { text: DataTypes.TEXT }, { timestamps: false });
  Note.belongsTo(User, { foreignKey: { name: 'userId', allowNull: false } });
  await db.sequelize.sync();
  return { db, User, Note };
}

describeEachDatabase('Sequelize over our connections', (database) => {
  it('creates, finds, changes and removes records', async () => {
    const { User } = await models(database);
    const born = new Date('2001-02-03T04:05:06.000Z');
    const user = await User.create({ name: 'Ann', born, data: { a: [1, 'é'] } });
    expect(user.get('id')).toBe(1);
    expect((await User.findOne({ where: { name: 'Ann' } }))?.get()).toMatchObject({
      id: 1,
      name: 'Ann',
      active: true,
      born,
    });
    await User.bulkCreate([{ name: 'Bob' }, { name: 'Cid' }]);
    expect(await User.update({ active: false }, { where: { id: [2, 3] } })).toEqual([2]);
    expect(await User.count({ where: { active: false } })).toBe(2);
    await User.upsert({ id: 2, name: 'Bea' });
    expect(
      (await User.findAll({ order: ['id'], attributes: ['name'], raw: true })).map((row) => Object.values(row)),
    ).toEqual([['Ann'], ['Bea'], ['Cid']]);
    expect(await User.destroy({ where: { id: 3 } })).toBe(1);
  });

  it('tells unique and foreign keys apart', async () => {
    const { User, Note } = await models(database);
    await User.create({ name: 'Ann' });
    await expect(User.create({ name: 'Ann' })).rejects.toBeInstanceOf(UniqueConstraintError);
    await expect(Note.create({ text: 'x', userId: 99 })).rejects.toBeInstanceOf(ForeignKeyConstraintError);
  });

  it('describes tables', async () => {
    const { db } = await models(database);
    const table = await db.sequelize.getQueryInterface().describeTable('users');
    expect(Object.keys(table)).toEqual(['id', 'name', 'active', 'born', 'data']);
    expect(table['id']).toMatchObject({ primaryKey: true });
  });

  it('takes part in a write and vanishes with it', async () => {
    const { db, User } = await models(database);
    const failed = db.write(async (tx) => {
      await tx.query('users', ({ transaction }) => User.create({ name: 'Ann' }, { transaction }));
      expect(await tx.select({ sql: 'SELECT name FROM users', params: [] })).toEqual([['Ann']]);
      throw new Error('stop');
    });
    await expect(failed).rejects.toThrow('stop');
    expect(await User.count()).toBe(0);
    await db.write((tx) => tx.query('users', ({ transaction }) => User.create({ name: 'Bob' }, { transaction })));
    expect(await User.count()).toBe(1);
  });

  it('runs transactions of its own', async () => {
    const { db, User } = await models(database);
    await db.sequelize.transaction(async (transaction) => void (await User.create({ name: 'Ann' }, { transaction })));
    const failed = db.sequelize.transaction(async (transaction) => {
      await User.create({ name: 'Bob' }, { transaction });
      throw new Error('stop');
    });
    await expect(failed).rejects.toThrow('stop');
    expect(await db.sequelize.query('SELECT name FROM users', { type: QueryTypes.SELECT })).toEqual([{ name: 'Ann' }]);
  });
});

it('waits without a failure when Sequelize writes while a transaction is open on the same file', async () => {
  const { db, User }: { db: Database; User: ModelStatic<Model> } = await models({
    name: 'sqlite',
    url: freshSqliteUrl,
  });
  let created: Promise<Model> | undefined;
  await db.write(async (tx) => {
    await tx.run({ sql: "INSERT INTO users (name) VALUES ('inside')", params: [] });
    created = User.create({ name: 'outside' });
    // The other write has found the file locked by the time these reads are done.
    for (let at = 0; at < 20; at += 1) await rows(db, 'SELECT COUNT(*) FROM users');
  });
  await created;
  expect(await rows(db, 'SELECT name FROM users ORDER BY id')).toEqual([['inside'], ['outside']]);
});
