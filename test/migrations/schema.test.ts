/** The migrated tables: agreement with the models and with a real CMS database, exact text, ids never reused. */
import { expect, test } from 'vitest';
import type { Database } from '../../src/store/base/database.js';
import { migrateUp } from '../../src/store/migrations/migrate.js';
import { defineModels } from '../../src/store/models/define-models.js';
import { describeEachDatabase, describeWithMariadb, freshMariadbUrl } from '../support/databases.js';
import { describeWithFixture, loadFixture } from '../support/fixture.js';
import { open, ownStore, prefix, tableNames } from './store.js';

interface ColumnShape {
  readonly nullable: boolean;
  readonly kind: 'integer' | 'text';
  readonly key: boolean;
}

type Shape = Record<string, ColumnShape>;

describeEachDatabase('the migrated tables', (database) => {
  test('agree with the models in columns, nullability, kind of type and key', async () => {
    const run = await ownStore(await database.url());
    await migrateUp(run);
    defineModels(run.own.sequelize, prefix);
    const models = Object.values(run.own.sequelize.models);
    expect(models.length).toBe(14);
    for (const model of models) {
      const table = String(model.getTableName());
      const described = Object.entries(model.getAttributes()).map(([name, attribute]): [string, ColumnShape] => [
        attribute.field ?? name,
        {
          nullable: attribute.allowNull ?? attribute.primaryKey !== true,
          kind: kindOf(String(attribute.type)),
          key: attribute.primaryKey === true,
        },
      ]);
      expect({ table, columns: Object.fromEntries(described) }).toEqual({
        table,
        columns: await shapeOf(run.own, table),
      });
    }
  });

  test('take the default of every column that a model defaults, so that both write the same row', async () => {
    const run = await ownStore(await database.url());
    await migrateUp(run);
    const { siteContent } = defineModels(run.own.sequelize, prefix);
    const written = await run.own.write(async (tx) => {
      const { lastId } = await tx.run({
        sql: `INSERT INTO ${prefix}site_content (description) VALUES ('')`,
        params: [],
      });
      return lastId;
    });
    const columns = Object.keys(siteContent.getAttributes());
    const list = columns.map((column) => `\`${column}\``).join(', ');
    const [row] = await run.own.select({
      sql: `SELECT ${list} FROM ${prefix}site_content WHERE id = ?`,
      params: [written],
    });
    const built = siteContent.build({ description: '' }).get();
    expect(Object.fromEntries(columns.map((column, index) => [column, row?.[index]]))).toEqual({
      ...built,
      id: written,
    });
    expect(row?.[columns.indexOf('class_key')]).toBe('MODX\\Revolution\\modDocument');
  });

  test('never give an id out again', async () => {
    const run = await ownStore(await database.url());
    await migrateUp(run);
    const insert = `INSERT INTO ${prefix}site_content (description) VALUES ('')`;
    const ids = await run.own.write(async (tx) => {
      const first = await tx.run({ sql: insert, params: [] });
      await tx.run({ sql: `DELETE FROM ${prefix}site_content`, params: [] });
      const second = await tx.run({ sql: insert, params: [] });
      return [first.lastId, second.lastId];
    });
    expect(ids).toEqual([1, 2]);
  });

  test('compare text exactly: case, accents and trailing spaces make another name', async () => {
    const run = await ownStore(await database.url());
    await migrateUp(run);
    const names = ['name', 'Name', 'náme', 'name ', '😀'];
    await run.own.write(async (tx) => {
      for (const name of names) {
        await tx.run({ sql: `INSERT INTO ${prefix}site_htmlsnippets (name) VALUES (?)`, params: [name] });
      }
    });
    for (const name of names) {
      const rows = await run.own.select({
        sql: `SELECT name FROM ${prefix}site_htmlsnippets WHERE name = ?`,
        params: [name],
      });
      expect(rows).toEqual([[name]]);
    }
    const again = run.own.write((tx) =>
      tx.run({ sql: `INSERT INTO ${prefix}site_htmlsnippets (name) VALUES ('Name')`, params: [] }),
    );
    await expect(again).rejects.toMatchObject({ code: 'conflict' });
  });

  test('refuse text in a number column', async () => {
    const run = await ownStore(await database.url());
    await migrateUp(run);
    const sql = `INSERT INTO ${prefix}site_content (description, menuindex) VALUES ('', 'first')`;
    await expect(run.own.write((tx) => tx.run({ sql, params: [] }))).rejects.toMatchObject({
      code: 'validation_failed',
    });
  });
});

describeWithMariadb('the migrated tables of MariaDB', () => {
  test('are InnoDB in utf8mb4 with one exact collation', async () => {
    const run = await ownStore(await freshMariadbUrl());
    await migrateUp(run);
    const tables = await run.own.select({
      sql: 'SELECT DISTINCT engine, table_collation FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name <> ?',
      params: ['hcd_migrations'],
    });
    expect(tables).toEqual([['InnoDB', 'utf8mb4_nopad_bin']]);
    const columns = await run.own.select({
      sql: 'SELECT DISTINCT collation_name FROM information_schema.columns WHERE table_schema = DATABASE() AND collation_name IS NOT NULL AND table_name <> ?',
      params: ['hcd_migrations'],
    });
    expect(columns).toEqual([['utf8mb4_nopad_bin']]);
  });
});

describeWithFixture('the content tables of a real CMS database', () => {
  test('have the columns of ours, with the same kinds of type', async () => {
    const run = await ownStore(await freshMariadbUrl());
    await migrateUp(run);
    const foreign = await open(await loadFixture());
    const ours = (await tableNames(run.own)).filter((name) => name.startsWith(prefix));
    expect(ours.length).toBeGreaterThan(30);
    for (const table of ours) {
      expect({ table, columns: kinds(await shapeOf(run.own, table)) }).toEqual({
        table,
        columns: kinds(await shapeOf(foreign, table)),
      });
    }
  });
});

function kinds(shape: Shape): Record<string, string> {
  return Object.fromEntries(Object.entries(shape).map(([name, column]) => [name, column.kind]));
}

function kindOf(type: string): ColumnShape['kind'] {
  return /^(tiny|small|medium|big)?int/i.test(type) ? 'integer' : 'text';
}

async function shapeOf(database: Database, table: string): Promise<Shape> {
  const sql =
    database.dialect === 'mariadb'
      ? "SELECT column_name, column_type, is_nullable = 'YES', column_key = 'PRI' FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = ?"
      : 'SELECT name, type, "notnull" = 0 AND pk = 0, pk > 0 FROM pragma_table_info(?)';
  const rows = await database.select({ sql, params: [table] });
  return Object.fromEntries(
    rows.map(([name, type, nullable, key]) => [
      String(name),
      { nullable: Number(nullable) === 1, kind: kindOf(String(type)), key: Number(key) === 1 },
    ]),
  );
}
