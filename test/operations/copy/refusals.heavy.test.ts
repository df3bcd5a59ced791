/** What a copy refuses before it writes anything. */
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { openStore } from '../../../src/store/open/open.js';
import { wordList } from '../../../src/values/text.js';
import { runCli } from '../../support/cli.js';
import { describeEachDatabase, describeWithMariadb, freshMariadbUrl, freshSqliteUrl } from '../../support/databases.js';
import { makeTempDir } from '../../support/temp-dir.js';
import { change, copy, makeOwnStore, rowsOf, tablesOf } from './stores.js';

describeEachDatabase('the target', (database) => {
  test('may be a store that was migrated and not used', async () => {
    const [source, target] = [await freshSqliteUrl(), await database.url()];
    await makeOwnStore(source, { site_content: [{ id: 4 }] });
    await makeOwnStore(target);
    expect((await copy(source, target)).code).toBe(0);
    expect(await rowsOf(target, 'modx_site_content', ['id'])).toEqual(['[4]']);
  });

  test.each([
    ['a resource', "INSERT INTO modx_site_content (description) VALUES ('')", 'modx_site_content'],
    [
      'a changed setting',
      "UPDATE modx_system_settings SET value = 'mine' WHERE `key` = 'friendly_urls'",
      'modx_system_settings',
    ],
    ['a removed row of the start', 'DELETE FROM modx_content_type WHERE id = 3', 'modx_content_type'],
    [
      'a secret of its own',
      "INSERT INTO hcd_state (`key`, value, updated_at) VALUES ('root_secret', 'x', 1)",
      'hcd_state',
    ],
    ['a table of an extra', 'CREATE TABLE modx_shop AS SELECT 1 AS id', 'modx_shop'],
  ])('is refused with %s', async (_name, statement, table) => {
    const [source, target] = [await freshSqliteUrl(), await database.url()];
    await makeOwnStore(source, { site_content: [{ id: 4 }] });
    await makeOwnStore(target);
    await change(target, [statement]);
    const before = await rowsOf(target, 'modx_site_content', ['id']);
    for (const dryRun of [true, false]) {
      const refused = await copy(source, target, { dryRun });
      expect(refused).toMatchObject({ code: 1, error: { code: 'refused' } });
      expect(refused.error?.message).toMatch(
        `is not empty: the table ${table} holds rows that did not come from this copy`,
      );
    }
    expect(await rowsOf(target, 'modx_site_content', ['id'])).toEqual(before);
  });

  test('is compared row by row also with pending migrations', async () => {
    const [source, target] = [await freshSqliteUrl(), await database.url()];
    await makeOwnStore(source, { site_content: [{ id: 4 }] });
    await makeOwnStore(target);
    const down = ['migrate', 'down', '--yes', '--database', target];
    expect((await runCli(down, { openStore, clock: systemClock })).code).toBe(0);
    await change(target, [
      "UPDATE modx_system_settings SET value = 'mine', editedon = editedon WHERE `key` = 'friendly_urls'",
    ]);
    const refused = await copy(source, target);
    expect(refused.error?.message).toMatch('the table modx_system_settings holds rows');
    await change(target, [
      "UPDATE modx_system_settings SET value = '1', editedon = editedon WHERE `key` = 'friendly_urls'",
    ]);
    expect((await copy(source, target)).error).toBeUndefined();
  });

  test.each(['source', 'target'] as const)(
    'is refused after a complete copy when its %s has changed',
    async (which) => {
      const [source, target] = [await freshSqliteUrl(), await database.url()];
      await makeOwnStore(source, { site_content: [{ id: 4 }] });
      expect((await copy(source, target)).code).toBe(0);
      const changed = which === 'source' ? source : target;
      await change(changed, ["UPDATE modx_site_content SET pagetitle = 'Changed' WHERE id = 4"]);
      const before = await rowsOf(target, 'modx_site_content', ['id', 'pagetitle']);
      expect((await copy(source, target)).error?.message).toMatch(
        /is not empty: a copy of this source was completed there, and the table modx_site_content has changed since/,
      );
      expect(await rowsOf(target, 'modx_site_content', ['id', 'pagetitle'])).toEqual(before);
    },
  );

  test('is refused after a complete copy of another choice', async () => {
    const [source, target] = [await freshSqliteUrl(), await database.url()];
    await makeOwnStore(source, { site_content: [{ id: 4 }] });
    expect((await copy(source, target)).code).toBe(0);
    const other = await copy(source, target, { tables: 'core' });
    expect(other.error?.message).toMatch('is not empty: the table modx_site_content');
  });

  test('gets nothing in a dry run, which says what would be copied', async () => {
    const [source, target] = [await freshSqliteUrl(), await database.url()];
    await makeOwnStore(source, { site_content: [{ id: 4 }, { id: 5 }] });
    const planned = await copy(source, target, { dryRun: true });
    expect(planned.code).toBe(0);
    const table = 'modx_site_content';
    expect(planned.data?.tables).toContainEqual({ table, kind: 'core', source_table: table, source_rows: 2 });
    if (database.name === 'sqlite') expect(existsSync(target.slice('sqlite:'.length))).toBe(false);
    else expect(await tablesOf(target, '')).toEqual([]);
  });
});

describe('the source', () => {
  test('must hold content tables of the prefix, and a wrong prefix is put right', async () => {
    const source = await freshSqliteUrl();
    await makeOwnStore(source);
    const refused = await copy(source, await freshSqliteUrl(), { fromPrefix: 'other_' });
    expect(refused).toMatchObject({ code: 1, error: { code: 'refused' } });
    expect(refused.error?.message).toMatch(
      'has no content tables with the prefix "other_". It has content tables with the prefix "modx_": name it with --from-prefix.',
    );
  });

  test('must be there, and the target file is not made otherwise', async () => {
    const target = await freshSqliteUrl();
    const absent = await copy(await freshSqliteUrl(), target);
    expect(absent).toMatchObject({ code: 3, error: { code: 'database_unreachable' } });
    const silent = await copy('mariadb://root@127.0.0.1:1/none', target);
    expect(silent).toMatchObject({ code: 3, error: { code: 'database_unreachable' } });
    expect(existsSync(target.slice('sqlite:'.length))).toBe(false);
  });

  test('must be migrated when it is an own store', async () => {
    const source = await freshSqliteUrl();
    await makeOwnStore(source);
    await change(source, ["DELETE FROM hcd_migrations WHERE name LIKE '%-own-search'"]);
    expect(await copy(source, await freshSqliteUrl())).toMatchObject({
      code: 3,
      error: { code: 'database_not_ready' },
    });
  });

  test('may have no prefix at all', async () => {
    const [source, target] = [await freshSqliteUrl(), await freshSqliteUrl()];
    await makeOwnStore(source, { site_content: [{ id: 4 }] });
    const content = await tablesOf(source, 'modx_');
    const renaming = content.map((name) => `ALTER TABLE ${name} RENAME TO ${name.slice(5)}`);
    await change(source, renaming);
    const copied = await copy(source, target, { fromPrefix: '' });
    expect(copied.code).toBe(0);
    const own = copied.data?.tables.filter(({ kind }) => kind === 'own').map(({ table }) => table);
    expect(own).toEqual(
      wordList(`
        hcd_ad_audit hcd_ad_clicks hcd_ad_days hcd_ad_impressions hcd_ad_links hcd_ad_positions
        hcd_ad_presets hcd_ad_referrer_days hcd_ads hcd_api_keys hcd_audit hcd_idempotency_keys
        hcd_login_networks hcd_oauth_clients hcd_oauth_tokens hcd_page_revisions hcd_pages hcd_previews
        hcd_redirects hcd_section_types hcd_sessions hcd_state hcd_webhook_attempts hcd_webhook_deliveries
        hcd_webhook_subscriptions
      `),
    );
    expect(await rowsOf(target, 'modx_site_content', ['id'])).toEqual(['[4]']);
  });

  test('may have another prefix than the target, extras included', async () => {
    const [source, target] = [await freshSqliteUrl(), await freshSqliteUrl()];
    await makeOwnStore(source, { site_content: [{ id: 4 }] });
    await change(source, [
      'DROP TABLE hcd_migrations',
      'CREATE TABLE shop_goods (id INTEGER PRIMARY KEY, name TEXT)',
      "INSERT INTO shop_goods VALUES (1, 'x')",
      'ALTER TABLE shop_goods RENAME TO modx_shop_goods',
    ]);
    const renamed = (await tablesOf(source, 'modx_')).map(
      (name) => `ALTER TABLE ${name} RENAME TO site1_${name.slice(5)}`,
    );
    await change(source, renamed);
    expect((await copy(source, target, { fromPrefix: 'site1_' })).code).toBe(0);
    expect(await rowsOf(target, 'modx_site_content', ['id'])).toEqual(['[4]']);
    expect(await rowsOf(target, 'modx_shop_goods', ['id', 'name'])).toEqual(['[1,"x"]']);
  });
});

describe('one database under two names', () => {
  test('is refused by its address', async () => {
    const source = await freshSqliteUrl();
    await makeOwnStore(source);
    const folder = source.slice('sqlite:'.length).replace(/\/[^/]*$/, '');
    const refused = await copy(source, `sqlite:${folder}/./test.sqlite`);
    expect(refused).toMatchObject({ code: 1, error: { code: 'refused' } });
    expect(refused.error?.message).toMatch('--from and --to name the same database');
  });

  test('is refused behind a link', async () => {
    const source = await freshSqliteUrl();
    await makeOwnStore(source, { site_content: [{ id: 1 }] });
    const link = join(await makeTempDir('link'), 'link.sqlite');
    symlinkSync(source.slice('sqlite:'.length), link);
    expect((await copy(source, `sqlite:${link}`)).error?.message).toMatch('--from and --to name the same database');
  });
});

describeWithMariadb('one MariaDB database under two names', () => {
  test('is refused', async () => {
    const source = await freshMariadbUrl();
    await makeOwnStore(source, { site_content: [{ id: 1 }] });
    const other = source.replace('127.0.0.1', 'localhost').replace('mariadb:', 'mysql:');
    expect((await copy(source, other)).error?.message).toMatch('--from and --to name the same database');
  });
});
