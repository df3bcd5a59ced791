/** Folders that an export writes: what is in them, what is not touched, and that they come back as they were. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { compareSite } from '../../../src/operations/transfer/compare-site.js';
import { type FolderCounts, writeFolder } from '../../../src/operations/transfer/write-folder.js';
import type { Store } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { makeTempDir } from '../../support/temp-dir.js';
import { exportText, fileOf, folderSource, importFolder, importText, migratedStore, runSql } from './transfer-store.js';

const site = fileOf(
  ['categories', { category: 'Shop' }],
  ['tvs', { name: 'price', type: 'number', category: ['Shop'], default_text: '0' }],
  ['tvs', { name: 'note', type: 'text', properties: [{}, 'a'] }],
  [
    'templates',
    { templatename: 'Product: a/b', content: '<h1>[[*pagetitle]]</h1>\n', category: ['Shop'], tvs: ['price'] },
  ],
  ['chunks', { name: 'nav', snippet: '[[~web:shop/]]' }],
  ['chunks', { name: 'NAV', snippet: '' }],
  [
    'resources',
    { context_key: 'web', uri: 'shop/', alias: 'shop', pagetitle: 'Shop', isfolder: true, published: true },
  ],
  [
    'resources',
    {
      ...{ context_key: 'web', uri: 'shop/zelte,-groß.html', alias: 'zelte,-groß', pagetitle: '404', published: true },
      ...{
        parent: { context: 'web', uri: 'shop/' },
        template: 'Product: a/b',
        content: '\n-----\n\n<p>é\r\n',
        hidemenu: true,
      },
      ...{
        longtitle: 'it\'s: "so"\t\u00a0',
        menutitle: 'yes',
        createdon: '2015-09-19T18:24:58Z',
        publishedon: '2015-09-19T18:24:58Z',
        tvs: { note: '#1 ~' },
      },
    },
  ],
);

describeEachDatabase('a folder of an export', (kind) => {
  let store: Store;
  let root: string;

  beforeEach(async () => {
    store = await migratedStore(await kind.url());
    await importText(store, site);
    root = await makeTempDir('out');
    writeFileSync(join(root, '.gitify'), readFileSync('assets/gitify/new.yaml'));
    return () => store.close();
  });

  const file = (name: string): string => join(root, '_data', name);
  const read = (name: string): string => readFileSync(file(name), 'utf8');

  async function write(removes = true, from = store): Promise<FolderCounts> {
    const { config } = await folderSource(root);
    const rest = { objects: undefined, filter: {}, onRecords: () => undefined, removes: () => removes };
    return writeFolder(from, { config, ...rest });
  }

  // A file has one kind of line end.
  const texts = async (of: Store) => (await exportText(of)).replaceAll('\\r\\n', '\\n');

  const importRoot = (into: Store) => importFolder(into, root);

  test('has files as Gitify writes them', async () => {
    await write();
    expect(read('content/web/shop/zelte,-groß.html')).toBe(
      [
        "id: 2\npagetitle: '404'\nlongtitle: \"it's: \\\"so\\\"\\t\\u00a0\"\nalias: 'zelte,-groß'\npublished: 1\nparent: 1",
        "introtext: null\ntemplate: 1\ncreatedon: 1442687098\npublishedon: 1442687098\nmenutitle: 'yes'\nhidemenu: 1\nuri: 'shop/zelte,-groß.html'",
        "properties: null\ntvs:\n    note: '#1 ~'\n    price: '0'\n\n-----\n\n\n-----\n\n<p>é\r\n",
      ].join('\n'),
    );
    expect(read('templates/Product-a-b.html')).toBe(
      "id: 1\ntemplatename: 'Product: a/b'\ncategory: Shop\nproperties: 'a:0:{}'\n\n-----\n\n<h1>[[*pagetitle]]</h1>\n",
    );
    expect(read('chunks/nav-2.html')).toContain('[[~1]]');
    expect(read('template_variables_access/1.1.yaml')).toBe('tmplvarid: 1\ntemplateid: 1\n');
  });

  test('is the same site in another store, with its ids', async () => {
    await write();
    const other = await migratedStore(await kind.url());
    await importRoot(other);
    expect(await exportText(other)).toBe(await texts(store));
    const ids = { sql: 'SELECT id, uri FROM modx_site_content ORDER BY id', params: [] };
    expect(await other.content.primary.select(ids)).toEqual(await store.content.primary.select(ids));
    expect(await importRoot(other)).toMatchObject({ created: 0, updated: 0 });
    await other.close();
  });

  test('is not touched where nothing changed, whatever the form of a file', async () => {
    await write();
    expect(await write()).toMatchObject({ written: 0, removed: 0 });
    const page = file('content/web/shop.html');
    const text =
      'isfolder: "1"\npagetitle: Shop # by hand\npublished: true\nuri: shop/\nalias: shop\ncreatedby: 7\n' +
      "pub_date: '0000-00-00 00:00:00'\n";
    writeFileSync(page, text);
    renameSync(file('chunks/nav-2.html'), file('chunks/other name.html'));
    writeFileSync(
      file('template_variables_access/1.1.yaml'),
      'tmplvarid: price\ntemplateid: "Product: a/b"\nrank: 7\n',
    );
    writeFileSync(file('template_variables/note.yaml'), 'name: note\ntype: text\nproperties: {0: {}, 1: a}\n');
    utimesSync(page, 1, 1);
    expect(await write()).toMatchObject({ written: 0, removed: 0 });
    expect(statSync(page).mtimeMs).toBe(1000);
  });

  test('follows what changed in the store, and keeps other files', async () => {
    await write();
    writeFileSync(file('content/web/old.html'), 'id: 99\npagetitle: Old\nuri: old\n');
    writeFileSync(file('readme.md'), 'x');
    await runSql(store, "UPDATE modx_site_content SET uri = 'shop/tents', alias = 'tents' WHERE id = 2");
    await runSql(store, "DELETE FROM modx_site_htmlsnippets WHERE snippet = ''");
    expect(await write(false)).toMatchObject({ written: 1, removed: 1, orphaned: 2 });
    expect(existsSync(file('content/web/old.html'))).toBe(true);
    expect(await write()).toMatchObject({ written: 0, removed: 2, orphaned: 0 });
    expect(existsSync(file('content/web/shop/zelte,-groß.html'))).toBe(false);
    expect(read('content/web/shop/tents.html')).toContain('uri: shop/tents');
    expect(existsSync(file('content/web/old.html'))).toBe(false);
    expect(existsSync(file('readme.md'))).toBe(true);
  });

  test('names the file of an alias with slashes by its last part', async () => {
    await runSql(store, "UPDATE modx_site_content SET uri = 'shop/06/tents', alias = '06/tents' WHERE id = 2");
    await write();
    expect(read('content/web/shop/06/tents.html')).toMatch(/alias: '?06\/tents/);
  });

  test('keeps joins without ranks, which count by the ids of their variables', async () => {
    await write();
    for (let id = 2; id <= 10; id += 1) {
      writeFileSync(file(`template_variables/v${id}.yaml`), `id: ${id + 10}\ntype: text\nname: v${id}\n`);
      writeFileSync(file(`template_variables_access/${99 - id}.yaml`), `tmplvarid: ${id + 10}\ntemplateid: 1\n`);
    }
    await importRoot(store);
    expect(await write()).toMatchObject({ written: 0 });
  });

  test('is the site also where a join with an id and one made by hand have the same rank', async () => {
    await write();
    await runSql(store, 'INSERT INTO modx_site_tmplvar_templates (tmplvarid, templateid) VALUES (2, 1)');
    writeFileSync(file('template_variables_access/1.1.yaml'), 'tmplvarid: price\ntemplateid: "Product: a/b"\n');
    await write();
    await importRoot(store);
    expect(await exportText(store)).toContain('"tvs":["price","note"]');
  });

  test('keeps a file without an id, which may be new', async () => {
    await write();
    writeFileSync(file('templates/new.html'), 'templatename: New\n\n-----\n\nx\n');
    expect(await write()).toMatchObject({ written: 0, removed: 0 });
    expect(existsSync(file('templates/new.html'))).toBe(true);
  });

  describe('with pages of one address', () => {
    const rows = async (of: Store, columns = 'id, context_key, uri, parent, deleted, published, pagetitle') =>
      of.content.primary.select({ sql: `SELECT ${columns} FROM modx_site_content ORDER BY id`, params: [] });
    const differences = async (of: Store): Promise<number> => {
      const source = await folderSource(root);
      return compareSite({ store: of, registry: null }, { source, by: 'test' }, async (_, count) => count);
    };

    /** `more`: parent, deleted, published. */
    const page = (id: number, uri: string, more: string) =>
      runSql(
        store,
        `INSERT INTO modx_site_content (id, context_key, uri, alias, pagetitle, description, content, createdon, publishedon, parent, deleted, published)
          VALUES (${id}, 'web', '${uri}', 'x', 'Page ${id}', '', '[[~16]]', 7, 7, ${more})`,
      );

    beforeEach(async () => {
      await page(11, 'shop/club.html', '0, 1, 0');
      await page(12, 'shop/club.html', '18, 0, 1');
      await page(13, 'shop/club.html', '17, 1, 1');
      await page(16, 'old/page', '17, 1, 0');
      await page(17, 'old/', '0, 1, 0');
      await page(18, 'old/', '0, 0, 1');
      const value = 'INSERT INTO modx_site_tmplvar_contentvalues (tmplvarid, contentid, value) VALUES (2, 13, 7)';
      await runSql(store, value);
      await write();
    });

    test('changes nothing in its site, also where one was deleted meanwhile', async () => {
      await page(14, '', '1, 0, 1');
      await page(15, '', '99, 1, 0');
      // A value that is the default of its variable, which files do not tell from none.
      await runSql(store, 'INSERT INTO modx_site_tmplvar_contentvalues (tmplvarid, contentid, value) VALUES (1, 2, 0)');
      await runSql(store, "UPDATE modx_content_type SET icon = '' WHERE id = 1");
      await write();
      // A file has one kind of line end.
      expect(await importRoot(store)).toMatchObject({ created: 0, updated: 1 });
      const before = await rows(store);
      expect(await importRoot(store)).toMatchObject({ created: 0, updated: 0 });
      expect(await rows(store)).toEqual(before);
      expect(await differences(store)).toBe(0);
      await runSql(store, 'UPDATE modx_site_content SET deleted = 1 - deleted WHERE id IN (12, 13)');
      expect(await differences(store)).toBe(2);
      expect(await importRoot(store)).toMatchObject({ created: 0, updated: 2 });
      expect(await rows(store)).toEqual(before);
      expect(await write()).toMatchObject({ written: 0, removed: 0, orphaned: 0 });
    });

    test('is the same site in an empty store, by lines and as a folder', async () => {
      for (const isFolder of [true, false]) {
        const other = await migratedStore(await kind.url());
        await (isFolder ? importRoot(other) : importText(other, await exportText(store)));
        expect(await texts(other)).toBe(await texts(store));
        if (isFolder) expect(await rows(other, 'id, uri, deleted')).toEqual(await rows(store, 'id, uri, deleted'));
        await other.close();
      }
    });

    test('finds them again in a site that has their ids and one of their addresses', async () => {
      const other = await migratedStore(await kind.url());
      const own = (uri: string) => ['resources', { context_key: 'web', uri, pagetitle: 'Own' }] as const;
      const others = Array.from({ length: 20 }, (_, at) => own(`own-${at}`));
      await importText(other, fileOf(...others, own('shop/club.html')));
      expect(await importRoot(other)).toMatchObject({ skipped: 0 });
      const found = await rows(other);
      expect(found.filter(([, , uri]) => uri === 'shop/club.html').map((row) => row.slice(4))).toEqual([
        [0, 1, 'Page 12'],
        [1, 1, 'Page 13'],
        [1, 0, 'Page 11'],
      ]);
      expect(await importRoot(other)).toMatchObject({ created: 0, updated: 0 });
      expect(await differences(other)).toBe(others.length);
      await other.close();
    });
  });

  describe('gives each id to one file', () => {
    const zz = fileOf([
      'resources',
      {
        ...{ context_key: 'web', uri: 'shop/zz.html', alias: 'zz', pagetitle: 'Zz' },
        parent: { context: 'web', uri: 'shop/' },
      },
    ]);
    const idsIn = (folder: string): (string | undefined)[] =>
      readdirSync(file(folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.html'))
        .map((name) => /^id: (\d+)$/m.exec(read(join(folder, name)))?.[1]);

    /** An import of the folder changes nothing. */
    async function expectSame(): Promise<void> {
      const before = await texts(store);
      expect(await importRoot(store)).toMatchObject({ created: 0 });
      expect(await texts(store)).toBe(before);
    }

    test('where a new page has the address that another one had', async () => {
      await importText(store, zz);
      await write();
      await runSql(store, "UPDATE modx_site_content SET alias = 'old', uri = 'shop/old.html' WHERE id = 3");
      await importText(store, zz);
      expect(await write(false)).toMatchObject({ written: 2, orphaned: 0 });
      expect(read('content/web/shop/old.html')).toMatch(/^id: 3$/m);
      expect(idsIn('content/web').toSorted()).toEqual(['1', '2', '3', '4']);
      await expectSame();
      expect(await write(false)).toMatchObject({ written: 0, orphaned: 0 });
    });

    test('where a new page has the id that a file of another site has', async () => {
      await write();
      const shop = 'content/web/shop.html';
      writeFileSync(file(shop), read(shop).replace('id: 1\n', 'id: 3\n'));
      await importText(store, zz);
      await write(false);
      expect(idsIn('content/web').toSorted()).toEqual(['1', '2', '3']);
      await expectSame();
    });

    test('where a page moves to another partition, and asks nothing', async () => {
      const partition = (name: string, template: number) =>
        `  ${name}: {type: content, where: [{template: ${template}}]}\n`;
      writeFileSync(join(root, '.gitify'), `data_directory: _data/\ndata:\n${partition('a', 0)}${partition('b', 1)}`);
      await write();
      expect([idsIn('a'), idsIn('b')]).toEqual([['1'], ['2']]);
      await runSql(store, 'UPDATE modx_site_content SET template = 0');
      const unasked = (): never => expect.fail();
      const { config } = await folderSource(root);
      await writeFolder(store, {
        config,
        objects: undefined,
        filter: {},
        onRecords: () => undefined,
        removes: unasked,
      });
      expect(idsIn('a').toSorted()).toEqual(['1', '2']);
      expect(existsSync(file('b'))).toBe(false);
    });
  });

  test('takes a text with any number of commas back', async () => {
    await runSql(store, `UPDATE modx_site_tmplvars SET default_text = ' ${'1,'.repeat(30_000)}' WHERE name = 'note'`);
    await runSql(
      store,
      'UPDATE modx_site_tmplvars SET default_text = CONCAT(default_text, default_text, default_text, default_text, default_text, default_text, default_text)',
    );
    await write();
    expect(await importRoot(store)).toMatchObject({ created: 0 });
  });

  test('finds pages made by hand by their path or the address that they get', async () => {
    const soup = 'pagetitle: Soup\nalias: soup\n';
    await write();
    writeFileSync(file('content/web/soup.html'), soup);
    writeFileSync(file('content/web/elsewhere.html'), 'pagetitle: Stew\nparent: shop/\n');
    await importRoot(store);
    expect(await write()).toMatchObject({ written: 0 });
    expect(readdirSync(file('content/web')).toSorted()).toEqual(['elsewhere.html', 'shop', 'shop.html', 'soup.html']);
    expect(read('content/web/soup.html')).toBe(soup);
    expect(await importRoot(store)).toMatchObject({ created: 0, updated: 0 });
  });

  test.each(['', 'id: 4711\n'])('keeps the dates of the first import of a page made by hand: %j', async (id) => {
    await write();
    const tea = `${id}pagetitle: Tea\nalias: tea\nparent: shop/\npublished: 1\n`;
    writeFileSync(file('content/web/tea.html'), tea);
    await importRoot(store);
    const dates = async () => {
      const sql = "SELECT createdon, publishedon FROM modx_site_content WHERE alias = 'tea'";
      return (await store.content.primary.select({ sql, params: [] })).map((row) => row.map(Number));
    };
    const [[created = 0, published = 0] = []] = await dates();
    expect(Math.min(created, published)).toBeGreaterThan(1_700_000_000);
    expect(await write()).toMatchObject({ written: 0 });
    expect(await importRoot(store)).toMatchObject({ created: 0, updated: 0 });
    expect(await dates()).toEqual([[created, published]]);
    expect(read('content/web/tea.html')).toBe(tea);
  });

  test('changes only what differs, and keeps the form of the rest', async () => {
    await write();
    const soup = (title: string, body: string, more = '') =>
      `# Made by hand\npagetitle: ${title}\nmenuindex: 0\n\n# The shop\nparent: shop/ # by its address\nalias: "soup"\npublished: true\n${more}\n-----\n\n${body}\n`;
    writeFileSync(file('content/web/soup.html'), soup("'Soup'", 'Hot'));
    await importRoot(store);
    const set = (values: string) => runSql(store, `UPDATE modx_site_content SET ${values} WHERE alias = 'soup'`);
    await set("pagetitle = 'Stew', menutitle = 'Warm'");
    expect(await write()).toMatchObject({ written: 1 });
    expect(read('content/web/soup.html')).toBe(soup('Stew', 'Hot', 'menutitle: Warm\n'));
    await set("menutitle = '', content = 'Cold\n'");
    expect(await write()).toMatchObject({ written: 1 });
    expect(read('content/web/soup.html')).toBe(soup('Stew', 'Cold'));
    expect(await importRoot(store)).toMatchObject({ created: 0, updated: 0 });
  });

  test('finds joins made by hand by the names in them', async () => {
    await importText(store, fileOf(['resource_groups', { name: 'Staff' }]));
    await write();
    mkdirSync(file('resource_group_resources'), { recursive: true });
    writeFileSync(file('resource_group_resources/shop.yaml'), 'document: shop/\ndocument_group: Staff\n');
    await importRoot(store);
    expect(await write(false)).toMatchObject({ written: 0, orphaned: 0 });
  });

  test('has categories of one name by their path, names that every system takes, and a limit of children', async () => {
    const text = fileOf(
      ['categories', { category: 'Shop', parent: ['Shop'] }],
      ['chunks', { name: 'con', category: ['Shop', 'Shop'], snippet: '' }],
    );
    await importText(store, text);
    await write();
    expect(read('chunks/_con.html')).toContain('category: [Shop, Shop]');
    // A text has LF afterwards.
    await importRoot(store);
    expect(await importRoot(store)).toMatchObject({ created: 0, updated: 0 });
    writeFileSync(join(root, '.gitify'), 'data: {pages: {type: content, limit_per_parent: 1}}\n');
    await importText(store, fileOf(['resources', { context_key: 'web', uri: 'b', pagetitle: 'B' }]));
    expect(await write()).toMatchObject({ records: 2 });
  });

  test('has only the rows and members of its partitions', async () => {
    const where = "where: [{'pagetitle:LIKE': '%ho%'}, {'OR:uri:IN': [none]}]";
    writeFileSync(
      join(root, '.gitify'),
      `data:\n  pages: {type: content, exclude_keys: [createdon, introtext, tvs, id], ${where}}\n`,
    );
    expect(await write()).toMatchObject({ records: 1, written: 1 });
    expect(read('pages/web/shop.html')).not.toMatch(/introtext|createdon|tvs|^id/m);
    const text = 'id: 77\npagetitle: Shop\nuri: shop/zelte,-groß.html\ntvs: {note: other, unknown: 1}\n';
    writeFileSync(join(root, '_data/pages/web/by-hand.html'), text);
    expect(await importRoot(store)).toMatchObject({ created: 0, updated: 1 });
    expect(await exportText(store)).toContain('"note":"#1 ~"');
    writeFileSync(join(root, '.gitify'), "data:\n  pages: {type: content, where: [{'id:BETWEEN': 1}]}\n");
    await expect(write()).rejects.toThrow('data.pages: where has the operator BETWEEN; known are =,');
  });
});
