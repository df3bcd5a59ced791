/** Copies of the program's own stores in all four directions: every value, every id, every counter. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeWithMariadb, freshMariadbUrl, freshSqliteUrl } from '../../support/databases.js';
import type { Row } from '../../support/seed.js';
import { change, columnsOf, copy, makeOwnStore, reportOf, rowsOf, tablesOf, withDatabase } from './stores.js';

const awkward: Readonly<Record<string, readonly Row[]>> = {
  site_content: [
    { id: 1, pagetitle: 'plain', pub_date: 0, createdon: 2_147_483_647 },
    { id: 2, pagetitle: '𝄞 four bytes 😀', alias: 'ÄÖÜß', longtitle: 'трейлер ' },
    { id: 3, pagetitle: 'quote \' " ` \\ \\n', description: 'line\r\nline\ttab', content: 'a\u0000b\u0000' },
    { id: 4, pagetitle: 'trailing space ', alias: 'Case', introtext: null, content: null, uri: null },
    { id: 5, pagetitle: 'Trailing space', alias: 'case', createdby: -2_147_483_648, properties: '{"a":[1,null]}' },
    { id: 77, pagetitle: 'after a gap', content: 'x'.repeat(70_000), menuindex: -5, published: 0 },
    { id: 4_294_967_290, pagetitle: 'high id', uri: 'ü/%_!.html' },
  ],
  site_templates: [{ id: 9, templatename: 'T', content: '<p>[[*pagetitle]]</p>', properties: 'a:1:{i:0;s:2:"é";}' }],
  site_tmplvar_contentvalues: [
    { id: 3, tmplvarid: 1, contentid: 1, value: '' },
    { id: 2, tmplvarid: 2, contentid: 1, value: '0.10' },
  ],
};

const fresh = { sqlite: freshSqliteUrl, mariadb: freshMariadbUrl };
type Kind = keyof typeof fresh;

function fourDirections(from: Kind, to: Kind): void {
  describe(`from ${from} to ${to}`, () => {
    test('every table holds the same rows', async () => {
      const [source, target] = [await fresh[from](), await fresh[to]()];
      await makeOwnStore(source, awkward);
      await change(source, [
        "UPDATE modx_system_settings SET value = 'changed', editedon = '2026-11-21 10:11:12' WHERE `key` = 'friendly_urls'",
        'DELETE FROM modx_content_type WHERE id = 3',
        "INSERT INTO hcd_state (`key`, `value`, updated_at) VALUES ('root_secret', 'secret text', 1790000000000)",
        "INSERT INTO modx_session (id, access, data) VALUES ('s1', 1, 'x')",
      ]);
      const copied = await copy(source, target);
      expect({ code: copied.code, complete: copied.data?.complete }).toEqual({ code: 0, complete: true });
      const left = [
        'hcd_migrations',
        'hcd_copy',
        'hcd_changes',
        'hcd_processes',
        'hcd_rate_counters',
        'hcd_refusals',
        'hcd_search',
        'hcd_tv_values',
        'hcd_known_resources',
        'modx_session',
        'modx_manager_log',
      ];
      const tables = [...(await tablesOf(source, 'modx_')), ...(await tablesOf(source, 'hcd_'))].filter(
        (name) => !left.includes(name),
      );
      expect(copied.data?.tables.map((table) => table['table']).sort()).toEqual(tables.toSorted());
      for (const table of tables) {
        const columns = await columnsOf(source, table);
        const rows = await rowsOf(source, table, columns);
        expect({ table, rows: await rowsOf(target, table, columns) }).toEqual({ table, rows });
        expect(reportOf(copied, table)).toMatchObject({
          source_rows: rows.length,
          copied: rows.length,
          verified: true,
          columns_lost: [],
        });
      }
      expect(copied.data?.skipped).toEqual([
        { table: 'modx_manager_log', rows: 0, reason: 'not asked for: --include manager_log' },
        { table: 'modx_session', rows: 1, reason: 'not asked for: --include session' },
      ]);
      expect(await rowsOf(target, 'modx_session', ['id'])).toEqual([]);
      // The notes stay, and say that no copy is under way.
      expect(new Set(await rowsOf(target, 'hcd_copy', ['state']))).toEqual(new Set(['["copied"]']));
    });

    test('an id that was used and removed is not given again', async () => {
      const [source, target] = [await fresh[from](), await fresh[to]()];
      await makeOwnStore(source, { site_content: [{ id: 12 }, { id: 50 }], site_templates: [{ id: 31 }] });
      await change(source, ['DELETE FROM modx_site_content WHERE id = 50', 'DELETE FROM modx_site_templates']);
      expect((await copy(source, target)).code).toBe(0);
      await change(target, [
        "INSERT INTO modx_site_content (description) VALUES ('')",
        "INSERT INTO modx_site_templates (content) VALUES ('')",
      ]);
      expect(await rowsOf(target, 'modx_site_content', ['id'])).toEqual(['[12]', '[51]']);
      expect(await rowsOf(target, 'modx_site_templates', ['id'])).toEqual(['[32]']);
    });
  });
}

fourDirections('sqlite', 'sqlite');

describeWithMariadb('with a server', () => {
  fourDirections('sqlite', 'mariadb');
  fourDirections('mariadb', 'sqlite');
  fourDirections('mariadb', 'mariadb');

  const text = fc.string({ unit: 'binary', maxLength: 80 });
  const integer = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  const row = fc.record({
    pagetitle: text,
    alias: fc.option(text),
    description: text,
    content: fc.option(fc.string({ unit: 'binary', maxLength: 3000 })),
    createdon: integer,
    menuindex: integer,
    published: fc.integer({ min: 0, max: 255 }),
    uri: fc.option(text),
  });

  test('any rows survive the way from SQLite to MariaDB and back byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 30, maxLength: 90 }), async (rows) => {
        const [start, server, end] = [await freshSqliteUrl(), await freshMariadbUrl(), await freshSqliteUrl()];
        await makeOwnStore(start, { site_content: rows });
        expect([(await copy(start, server)).code, (await copy(server, end)).code]).toEqual([0, 0]);
        expect(await rowsAsHex(end)).toEqual(await rowsAsHex(start));
      }),
      { numRuns: 4 },
    );
  });
});

/** Every value with the type and the bytes that SQLite keeps. */
function rowsAsHex(url: string): Promise<unknown> {
  return withDatabase(url, async (database) => {
    const columns = await columnsOf(url, 'modx_site_content');
    const list = columns.map((name) => `typeof(\`${name}\`), hex(CAST(\`${name}\` AS BLOB))`).join(', ');
    return database.select({ sql: `SELECT ${list} FROM modx_site_content ORDER BY id`, params: [] });
  });
}
