/** Copies of the database of an existing site: another shape of known tables, tables of extras, what cannot be kept. */
import { expect, test } from 'vitest';
import { describeWithMariadb, freshMariadbUrl, freshSqliteUrl } from '../../support/databases.js';
import { describeWithFixture, loadFixture } from '../../support/fixture.js';
import { change, columnsOf, copy, makeOwnStore, reportOf, rowsOf, tablesOf, withDatabase } from './stores.js';

const targets = Object.entries({ SQLite: freshSqliteUrl, MariaDB: freshMariadbUrl });

describeWithFixture('a real site', () => {
  test('becomes an embedded file with every row of every table', async () => {
    const [source, target] = [await loadFixture(), await freshSqliteUrl()];
    const copied = await copy(source, target);
    expect({ code: copied.code, complete: copied.data?.complete }).toEqual({ code: 0, complete: true });
    const left = ['modx_manager_log', 'modx_session'];
    const tables = (await tablesOf(source, 'modx_')).filter((name) => !left.includes(name));
    expect(copied.data?.tables.map((table) => table['table']).sort()).toEqual(tables);
    for (const table of tables) {
      const lost = reportOf(copied, table)?.['columns_lost'];
      const columns = (await columnsOf(source, table)).filter((name) => !Array.isArray(lost) || !lost.includes(name));
      expect({ table, rows: await rowsOf(target, table, columns) }).toEqual({
        table,
        rows: await rowsOf(source, table, columns),
      });
    }
    expect(copied.data?.tables.filter((table) => JSON.stringify(table['columns_lost']) !== '[]')).toEqual([]);
    expect(reportOf(copied, 'modx_ms2_products')).toMatchObject({ kind: 'extra', source_rows: 417, copied: 417 });
    expect(reportOf(copied, 'modx_site_content')).toMatchObject({ kind: 'core', source_rows: 532, copied: 532 });
    expect(copied.data?.skipped).toEqual([
      { table: 'modx_manager_log', rows: 100, reason: 'not asked for: --include manager_log' },
      { table: 'modx_session', rows: 0, reason: 'not asked for: --include session' },
    ]);
    expect(copied.data?.notes).toEqual([
      expect.stringContaining('are not InnoDB'),
      expect.stringContaining('Not made in the target: the special indexes'),
    ]);
  });

  test('grows from the embedded file to MariaDB again with the same prices and types', async () => {
    const [site, file, server] = [await loadFixture(), await freshSqliteUrl(), await freshMariadbUrl()];
    expect([(await copy(site, file)).code, (await copy(file, server)).code]).toEqual([0, 0]);
    for (const table of ['modx_ms2_products', 'modx_ms2_product_options', 'modx_system_settings']) {
      const columns = await columnsOf(site, table);
      expect(await rowsOf(server, table, columns)).toEqual(await rowsOf(site, table, columns));
    }
    const types = (url: string) =>
      withDatabase(url, (database) =>
        database.select({
          sql: "SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'modx_ms2_products' AND column_key <> 'PRI' ORDER BY 1",
          params: [],
        }),
      );
    // The word TEXT holds more in SQLite than in MariaDB, so it comes back as the larger type.
    const wanted = (await types(site)).map(([name, type, nullable]) => [
      name,
      type === 'text' ? 'longtext' : type,
      nullable,
    ]);
    expect(await types(server)).toEqual(wanted);
  });

  test('leaves out the tables of extras on demand and brings the log along', async () => {
    const [source, target] = [await loadFixture(), await freshSqliteUrl()];
    const copied = await copy(source, target, { tables: 'core', include: ['manager_log'] });
    expect(copied.code).toBe(0);
    expect(new Set(copied.data?.tables.map((table) => table['kind']))).toEqual(new Set(['core']));
    expect(reportOf(copied, 'modx_manager_log')).toMatchObject({ copied: 100, verified: true });
    expect(copied.data?.skipped).toContainEqual({
      table: 'modx_ms2_products',
      rows: 417,
      reason: 'table of an extra: --tables all',
    });
    expect(await tablesOf(target, 'modx_ms2')).toEqual([]);
  });
});

describeWithMariadb('a site with an additional table', () => {
  const columns = 'sku size price weight exact bits big sold day at changed state tags raw doc latin code'.split(' ');

  async function makeSite(): Promise<string> {
    const url = await freshMariadbUrl();
    await makeOwnStore(url);
    await change(url, [
      `CREATE TABLE modx_shop_things (
        sku varchar(40) COLLATE utf8mb4_bin NOT NULL, size int(10) unsigned NOT NULL DEFAULT 0,
        price decimal(12,2) NOT NULL DEFAULT 0.00, weight float NULL, exact double NULL, bits bit(9) NULL, big decimal(30,10) NULL,
        sold bigint(20) NULL, day date NULL, at datetime(6) NULL, changed timestamp NULL, state enum('new','it''s old') NOT NULL DEFAULT 'new',
        tags set('a','b','c') NULL, raw varbinary(300) NULL, doc json NULL, latin varchar(30) CHARACTER SET latin1 NULL,
        code int(11) unsigned zerofill NULL,
        PRIMARY KEY (sku, size), KEY at (at), UNIQUE KEY raw (raw)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
      `INSERT INTO modx_shop_things VALUES
        ('a', 1, 12.30, 0.1, 0.1, b'101', 12345678901234567890.0123456789, 9223372036854775807, '0000-00-00', '0000-00-00 00:00:00', '2026-01-02 03:04:05', 'new', 'a,c', X'00FF10', '{"a": [1.50, "é"]}', 'é', 4294967295),
        ('A', 1, -0.05, 3.4e38, 1.7976931348623157e308, b'0', -0.0000000001, -9223372036854775808, '2024-02-29', '2026-01-02 03:04:05.678901', NULL, 'it''s old', '', X'', '[]', '', 7),
        ('a', 2, 9999999999.99, NULL, 5e-324, NULL, NULL, NULL, NULL, NULL, NULL, 'new', NULL, NULL, NULL, NULL, NULL)`,
      "ALTER TABLE modx_shop_things ADD mask bit(3) NOT NULL DEFAULT b'101'",
      'CREATE TABLE modx_shop_log (word varchar(20) NULL, n int NULL) ENGINE=MyISAM DEFAULT CHARSET=utf8mb3',
      "INSERT INTO modx_shop_log VALUES ('same', 1), ('same', 1), (NULL, NULL), ('Same', 1)",
    ]);
    return url;
  }

  test.each(targets)(
    'comes back from %s exactly',
    async (_name, fresh) => {
      const [source, middle, end] = [await makeSite(), await fresh(), await freshMariadbUrl()];
      const there = await copy(source, middle);
      expect(reportOf(there, 'modx_shop_things')).toMatchObject({ copied: 3, verified: true, columns_lost: [] });
      expect(reportOf(there, 'modx_shop_log')).toMatchObject({ copied: 4, verified: true });
      expect((await copy(middle, end)).code).toBe(0);
      // Text has the same characters in the one character set of the target. Numbers are not filled with zeros there.
      const other: Readonly<Record<string, string>> = { latin: 'CONVERT(latin USING utf8mb4)', code: 'code + 0' };
      const exact = columns.map((name) => `CAST(${other[name] ?? `\`${name}\``} AS BINARY)`);
      const bytes = (url: string) =>
        withDatabase(url, (database) =>
          database.select({
            sql: `SELECT ${exact.join(', ')}, HEX(bits) FROM modx_shop_things ORDER BY BINARY sku, size`,
            params: [],
          }),
        );
      const [wanted, found] = [await bytes(source), await bytes(end)];
      // A bit field comes back as the integer that it was: its bytes differ, its value does not.
      const withoutBits = (rows: typeof wanted) =>
        rows.map((row) => row.filter((_value, at) => at !== columns.indexOf('bits')));
      expect(withoutBits(found)).toEqual(withoutBits(wanted));
      expect(await rowsOf(end, 'modx_shop_log', ['word', 'n'])).toEqual([
        '["Same",1]',
        '["same",1]',
        '["same",1]',
        '[null,null]',
      ]);
      await change(end, ["INSERT INTO modx_shop_things (sku, size) VALUES ('later', 1)"]);
      const sql = "SELECT mask + 0 FROM modx_shop_things WHERE sku IN ('a', 'later') ORDER BY sku, size";
      const masks = await withDatabase(end, (database) => database.select({ sql, params: [] }));
      expect(masks.map(([mask]) => Number(mask))).toEqual([5, 5, 5]);
    },
    60_000,
  );

  test('keeps numbers of a decimal column comparable in SQLite, and the digits of a long one', async () => {
    const [source, target] = [await makeSite(), await freshSqliteUrl()];
    expect((await copy(source, target)).code).toBe(0);
    await withDatabase(target, async (database) => {
      const above = await database.select({
        sql: 'SELECT sku, size FROM modx_shop_things WHERE price > 9 ORDER BY size',
        params: [],
      });
      expect(above).toEqual([
        ['a', 1],
        ['a', 2],
      ]);
    });
    expect(await rowsOf(target, 'modx_shop_things', ['big', 'day', 'sold'])).toEqual([
      '["-0.0000000001","2024-02-29",{"integer":"-9223372036854775808"}]',
      '["12345678901234567890.0123456789","0000-00-00",{"integer":"9223372036854775807"}]',
      '[null,null,null]',
    ]);
  });

  test('keeps columns that the new shape lacks, and the first of two values', async () => {
    const [source, target] = [await freshMariadbUrl(), await freshSqliteUrl()];
    await makeOwnStore(source, { site_content: [{ id: 1 }] });
    await change(source, [
      'DROP TABLE hcd_migrations',
      "ALTER TABLE modx_site_content ADD contentType varchar(50) NOT NULL DEFAULT 'text/html', MODIFY longtitle varchar(255) NULL",
      'UPDATE modx_site_content SET longtitle = NULL',
      'ALTER TABLE modx_site_tmplvar_contentvalues DROP KEY tv_cnt',
      "INSERT INTO modx_site_tmplvar_contentvalues (id, tmplvarid, contentid, value) VALUES (5, 1, 1, 'later'), (4, 1, 1, 'first'), (6, 1, 2, 'other')",
      'DROP TABLE modx_user_group_settings',
    ]);
    const copied = await copy(source, target);
    expect(copied.code).toBe(0);
    expect(copied.data?.notes).toEqual([
      "The source has no modx_user_group_settings: a new store's rows stay there.",
      'modx_site_content: 1 NULLs became the default of their column, which does not accept NULL.',
      'modx_site_tmplvar_contentvalues: 1 rows were left out whose unique values an earlier row has.',
    ]);
    expect(await rowsOf(target, 'modx_site_content', ['id', 'longtitle', 'contentType'])).toEqual([
      '[1,"","text/html"]',
    ]);
    expect(await rowsOf(target, 'modx_site_tmplvar_contentvalues', ['id', 'value'])).toEqual([
      '[4,"first"]',
      '[6,"other"]',
    ]);
  });

  test.each(targets)(
    'comes back from %s with the columns of the release that it was made by',
    async (_name, fresh) => {
      const [source, middle, end] = [await freshMariadbUrl(), await fresh(), await freshMariadbUrl()];
      await makeOwnStore(source, { site_content: [{ id: 1 }, { id: 2, alias: 'b', uri: 'b.html' }] });
      await change(source, [
        'DROP TABLE hcd_migrations',
        "ALTER TABLE modx_site_content ADD contentType varchar(50) NOT NULL DEFAULT 'text/html', ADD donthit tinyint(1) unsigned NOT NULL DEFAULT 0, ADD privateweb tinyint(1) unsigned NOT NULL DEFAULT 0, ADD privatemgr tinyint(1) unsigned NOT NULL DEFAULT 0",
        'ALTER TABLE modx_site_content ADD an_extra_note mediumtext NOT NULL, ADD an_extra_date datetime NULL, ADD an_extra_change timestamp NOT NULL DEFAULT current_timestamp(), ADD an_extra_price decimal(12,2) NULL, ADD an_extra_ratio float NOT NULL DEFAULT 1.5',
        "UPDATE modx_site_content SET contentType = 'text/xml', donthit = 1, an_extra_note = 'it''s\n', an_extra_date = '2026-01-02 03:04:05', an_extra_price = 12.5, an_extra_ratio = 2.5 WHERE id = 2",
        'CREATE TABLE modx_access_actions (id int unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, target varchar(100) NOT NULL)',
      ]);
      const names = ['id', 'contentType', 'donthit', 'privateweb', 'privatemgr', 'an_extra_note', 'an_extra_date'];
      const more = ['an_extra_change', 'an_extra_price', 'an_extra_ratio'];
      const there = await copy(source, middle);
      expect(there.error).toBeUndefined();
      expect([there.code, reportOf(there, 'modx_site_content')?.['columns_lost']]).toEqual([0, []]);
      expect((await copy(middle, end)).code).toBe(0);
      const all = [...names, ...more];
      expect(await rowsOf(end, 'modx_site_content', all)).toEqual(await rowsOf(source, 'modx_site_content', all));
      const declared = (url: string) =>
        withDatabase(url, (database) =>
          database.select({
            sql: `SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'modx_site_content' AND column_name IN (${all.map((name) => `'${name}'`).join(', ')}) ORDER BY column_name`,
            params: [],
          }),
        );
      expect(await declared(end)).toEqual(await declared(source));
      expect(await tablesOf(end, 'modx_access_actions')).toEqual(['modx_access_actions']);
    },
    60_000,
  );

  test('names table, column, row and value of an integer that SQLite has no place for', async () => {
    const [source, target] = [await freshMariadbUrl(), await freshSqliteUrl()];
    await makeOwnStore(source);
    await change(source, [
      'CREATE TABLE modx_counters (name varchar(20) NOT NULL PRIMARY KEY, hits bigint unsigned NOT NULL)',
      "INSERT INTO modx_counters VALUES ('a', 9223372036854775807), ('b', 18446744073709551615)",
    ]);
    expect(await copy(source, target)).toEqual({
      code: 1,
      error: {
        code: 'refused',
        details: {},
        message:
          'The row name b of modx_counters cannot be copied: its column hits holds 18446744073709551615, and the largest integer in SQLite is 9223372036854775807. Correct it in the source and run the same command again, or copy to MariaDB.',
      },
    });
    await change(source, ["UPDATE modx_counters SET hits = 7 WHERE name = 'b'"]);
    expect((await copy(source, target)).code).toBe(0);
  });

  test('refuses a table that the target cannot make, before any of its rows', async () => {
    const [source, target] = [await freshMariadbUrl(), await freshMariadbUrl()];
    await makeOwnStore(source);
    await change(source, ['CREATE TABLE modx_wide (id int PRIMARY KEY, a varchar(40000) CHARACTER SET latin1 NULL)']);
    const refused = await copy(source, target);
    expect(refused).toMatchObject({ code: 1, error: { code: 'refused' } });
    expect(refused.error?.message).toMatch('The table modx_wide cannot be made in the target');
    expect((await copy(source, await freshSqliteUrl())).code).toBe(0);
  });

  test("brings along the program's own tables from a database of their own", async () => {
    const [source, own, target] = [await freshMariadbUrl(), await freshSqliteUrl(), await freshSqliteUrl()];
    await makeOwnStore(source, { site_content: [{ id: 1 }] });
    const tables = await tablesOf(source, 'hcd_');
    await change(
      source,
      tables.map((name) => `DROP TABLE ${name}`),
    );
    await makeOwnStore(own);
    const made = await tablesOf(own, 'modx_');
    await change(own, [
      ...made.map((name) => `DROP TABLE ${name}`),
      "DELETE FROM hcd_migrations WHERE name LIKE '%-content-%'",
      "INSERT INTO hcd_state (`key`, value, updated_at) VALUES ('root_secret', 'mine', 1)",
    ]);
    expect((await copy(source, target, { fromOwn: own })).code).toBe(0);
    expect(await rowsOf(target, 'hcd_state', ['key', 'value'])).toEqual(['["root_secret","mine"]']);
    expect(await rowsOf(target, 'modx_site_content', ['id'])).toEqual(['[1]']);
  });

  test('names the row that the target does not take, and goes on when it is corrected', async () => {
    const [source, target] = [await freshSqliteUrl(), await freshMariadbUrl()];
    await makeOwnStore(source, { site_content: [{ id: 3 }, { id: 8, pagetitle: 'x'.repeat(192) }, { id: 9 }] });
    const refused = await copy(source, target);
    expect(refused).toEqual({
      code: 1,
      error: {
        code: 'refused',
        details: {},
        message:
          'The row id 8 of modx_site_content cannot be copied: a value does not fit its column there: too long, out of range or of another type. Correct it in the source and run the same command again.',
      },
    });
    await change(source, ["UPDATE modx_site_content SET pagetitle = 'short' WHERE id = 8"]);
    expect((await copy(source, target)).code).toBe(0);
    expect(await rowsOf(target, 'modx_site_content', ['id', 'pagetitle'])).toEqual([
      '[3,"A page"]',
      '[8,"short"]',
      '[9,"A page"]',
    ]);
  });
});
