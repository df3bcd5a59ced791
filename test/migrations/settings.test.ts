/** Settings and state rows on an own store, and settings on the database of a real CMS. */
import { expect, test } from 'vitest';
import {
  readContextSettings,
  readSystemSettings,
  setContextSetting,
  setSystemSetting,
  settingNamespace,
  unsetContextSetting,
  unsetSystemSetting,
} from '../../src/content/models/settings.js';
import type { Database } from '../../src/store/base/database.js';
import {
  bumpContentGeneration,
  createStateIfAbsent,
  readContentGeneration,
  readState,
  writeState,
} from '../../src/store/state/state.js';
import { describeEachDatabase } from '../support/databases.js';
import { describeWithFixture, loadFixture } from '../support/fixture.js';
import { migratedStore, open, prefix, rowsOf } from './store.js';

test.each([
  ['gateway_enabled', 'hcd_gateway'],
  ['pages_rest_api_enabled', 'hcd_pages'],
  ['banners_api_enabled', 'hcd_banners'],
  ['site_id', 'core'],
  ['gateway', 'core'],
  ['error_pages_x', 'core'],
])('a new setting %s belongs to %s', (key, namespace) => {
  expect(settingNamespace(key)).toBe(namespace);
});

describeEachDatabase('settings', (database) => {
  async function migrated(): Promise<Database> {
    const run = await migratedStore(await database.url());
    return run.own;
  }

  test('are created with namespace and widget, and changed without touching those', async () => {
    const own = await migrated();
    await own.write(async (tx) => {
      await setSystemSetting(tx, prefix, { key: 'gateway_enabled', value: '1', kind: 'flag' });
      await setSystemSetting(tx, prefix, { key: 'gateway_context', value: 'web', kind: 'text' });
    });
    const made = await readSystemSettings(own, prefix, ['gateway_enabled', 'gateway_context']);
    expect(made).toEqual([
      { key: 'gateway_context', value: 'web', namespace: 'hcd_gateway', xtype: 'textfield' },
      { key: 'gateway_enabled', value: '1', namespace: 'hcd_gateway', xtype: 'combo-boolean' },
    ]);

    const [first] = await rowsOf(own, `${prefix}system_settings`, ['key', 'xtype', 'namespace', 'area', 'editedon']);
    await own.write((tx) => setSystemSetting(tx, prefix, { key: String(first?.['key']), value: '0', kind: 'text' }));
    const [changed] = await rowsOf(own, `${prefix}system_settings`, [
      'key',
      'xtype',
      'namespace',
      'area',
      'editedon',
      'value',
    ]);
    expect(changed).toEqual({
      ...first,
      value: '0',
      editedon: expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
  });

  test('are found by exact key', async () => {
    const own = await migrated();
    await own.write(async (tx) => {
      for (const key of ['pages_a', 'pagesXb', 'PAGES_c', 'pages']) {
        await setSystemSetting(tx, prefix, { key, value: key, kind: 'text' });
      }
    });
    const keys = async (asked: readonly string[]) =>
      (await readSystemSettings(own, prefix, asked)).map((row) => row.key);
    expect(await keys(['pages', 'PAGES_A', 'pages_a', 'absent'])).toEqual(['pages', 'pages_a']);
    expect(await keys([])).toEqual([]);
  });

  test('of a context stand apart from those of another and of the system', async () => {
    const own = await migrated();
    await own.write(async (tx) => {
      await setContextSetting(tx, prefix, { contextKey: 'web', key: 'pages_x', value: 'w', kind: 'text' });
      await setContextSetting(tx, prefix, { contextKey: 'mgr', key: 'pages_x', value: '', kind: 'flag' });
      await setContextSetting(tx, prefix, { contextKey: 'web', key: 'pages_x', value: 'w2', kind: 'text' });
    });
    const web = {
      contextKey: 'web',
      key: 'pages_x',
      value: 'w2',
      namespace: 'hcd_pages',
      xtype: 'textfield',
    };
    const mgr = { ...web, contextKey: 'mgr', value: '', xtype: 'combo-boolean' };
    expect(await readContextSettings(own, prefix)).toEqual([mgr, web]);
    expect(await readContextSettings(own, prefix, { context: 'web' })).toEqual([web]);
    expect(await readSystemSettings(own, prefix, ['pages_x'])).toEqual([]);

    const unset = () => own.write((tx) => unsetContextSetting(tx, prefix, { contextKey: 'web', key: 'pages_x' }));
    expect([await unset(), await unset()]).toEqual([true, false]);
    expect(await readContextSettings(own, prefix)).toEqual([mgr]);
  });

  test('are removed once', async () => {
    const own = await migrated();
    const unset = () => own.write((tx) => unsetSystemSetting(tx, prefix, 'site_start'));
    expect([await unset(), await unset()]).toEqual([true, false]);
    expect(await readSystemSettings(own, prefix, ['site_start'])).toEqual([]);
  });

  test.each([
    ['no key', { key: '', value: '' }, { key: ['must have 1 to 50 characters'] }],
    ['a key of 51 characters', { key: 'k'.repeat(51), value: '' }, { key: ['must have 1 to 50 characters'] }],
    ['65,536 bytes', { key: 'k', value: 'é'.repeat(32_768) }, { value: ['must not exceed 65535 bytes'] }],
  ])('with %s are refused', async (_name, setting, fields) => {
    const own = await migrated();
    const set = own.write((tx) => setSystemSetting(tx, prefix, { ...setting, kind: 'text' }));
    await expect(set).rejects.toMatchObject({ code: 'validation_failed', details: { fields } });
  });

  test('hold any text, up to the limits', async () => {
    const own = await migrated();
    const rows = [
      { key: 'k'.repeat(50), value: `${'é'.repeat(32_767)}x` },
      { key: 'odd', value: `a'b"c\\d?e:f%_\n😀 ` },
    ];
    await own.write(async (tx) => {
      for (const row of rows) await setSystemSetting(tx, prefix, { ...row, kind: 'text' });
    });
    const read = await readSystemSettings(
      own,
      prefix,
      rows.map((row) => row.key),
    );
    expect(read.map(({ key, value }) => ({ key, value }))).toEqual(rows);
  });
});

describeEachDatabase('state', (database) => {
  test('is written, replaced and created once, also by many at the same time', async () => {
    const url = await database.url();
    const run = await migratedStore(url);
    expect(await readState(run.own, 'a')).toBeNull();
    await run.own.write((tx) => writeState(tx, 'a', 'one'));
    await run.own.write((tx) => writeState(tx, 'a', "two's"));
    expect(await readState(run.own, 'a')).toBe("two's");

    const others = await Promise.all(Array.from({ length: 4 }, () => open(url)));
    const made = await Promise.all(
      others.map((other, index) => other.write((tx) => createStateIfAbsent(tx, 'secret', `secret ${index}`))),
    );
    expect(new Set(made).size).toBe(1);
    expect(await readState(run.own, 'secret')).toBe(made[0]);
    expect(await run.own.write((tx) => createStateIfAbsent(tx, 'a', 'three'))).toBe("two's");
    const [row] = await rowsOf(run.own, 'hcd_state', ['key', 'updated_at']);
    expect(Number(row?.['updated_at'])).toBeGreaterThan(Date.UTC(2025, 0));
  });

  test('counts every change of the content, and none that was rolled back', async () => {
    const url = await database.url();
    const run = await migratedStore(url);
    expect(await readContentGeneration(run.own)).toBe(0);
    const others = await Promise.all(Array.from({ length: 3 }, () => open(url)));
    await Promise.all([...others, ...others, ...others].map((other) => other.write(bumpContentGeneration)));
    expect(await readContentGeneration(run.own)).toBe(9);
    const failing = run.own.write(async (tx) => {
      await bumpContentGeneration(tx);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await readContentGeneration(run.own)).toBe(9);
  });
});

describeWithFixture('settings of a real CMS database', () => {
  test('are read, changed in place, created and removed', async () => {
    const content = await open(await loadFixture());
    const read = async (key: string) => (await readSystemSettings(content, prefix, [key]))[0];
    expect(await read('container_suffix')).toEqual({
      key: 'container_suffix',
      value: '/',
      namespace: 'core',
      xtype: 'textfield',
    });
    expect((await readSystemSettings(content, prefix)).length).toBe(399);
    expect(await readSystemSettings(content, prefix, ['CONTAINER_SUFFIX'])).toEqual([]);

    await content.write(async (tx) => {
      await setSystemSetting(tx, prefix, { key: 'friendly_urls', value: '0', kind: 'text' });
      await setSystemSetting(tx, prefix, { key: 'banners_api_enabled', value: '1', kind: 'flag' });
      await setContextSetting(tx, prefix, { contextKey: 'web', key: 'pages_x', value: 'текст', kind: 'text' });
    });
    expect(await read('friendly_urls')).toMatchObject({ value: '0', namespace: 'core', xtype: 'combo-boolean' });
    expect(await read('banners_api_enabled')).toMatchObject({
      value: '1',
      namespace: 'hcd_banners',
      xtype: 'combo-boolean',
    });
    const ours = { context: 'web', keys: ['pages_x'] };
    expect(await readContextSettings(content, prefix, ours)).toMatchObject([{ contextKey: 'web', value: 'текст' }]);
    expect(await content.write((tx) => unsetSystemSetting(tx, prefix, 'banners_api_enabled'))).toBe(true);
    expect(await read('banners_api_enabled')).toBeUndefined();
  });

  test('with characters that the old table cannot hold are a validation error, not a fault', async () => {
    const content = await open(await loadFixture());
    const set = content.write((tx) => setSystemSetting(tx, prefix, { key: 'pages_x', value: '😀', kind: 'text' }));
    await expect(set).rejects.toMatchObject({ code: 'validation_failed' });
  });
});
