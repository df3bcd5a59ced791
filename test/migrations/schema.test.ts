/** The migrated tables: agreement with the models and with a real CMS database, exact text, ids never reused. */
import { expect, test } from 'vitest';
import { type Column, readTables } from '../../src/store/base/columns.js';
import type { Database } from '../../src/store/base/database.js';
import { migrateUp } from '../../src/store/migrations/migrate.js';
import type { Model } from '../../src/store/models/finders.js';
import { everyModel } from '../store/every-model.js';
import { describeEachDatabase, describeWithMariadb, freshMariadbUrl } from '../support/databases.js';
import { describeWithFixture, loadFixture } from '../support/fixture.js';
import { open, ownStore, prefix, tableNames } from './store.js';

interface ColumnShape {
  readonly nullable: boolean;
  readonly kind: 'integer' | 'number' | 'text';
  readonly key: boolean;
}

type Shape = Record<string, ColumnShape>;

describeEachDatabase('the migrated tables', (database) => {
  test('agree with the models in columns, types, keys and what a row may leave out', async () => {
    const run = await ownStore(await database.url());
    await migrateUp(run);
    const models = await everyModel();
    expect(models.length).toBeGreaterThan(0);
    const tables = await readTables(run.own, '');
    for (const model of models) {
      const ours = model.table.startsWith('hcd_');
      const table = tables.get(ours ? model.table : `${prefix}${model.table}`);
      const columns = [...(table?.columns.values() ?? [])];
      const known = new Set(Object.keys(model.columns).map((name) => model.columnOf(name)));
      // A table of the CMS can have columns that nothing here uses.
      const compared = ours ? columns : columns.filter(({ name }) => known.has(name));
      expect({ table: model.table, columns: shapesOfModel(model) }).toEqual({
        table: model.table,
        columns: Object.fromEntries(
          compared.map((column) => [column.name, shapeOfColumn(column, shapesOfModel(model)[column.name])]),
        ),
      });
      if (run.own.dialect !== 'mariadb') continue;
      for (const [name, { attribute }] of storedColumns(model.columns)) {
        const length = /^VARCHAR\((\d+)\)/.exec(String(attribute.type))?.[1];
        const column = table?.columns.get(model.columnOf(name));
        if (length !== undefined) expect([model.table, name, column?.maxLength]).toEqual([model.table, name, +length]);
      }
    }
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
  test('have the columns of the models, with the same kinds of type and the same keys', async () => {
    const tables = await readTables(await open(await loadFixture()), prefix);
    for (const model of (await everyModel()).filter(({ table }) => !table.startsWith('hcd_'))) {
      const columns = tables.get(`${prefix}${model.table}`)?.columns;
      for (const [name, { attribute }] of storedColumns(model.columns)) {
        const column = columns?.get(model.columnOf(name));
        expect([model.table, name, column && kindOfColumn(column), column?.isPrimary]).toEqual([
          model.table,
          name,
          kindOf(String(attribute.type)),
          attribute.primaryKey === true,
        ]);
      }
    }
  });

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

/** What a model and a migrated table must agree on. */
interface ModelShape {
  readonly kind: string;
  readonly nullable: boolean;
  readonly key: boolean;
  readonly counted: boolean;
  readonly optional: boolean;
}

/** Without what is computed when a row is read. */
function storedColumns(columns: Model['columns']) {
  return Object.entries(columns).filter(([, { expression }]) => expression === undefined);
}

function shapesOfModel({ columns, columnOf }: Model): Record<string, ModelShape> {
  return Object.fromEntries(
    storedColumns(columns).map(([name, { attribute, isOptional }]): [string, ModelShape] => [
      columnOf(name),
      {
        kind: kindOf(String(attribute.type)),
        nullable: attribute.allowNull === true,
        key: attribute.primaryKey === true,
        counted: attribute.autoIncrement === true,
        optional: isOptional,
      },
    ]),
  );
}

/** SQLite counts every integer that is the whole key, also one that each row names. */
function shapeOfColumn(column: Column, model: ModelShape | undefined): ModelShape {
  const { nullable, isPrimary: key, isCounted, isOptional } = column;
  const isNamed = column.charset === null && key && model?.counted === false;
  const counted = isCounted && !isNamed;
  return { kind: kindOfColumn(column), nullable, key, counted, optional: isOptional && !(isNamed && isCounted) };
}

/** SQLite keeps dates as text. */
function kindOfColumn({ type }: Pick<Column, 'type'>): string {
  return type === 'datetime' ? 'text' : type;
}

function kinds(shape: Shape): Record<string, string> {
  return Object.fromEntries(Object.entries(shape).map(([name, column]) => [name, column.kind]));
}

function kindOf(type: string): ColumnShape['kind'] {
  if (/^(tiny|small|medium|big)?int|^bool/i.test(type)) return 'integer';
  return /^(double|float|real)/i.test(type) ? 'number' : 'text';
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
