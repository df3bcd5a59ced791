/** What the choices of an export and an import mean: objects, contexts, times, extra objects, and all or nothing. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type CliDatabase, prepareCliDatabase } from '../../support/cli-database.js';
import { describeEachDatabase } from '../../support/databases.js';
import { makeTempDir } from '../../support/temp-dir.js';
import { change, withDatabase } from '../copy/stores.js';
import { fileOf, type Line } from './transfer-store.js';

const times = { old: '1969-01-01T00:00:00Z', recent: '2026-11-20T00:00:00Z' };
const page = (context: string, uri: string, more: Readonly<Record<string, unknown>> = {}): Line => [
  'resources',
  { context_key: context, uri, pagetitle: uri, createdon: times.old, editedon: times.old, ...more },
];

describeEachDatabase('the choices of exports and imports', (kind) => {
  let db: CliDatabase;
  let url: string;
  let folder: string;
  let env: Readonly<Record<string, string>>;

  const write = (...lines: readonly Line[]): string => {
    const path = join(folder, 'in.ndjson');
    writeFileSync(path, fileOf(...lines, ''));
    return path;
  };
  const exported = async (...words: readonly string[]): Promise<readonly string[]> => {
    const path = join(folder, 'out.ndjson');
    expect(await db.run(['export', path, '--yes', ...words], { env })).toMatchObject({ code: 0 });
    return readFileSync(path, 'utf8').split('\n').slice(1, -1);
  };
  const namesIn = (lines: readonly string[], object: string): readonly string[] =>
    lines
      .map((line) => JSON.parse(line))
      .filter((line) => line.object === object)
      .map(({ record }) => record.uri ?? record.key ?? record.id ?? record.name);

  beforeAll(async () => {
    url = await kind.url();
    db = await prepareCliDatabase(url);
    folder = await makeTempDir('choices');
    mkdirSync(join(folder, 'objects'));
    const definition = {
      name: 'products',
      table: 'products',
      fields: {
        id: { column: 'id', type: 'integer' },
        label: { column: 'label', type: 'string' },
        page: { column: 'page', type: 'integer' },
        cost: { column: 'cost', type: 'integer' },
      },
      primaryKey: 'id',
      readable: true,
      hidden: ['cost'],
      relations: [{ name: 'about', target: 'resources', type: 'to_one', foreignKey: 'page' }],
    };
    writeFileSync(join(folder, 'objects', 'products.json'), JSON.stringify(definition));
    env = { HCD_OBJECTS_DIR: join(folder, 'objects') };
    await change(url, [
      'CREATE TABLE modx_products (id INTEGER NOT NULL PRIMARY KEY, label VARCHAR(50) NOT NULL, page INTEGER NOT NULL, cost INTEGER NOT NULL DEFAULT 7)',
    ]);
    const file = write(
      ['contexts', { key: 'en' }],
      ['chunks', { name: 'head', snippet: 'x' }],
      page('web', 'old.html'),
      page('web', 'recent.html', { editedon: times.recent }),
      page('en', 'english.html', { editedon: times.recent }),
      ['context_settings', { context: 'en', key: 'site_name', value: 'Shop' }],
      ['context_settings', { context: 'en', key: 'api_key', value: 'hidden-1' }],
      ['context_settings', { context: 'en', key: 'mail', value: 'hidden-2', xtype: 'text-password' }],
      ['settings', { key: 'site_name', value: 'hidden-3' }],
      ['users', { username: 'ann' }],
    );
    expect(await db.run(['import', file])).toMatchObject({ code: 0, stderr: '' });
  });

  test('select objects, contexts and times', async () => {
    const objects = await exported('--object', 'chunks,resources');
    expect(new Set(objects.map((line) => JSON.parse(line).object))).toEqual(new Set(['chunks', 'resources']));
    expect(namesIn(objects, 'resources')).toContain('old.html');
    const english = await exported('--context', 'en');
    expect(namesIn(english, 'resources')).toEqual(['english.html']);
    expect([...namesIn(english, 'contexts'), ...namesIn(english, 'chunks')]).toEqual(['en', 'head']);
    const recent = await exported('--since', '2026-11-01');
    expect(namesIn(recent, 'resources')).toEqual(['english.html', 'recent.html']);
    expect(namesIn(recent, 'chunks')).toEqual(['head']);
    expect(namesIn(await exported('--since', '2026-11-01', '--context', 'web'), 'resources')).toEqual(['recent.html']);
  });

  test('never export secrets, settings of the system or users', async () => {
    const lines = await exported();
    expect(lines.join('\n')).not.toMatch(/hidden-\d|ann/);
    expect(namesIn(lines, 'context_settings')).toEqual(['site_name']);
  });

  test('move rows of extra objects to a site with other ids, without hidden fields', async () => {
    const products = Array.from(
      { length: 7 },
      (_, at): Line => [
        'products',
        { id: at + 3, label: `Tent ${at}`, page: at === 0 ? null : { context: 'web', uri: 'recent.html' } },
      ],
    );
    expect(await db.run(['import', write(...products)], { env })).toMatchObject({ code: 0, stderr: '' });
    const text = await exported();
    expect(namesIn(text, 'products')).toEqual([3, 4, 5, 6, 7, 8, 9]);
    expect(text.join('\n')).not.toContain('"cost"');
    const other = await kind.url();
    const otherDb = await prepareCliDatabase(other);
    await change(other, [
      'CREATE TABLE modx_products (id INTEGER NOT NULL PRIMARY KEY, label VARCHAR(50) NOT NULL, page INTEGER NOT NULL, cost INTEGER NOT NULL DEFAULT 7)',
    ]);
    expect(await otherDb.run(['import', write(page('web', 'shift'))])).toMatchObject({ code: 0 });
    const out = join(folder, 'out.ndjson');
    expect(await otherDb.run(['import', out], { env })).toMatchObject({ code: 0, stderr: '' });
    await change(other, ["DELETE FROM modx_site_content WHERE uri = 'shift'"]);
    const again = join(folder, 'again.ndjson');
    expect(await otherDb.run(['export', again], { env })).toMatchObject({ code: 0 });
    expect(readFileSync(again, 'utf8').split('\n').slice(1, -1)).toEqual(text);
  });

  test('roll everything back when the last line of an import with --atomic is wrong', async () => {
    const tables = ['site_content', 'site_htmlsnippets', 'site_tmplvars', 'site_tmplvar_contentvalues', 'categories'];
    const dump = (): Promise<unknown> =>
      withDatabase(url, async (database) => {
        const own = ['hcd_state', 'hcd_ads'];
        const present = await Promise.all(
          [...tables.map((name) => `modx_${name}`), ...own].map(async (table) => [
            table,
            await database.select({ sql: `SELECT * FROM ${table} ORDER BY 1`, params: [] }),
          ]),
        );
        return present;
      });
    const before = await dump();
    const many = Array.from({ length: 450 }, (_, at) => page('web', `atomic-${at}.html`, { tvs: { atomic: 'x' } }));
    const file = write(
      ['categories', { category: 'Atomic' }],
      ['tvs', { name: 'atomic', category: ['Atomic'] }],
      ['chunks', { name: 'head', snippet: 'changed' }],
      ...many,
      ['banners', { name: 'Atomic', type: 'html' }],
      ['chunks', { name: 'wrong', snipet: 'x' }],
    );
    const { error } = (await db.json(['import', file, '--atomic'])) as { error: { message: string } };
    expect(error.message).toMatch(/^line \d+: .*; nothing was imported; hcd import --dry-run checks the whole file$/);
    expect(await dump()).toEqual(before);
  });
});
