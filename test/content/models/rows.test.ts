/** Rows of registered objects: written one by one, usable transactions after a refusal, and the facts of their columns. */
import { beforeAll, expect, test } from 'vitest';
import { uniqueKeys } from '../../../src/content/objects/object-columns.js';
import { readTable } from '../../../src/content/records/write-record.js';
import type { Database } from '../../../src/store/base/database.js';
import { classifyFailure } from '../../../src/store/base/errors.js';
import { deleteRows, hasRow, insertRow, updateRows } from '../../../src/store/models/model.js';
import { openDatabase } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { execute } from '../../support/execute.js';

const ddl = {
  sqlite: [
    'CREATE TABLE shop (id INTEGER PRIMARY KEY, code VARCHAR(5) NOT NULL, shelf INTEGER NULL, place INTEGER NULL, note TEXT NOT NULL)',
    'CREATE UNIQUE INDEX shop_code ON shop (code)',
    'CREATE UNIQUE INDEX shop_place ON shop (shelf, place)',
    'CREATE TABLE pair (a INTEGER NOT NULL, b INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (a, b))',
    'CREATE TABLE falling (id INTEGER PRIMARY KEY DESC)',
  ],
  mariadb: [
    'CREATE TABLE shop (id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY, code VARCHAR(5) NOT NULL, shelf BIGINT NULL, place TINYINT NULL, note TEXT NOT NULL, UNIQUE shop_code (code), UNIQUE shop_place (shelf, place)) CHARACTER SET utf8mb4',
    'CREATE TABLE pair (a SMALLINT UNSIGNED NOT NULL, b BIGINT UNSIGNED NOT NULL DEFAULT 0, PRIMARY KEY (a, b))',
    'CREATE TABLE falling (id INT PRIMARY KEY)',
  ],
};

const row = (code: string, shelf: number | null, place: number | null) => ({ code, shelf, place, note: '' });

describeEachDatabase('rows of records', (kind) => {
  let db: Database;

  beforeAll(async () => {
    db = await openDatabase({ url: await kind.url() });
    await execute(db, ...ddl[kind.name]);
    return () => db.close();
  });

  test('are inserted, found, changed and removed', async () => {
    await db.write(async (tx) => {
      const self = { table: 'shop', where: { id: await insertRow(tx, 'shop', row('a', 1, 1)) } };
      await updateRows(tx, self, { shelf: 2 });
      await updateRows(tx, self, {});
      const where = { code: 'a', shelf: 2 };
      expect(await hasRow(tx, { table: 'shop', where })).toBe(true);
      expect(await hasRow(tx, { table: 'shop', where }, self.where)).toBe(false);
      await deleteRows(tx, self);
      expect(await hasRow(tx, { table: 'shop', where })).toBe(false);
    });
  });

  test('that a key refuses leave the transaction usable', async () => {
    const isRefused = (error: unknown) => classifyFailure(error) === 'conflict';
    await db.write(async (tx) => {
      await insertRow(tx, 'shop', row('b', 5, 1));
      await expect(insertRow(tx, 'shop', row('b', 5, 2))).rejects.toSatisfy(isRefused);
      await expect(insertRow(tx, 'shop', row('c', 5, 1))).rejects.toSatisfy(isRefused);
      const id = await insertRow(tx, 'shop', row('c', null, 1));
      await expect(updateRows(tx, { table: 'shop', where: { id } }, { code: 'b' })).rejects.toSatisfy(isRefused);
    });
    expect(await hasRow(db, { table: 'shop', where: { code: 'c' } })).toBe(true);
  });

  test('that a column refuses end the transaction as a refusal, not as a fault', async () => {
    const missing = db.write((tx) => insertRow(tx, 'shop', { code: 'd' }));
    await expect(missing).rejects.toMatchObject({ code: 'validation_failed' });
    const empty = db.write((tx) => insertRow(tx, 'shop', { note: 'x', code: null }));
    await expect(empty).rejects.toMatchObject({ code: 'validation_failed' });
  });

  test('come from tables whose keys, counters and ranges are known', async () => {
    const shop = await readTable(db, 'shop');
    const pair = await readTable(db, 'pair');
    if (!shop || !pair) throw new Error('the tables are gone');
    expect(uniqueKeys(shop).map((columns) => columns.join())).toEqual(
      expect.arrayContaining(['id', 'code', 'shelf,place']),
    );
    expect(uniqueKeys(pair)[0]).toEqual(['a', 'b']);
    const told = [...shop.columns.values(), ...pair.columns.values()].map(({ name, isCounted, isOptional, range }) => ({
      name,
      isCounted,
      isOptional,
      range,
    }));
    // SQLite holds 64 bits in every column.
    const of = (smallest: number, largest: number) => (kind.name === 'mariadb' ? [smallest, largest] : null);
    expect(told).toEqual([
      { name: 'id', isCounted: true, isOptional: true, range: of(0, 4_294_967_295) },
      { name: 'code', isCounted: false, isOptional: false, range: null },
      { name: 'shelf', isCounted: false, isOptional: true, range: null },
      { name: 'place', isCounted: false, isOptional: true, range: of(-128, 127) },
      { name: 'note', isCounted: false, isOptional: false, range: null },
      { name: 'a', isCounted: false, isOptional: false, range: of(0, 65_535) },
      { name: 'b', isCounted: false, isOptional: true, range: of(0, Number.MAX_SAFE_INTEGER) },
    ]);
    expect((await readTable(db, 'falling'))?.columns.get('id')).toMatchObject({ isCounted: false, isOptional: false });
    expect(await readTable(db, 'sho')).toBeUndefined();
  });
});
