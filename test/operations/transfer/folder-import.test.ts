/** Folders in the layout of Gitify: what they may hold, what comes of it, and what is refused. */
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { FolderFound } from '../../../src/operations/transfer/folder-entry.js';
import type { ImportCounts } from '../../../src/operations/transfer/import-records.js';
import { openStore, type Store } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { patientLimits } from '../../support/patient-limits.js';
import { makeTempDir } from '../../support/temp-dir.js';
import { exportText, importFolder, migratedStore, problemsOf, runSql, writeFiles } from './transfer-store.js';

type Files = Readonly<Record<string, string | Buffer>>;

const config = `data_directory: _data/
data:
    contexts: {class: modContext, primary: key}
    context_settings: {class: modContextSetting, primary: [context_key, key]}
    categories: {class: modCategory, primary: category}
    templates: {class: 'MODX\\Revolution\\modTemplate', primary: templatename, extension: .html}
    template_variables: {class: modTemplateVar, primary: name}
    template_variables_access: {class: modTemplateVarTemplate, primary: [tmplvarid, templateid]}
    chunks: {class: modChunk, primary: name, extension: .html}
    mediasources: {class: sources.modMediaSource, primary: id}
    mediasource_elements: {class: sources.modMediaSourceElement, primary: [source, object_class, object, context_key]}
    content_types: {class: modContentType, primary: name}
    settings: {class: modSystemSetting, primary: key}
    plugins: {class: modPlugin, primary: name}
    extras: null
    groups: {class: modResourceGroup, primary: name}
    members: {class: modResourceGroupResource, primary: [document_group, document]}
    content: {type: content, exclude_keys: [editedon, vendor.id]}
`;

/** A small site with what public folders hold. */
const site: Files = {
  '.gitify': config,
  '_data/categories/Shop.yaml': 'id: 7\ncategory: Shop\n',
  '_data/categories/Tents.yaml': 'id: 9\nparent: 7\ncategory: Tents\n',
  '_data/templates/Product.html':
    "id: 12\ntemplatename: Product\ncategory: Tents\nproperties: 'a:0:{}'\n\n-----\n\n<h1>[[*pagetitle]]</h1>[[~5]]",
  '_data/template_variables/price.yaml':
    "id: 3\ntype: number\nname: price\nelements: ''\ninput_properties: null\ncontent: '0'\ndefault_text: '0'\n",
  '_data/template_variables/related.yaml': 'id: 4\ntype: resourcelist\nname: related\n',
  '_data/template_variables_access/3.12.yaml': 'tmplvarid: 3\ntemplateid: 12\nrank: 2\n',
  '_data/template_variables_access/by-name.yaml': 'tmplvarid: related\ntemplateid: Product\nrank: 1\n',
  '_data/template_variables_access/9.99.yaml': 'tmplvarid: 9\ntemplateid: 99\n',
  '_data/mediasources/1.yaml': "id: 1\nname: Files\ndescription: ''\nproperties: 'a:0:{}'\n",
  '_data/mediasource_elements/1.modTemplateVar.3.web.yaml': 'source: 1\nobject: 3\n',
  '_data/content_types/5.yaml':
    "id: 5\nname: javascript\ndescription: ''\nmime_type: text/javascript\nfile_extensions: .js\n",
  '_data/settings/site_start.yaml': "key: site_start\nvalue: '5'\narea: site\n",
  '_data/settings/mail_smtp_pass.yaml': "key: mail_smtp_pass\nvalue: 'x'\n",
  '_data/context_settings/mgr.x.yaml': 'context_key: nowhere\nkey: x\n',
  '_data/plugins/one.php': '\xff not even text',
  '_data/content/web/index.html':
    'id: 5\npagetitle: Start\nalias: index\npublished: 1\nuri: index.html\ncontentType: text/html\nvendor.id: null\ntvs: {  }\n',
  '_data/content/web/Zelte,-groß.html': [
    "id: 8\npagetitle: '404'\nalias: zelte\npublished: true\nparent: 5\ntemplate: 12\nclass_key: mgResource\nextra: 1",
    'createdon: 1442687098\ncreatedby: 1\nuri: zelte\nproperties: \'{"a":1}\'',
    "tvs:\n    price: !!float 450\n    related: '5'\n\n-----\n\n\n<p>[[~5]]</p>\n-----\n\nend\r\n",
  ].join('\n'),
  '_data/content/shop/one.html': "id: 20\npagetitle: One\nalias: one\ncontext_key: shop\nuri: ''\n",
  '_data/content/web/.DS_Store': 'x',
};

async function makeFolder(files: Files): Promise<string> {
  const root = await makeTempDir('folder');
  writeFiles(root, files);
  return root;
}

describeEachDatabase('a folder', (kind) => {
  let store: Store;
  let ignored: Record<string, number> = {};
  let lost: readonly string[] = [];

  beforeEach(async () => {
    store = await migratedStore(await kind.url());
    return () => store.close();
  });

  async function importRoot(root: string, hasOpenGroups = false): Promise<ImportCounts> {
    const found = new FolderFound();
    const counts = await importFolder(store, root, { found, hasOpenGroups });
    ({ ignored } = found);
    lost = found.losses.list.map(({ member, why }) => `${member}: ${why}`);
    return counts;
  }

  async function recordsOf(...objects: readonly string[]): Promise<readonly unknown[]> {
    const lines = (await exportText(store)).trim().split('\n').slice(1);
    return lines
      .map((line) => JSON.parse(line))
      .filter(({ object }) => objects.includes(object))
      .map(({ record }) => record);
  }

  async function rowsOf(sql: string): Promise<readonly unknown[]> {
    return (await store.content.primary.select({ sql, params: [] })).map((row) => row.join(' '));
  }

  test('has class names as each version of the CMS writes them', async () => {
    const root = await makeFolder({
      ...site,
      '_data/content/web/link.html': 'id: 30\npagetitle: Link\nalias: link\nclass_key: modWebLink\nuri: link\n',
    });
    const classes = () =>
      rowsOf('SELECT class_key FROM modx_site_content UNION SELECT object_class FROM modx_media_sources_elements');
    await importRoot(root);
    const names = ['modDocument', 'modTemplateVar', 'modWebLink'];
    const sorted = async () => (await classes()).toSorted();
    expect(await sorted()).toEqual([...names.map((name) => `MODX\\Revolution\\${name}`), 'mgResource']);
    await store.close();
    const databaseUrl = await kind.url();
    const newer = await migratedStore(databaseUrl);
    await runSql(newer, 'ALTER TABLE modx_site_templates DROP COLUMN preview_file');
    await newer.close();
    store = await openStore({ databaseUrl, prefix: 'modx_', limits: patientLimits });
    await importRoot(root);
    expect(await sorted()).toEqual(['mgResource', ...names]);
    expect(await importRoot(root)).toMatchObject({ created: 0, updated: 0 });
  });

  test('counts the members of a page whose class is the default of an extra, and so left out', async () => {
    const text = 'id: 3\npagetitle: Chair\nuri: chair\nprice: !!float 9\nweight: 1\nvendor: 2\nmade_in: x\n';
    await importRoot(await makeFolder({ '.gitify': config, '_data/content/web/chair.html': text }));
    expect(ignored).toEqual(
      Object.fromEntries(['price', 'weight', 'vendor', 'made_in'].map((name) => [`modResource.${name}`, 1])),
    );
    expect(await rowsOf('SELECT id, pagetitle FROM modx_site_content')).toEqual(['3 Chair']);
  });

  test('becomes the records that its files say, with their ids', async () => {
    const root = await makeFolder(site);
    expect(await importRoot(root)).toMatchObject({ created: 9, skipped: 0 });
    expect(ignored).toEqual({ modPlugin: 1, modSystemSetting: 1, modContextSetting: 1, 'mgResource.extra': 1 });
    expect(lost).toEqual(['tvs: there is no template 99']);
    expect(await rowsOf('SELECT id, parent, template, uri FROM modx_site_content ORDER BY id')).toEqual([
      '5 0 0 index.html',
      '8 5 12 zelte',
      '20 0 0 one.html',
    ]);
    const [, page] = (await recordsOf('resources')) as [unknown, unknown];
    expect(await recordsOf('resources')).toContainEqual(
      expect.objectContaining({
        ...{ pagetitle: '404', published: true, class_key: 'mgResource', template: 'Product', properties: { a: 1 } },
        content: '\n<p>[[~web:index.html]]</p>\n-----\n\nend\n',
        tvs: { price: '450', related: { context: 'web', uri: 'index.html' } },
        createdon: '2015-09-19T18:24:58Z',
      }),
    );
    expect(page).toBeDefined();
    expect(await recordsOf('templates')).toEqual([
      expect.objectContaining({
        ...{ templatename: 'Product', category: ['Shop', 'Tents'], tvs: ['related', 'price'] },
        content: '<h1>[[*pagetitle]]</h1>[[~web:index.html]]',
      }),
    ]);
    expect(await recordsOf('tvs')).toContainEqual(
      expect.objectContaining({ name: 'price', default_text: '0', media_sources: { web: 'Filesystem' } }),
    );
    expect(
      await rowsOf("SELECT value FROM modx_system_settings WHERE `key` IN ('site_start', 'mail_smtp_pass')"),
    ).toEqual(['5']);
    expect(await rowsOf('SELECT name FROM modx_content_type WHERE id = 5')).toEqual(['JavaScript']);
    expect(await importRoot(root)).toMatchObject({ created: 0, updated: 0 });
  });

  test('gives members that a file leaves out their defaults, and other ids where they are taken', async () => {
    const root = await makeFolder(site);
    await importRoot(root);
    writeFiles(root, {
      '_data/content/web/Zelte,-groß.html': 'pagetitle: Tents\nuri: zelte\ntvs: {price: 0}\n',
      '_data/content/web/other.html': 'id: 8\npagetitle: Other\nuri: other\nparent: zelte\ntemplate: Product\n',
      '_data/chunks/nav.html': 'name: nav\ncategory: New one\n\n-----\n\n[[~8]]',
    });
    expect(await importRoot(root)).toMatchObject({ created: 3, updated: 1 });
    expect(await rowsOf('SELECT id, uri, published, template FROM modx_site_content WHERE id > 5 ORDER BY id')).toEqual(
      ['8 zelte 0 0', '20 one.html 0 0', '21 other 0 12'],
    );
    expect(await recordsOf('chunks')).toEqual([
      expect.objectContaining({ category: ['New one'], snippet: '[[~web:other]]' }),
    ]);
  });

  test('has pages in groups with access rules, or where open ones are meant', async () => {
    const root = await makeFolder({
      '.gitify': config,
      '_data/groups/a.yaml': 'id: 9\nname: Staff\n',
      '_data/content/web/a.html': 'pagetitle: A\nuri: a\n',
      '_data/members/1.yaml': 'document: a\ndocument_group: Staff\n',
    });
    expect(await problemsOf(importRoot(root))).toEqual({
      '_data/members/1.yaml line 2': [
        expect.stringMatching(/the resource group "Staff" has no access rules here.*\(1\).*--allow-open-groups/),
      ],
    });
    await importRoot(root, true);
    expect(await recordsOf('resources')).toEqual([expect.objectContaining({ groups: ['Staff'] })]);
    const rule =
      "INSERT INTO modx_access_resource_groups (target, context_key) SELECT id, 'web' FROM modx_documentgroup_names";
    await runSql(store, rule);
    expect(await importRoot(root)).toMatchObject({ created: 0, updated: 0 });
  });

  test('means names of digits where they are in quotes, and pages and templates of settings by their ids', async () => {
    const root = await makeFolder({
      '.gitify': config,
      '_data/templates/a.html': "id: 5\ntemplatename: '2024'\ncategory: '2023'\n",
      '_data/templates/b.html': 'id: 2024\ntemplatename: B\ncategory: [Shop, News]\n',
      '_data/categories/a.yaml': "category: '2023'\n",
      '_data/categories/b.yaml': 'category: Shop\n',
      '_data/categories/c.yaml': 'category: News\nparent: Shop\n',
      '_data/categories/d.yaml': 'category: News\n',
      '_data/content/web/a.html': "pagetitle: A\nuri: a\ntemplate: '2024'\n",
      '_data/content/web/b.html': 'pagetitle: B\nuri: b\ntemplate: 2024\n',
      '_data/settings/a.yaml': 'key: default_template\nvalue: B\n',
    });
    await runSql(store, "INSERT INTO modx_site_templates (id, templatename, content) VALUES (2024, 'Other', '')");
    await importRoot(root);
    const pages =
      'SELECT p.uri, t.templatename FROM modx_site_content p JOIN modx_site_templates t ON t.id = p.template ORDER BY p.uri';
    expect(await rowsOf(pages)).toEqual(['a 2024', 'b B']);
    expect(await recordsOf('templates')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ templatename: '2024', category: ['2023'] }),
        expect.objectContaining({ templatename: 'B', category: ['Shop', 'News'] }),
      ]),
    );
    const setting =
      "SELECT t.templatename FROM modx_system_settings s JOIN modx_site_templates t ON t.id = s.value WHERE s.`key` = 'default_template'";
    expect(await rowsOf(setting)).toEqual(['B']);
    expect(await importRoot(root)).toMatchObject({ created: 0, updated: 0 });
  });

  test('has the variables of a template by rank, then by id', async () => {
    const join = (id: string, rank = '') => `tmplvarid: ${id}\ntemplateid: 1\n${rank}`;
    await importRoot(
      await makeFolder({
        '.gitify': config,
        '_data/templates/a.html': 'id: 1\ntemplatename: A\n',
        '_data/template_variables/a.yaml': 'id: 10\nname: a\n',
        '_data/template_variables/b.yaml': 'id: 9\nname: b\n',
        '_data/template_variables/c.yaml': 'name: c\n',
        '_data/template_variables_access/10.1.yaml': join('10', 'rank: 3\n'),
        '_data/template_variables_access/9.1.yaml': join('9', 'rank: 3\n'),
        '_data/template_variables_access/c.yaml': join('c'),
      }),
    );
    expect(await recordsOf('templates')).toEqual([expect.objectContaining({ tvs: ['c', 'b', 'a'] })]);
  });

  test('gets addresses below parents that files name by theirs, files before what is below them', async () => {
    const page = (title: string, parent: string) => `pagetitle: ${title}\nalias: ${title}\nparent: ${parent}\n`;
    const root = await makeFolder({
      '.gitify': 'data_directory: _data/\ndata:\n  content:\n    type: content\n',
      '_data/content/web/a.html': page('a', 'shop/tents/'),
      '_data/content/web/b.html': `${page('tents', 'shop/')}isfolder: 1\n`,
      '_data/content/web/shop.html': "pagetitle: Shop\nalias: shop\nisfolder: 1\nuri: 'shop/'\n",
      '_data/content/web/shop/tent.html': 'pagetitle: Tent\nuri: shop/tent.html\nparent: shop/\n',
    });
    await importRoot(root);
    expect(await rowsOf('SELECT uri, parent FROM modx_site_content ORDER BY id')).toEqual([
      'shop/tents/a.html 2',
      'shop/tents/ 3',
      'shop/ 0',
      'shop/tent.html 3',
    ]);
    expect(await importRoot(root)).toMatchObject({ created: 0, updated: 0, unchanged: 4 });
  });

  test('leaves out what ids without a row refer to', async () => {
    const page = 'id: 2\npagetitle: A\nuri: a\nparent: 77\ntemplate: 66\n\n-----\n\n[[~88]]';
    expect(await importRoot(await makeFolder({ '.gitify': config, '_data/content/web/a.html': page }))).toMatchObject({
      created: 1,
    });
    expect(lost.toSorted()).toEqual([
      'content: there is no resource 88',
      'parent: there is no resource 77',
      'template: there is no template 66',
    ]);
  });

  // What is wrong in the files is found before the database has a part in it.
  if (kind.name === 'mariadb') return;

  describe('is refused with file, line and column, and changes nothing, for', () => {
    const page = (text: string): Files => ({ '_data/content/web/a.html': `pagetitle: A\nuri: a\n${text}` });
    const file = '_data/content/web/a.html';
    const chunk = '_data/chunks/a.html';
    const line = (number: number): string => `${file} line ${number}`;
    const bomb = `a: &a [x]\n${Array.from({ length: 30 }, (_, at) => `b${at}: &b${at} [*a, *a]`).join('\n')}\n`;

    test.each<[string, Files, string, string | RegExp]>([
      ['an empty file', { [file]: '' }, line(1), 'is empty, or half written'],
      ['a file without members or text', { [file]: '-----\n\n' }, line(1), 'is empty, or half written'],
      ['a wrong quote', page("longtitle: 'x\n"), file, /is not YAML/],
      ['a tab', page('tvs:\n\tprice: 1\n'), line(4), /is not YAML.*[Tt]ab/],
      ['a member twice', page('uri: b\n'), line(3), 'has uri twice'],
      ['a colon in a text', page('longtitle: a: b\n'), line(3), /put the value in quotes: it contains a colon/],
      ['a new page without a title', { [file]: 'published: 1\n' }, line(1), /pagetitle: is required, or an alias/],
      ['an element without a name', { [chunk]: '-----\n\nx' }, chunk, 'chunks.name: is required'],
      ['an alias', page('alias: &x a\nmenutitle: *x\n'), line(4), /aliases of YAML are not read/],
      ['a bomb of aliases', page(bomb), line(4), /aliases of YAML are not read/],
      ['too many levels', page(`properties: ${'['.repeat(5000)}\n`), line(3), /more than 32 levels/],
      ['a tag of PHP', page("properties: !php/object 'O:1'\n"), line(3), /is not YAML/],
      ['a text without the line of dashes', page('\n<p>Text</p>\n'), line(4), /is not YAML/],
      ['a list', { [file]: '- a\n' }, line(1), 'must begin with members, such as "name: value"'],
      ['an unknown member', page('publishd: 1\n'), line(3), 'resources.publishd: is unknown; did you mean published?'],
      ['a wrong template', page('template: Produkt\n'), line(3), 'resources.template: there is no template "Produkt"'],
      ['a wrong variable', page('tvs: {prize: 3}\n'), line(3), 'resources.tvs: there is no template variable "prize"'],
      ['a wrong flag', page('published: maybe\n'), line(3), /resources.published: must be one of: true, false/],
      ['a wrong id', page('id: x\n'), line(3), 'id must be a whole number from 1 to 4294967295'],
      ['an id that is too large', page('id: 4294967296\n'), line(3), /^id must be a whole number from 1 to/],
      [
        'a copied file',
        { ...page('id: 7\n'), '_data/content/web/b.html': 'pagetitle: B\nuri: b\nid: 7\n' },
        '_data/content/web/b.html line 3',
        `${file} has the id 7 too: leave it out of one of them`,
      ],
      [
        'a join of a template that is not there',
        { ...page(''), '_data/template_variables_access/x.yaml': 'tmplvarid: 1\ntemplateid: Produkt\n' },
        '_data/template_variables_access/x.yaml line 2',
        'templateid: there is no template Produkt',
      ],
      [
        'a page in a group that is not there',
        { ...page('id: 7\n'), '_data/members/1.yaml': 'document: 7\ndocument_group: 9\n' },
        '_data/members/1.yaml line 2',
        'document_group: there is no resource group 9',
      ],
      [
        'a group with a page that is not there',
        { '_data/groups/a.yaml': 'id: 9\nname: Staff\n', '_data/members/1.yaml': 'document: 7\ndocument_group: 9\n' },
        '_data/members/1.yaml line 1',
        'document: there is no resource 7',
      ],
      [
        'a category of two paths',
        {
          '_data/categories/a.yaml': 'id: 1\ncategory: Shop\n',
          '_data/categories/b.yaml': 'id: 2\ncategory: News\nparent: 1\n',
          '_data/categories/c.yaml': 'id: 3\ncategory: News\n',
          '_data/chunks/a.html': 'name: a\ncategory: News\n',
        },
        '_data/chunks/a.html line 2',
        'chunks.category: several categories have the name News: write [Shop, News] or [News]',
      ],
      [
        'names that other systems fold together',
        { '_data/chunks/A.html': 'name: a\n', '_data/chunks/a.html': 'name: b\n' },
        '_data/chunks/a.html line 1',
        'and A.html are one file on other systems: rename one',
      ],
      [
        'a name that not every system takes',
        { '_data/chunks/CON.html': 'name: con\n' },
        '_data/chunks/CON.html line 1',
        'has a name that Windows keeps for a device: rename it, the record says its own',
      ],
      [
        'a parent that two categories may be',
        {
          '_data/categories/a.yaml': 'id: 1\ncategory: Shop\n',
          '_data/categories/b.yaml': 'id: 2\ncategory: Shop\nparent: 1\n',
          '_data/categories/c.yaml': 'id: 3\ncategory: Tents\nparent: Shop\n',
        },
        '_data/categories/c.yaml line 3',
        'categories.parent: several categories have the name Shop: write the id of one of them',
      ],
      ['a file for a partition', { '_data/chunks': 'x' }, '_data/chunks/', 'is not a folder: put one in its place'],
      [
        'a parent that is not there',
        page('parent: none/\n'),
        line(3),
        /resources.parent: there is no resource with the URI none/,
      ],
      [
        'a parent without its slash',
        { ...page('parent: shop\n'), '_data/content/web/b.html': 'pagetitle: Shop\nuri: shop/\nisfolder: 1\n' },
        line(3),
        /there is no resource with the URI shop in web; did you mean shop\/\?/,
      ],
      [
        'a text that is not UTF-8',
        { [file]: Buffer.from('pagetitle: \xe9\n', 'latin1') },
        line(1),
        'is not UTF-8 text: save it as UTF-8',
      ],
      [
        'a text of 16 MB',
        { [file]: `pagetitle: A\n\n-----\n\n${'x'.repeat(16_000_001)}` },
        line(1),
        'is larger than 16000000 bytes',
      ],
      [
        'a variable that is evaluated',
        { '_data/template_variables/x.yaml': "name: x\ndefault_text: '@EVAL 1'\n" },
        '_data/template_variables/x.yaml line 2',
        /@EVAL.*--trust imports it/,
      ],
      [
        'two files for one address',
        { ...page(''), '_data/content/web/b.html': 'pagetitle: B\nuri: a\n' },
        '_data/content/web/b.html line 1',
        `resources: ${file} has resources web:a too: keep one of the files`,
      ],
      [
        'two files for one name',
        { '_data/chunks/a.html': 'name: n\n', '_data/chunks/b.html': 'name: n\n' },
        '_data/chunks/b.html line 1',
        'chunks: _data/chunks/a.html has chunks n too: keep one of the files',
      ],
      [
        'two files for one name, with ids',
        { '_data/chunks/a.html': 'id: 3\nname: n\n', '_data/chunks/b.html': 'id: 8\nname: n\n' },
        '_data/chunks/b.html line 1',
        'chunks: _data/chunks/a.html has chunks n too: keep one of the files',
      ],
      [
        'more values than fit the memory',
        page(`properties: [${'1,'.repeat(200_001)}1]\n`),
        line(1),
        'has more than 200000 lines and commas above its line of dashes',
      ],
      ['a member that every object has', page('__proto__: {x: 1}\n'), line(3), /^resources.__proto__: is unknown/],
      [
        'a category below itself',
        {
          '_data/categories/a.yaml': 'id: 1\nparent: 2\ncategory: A\n',
          '_data/categories/b.yaml': 'id: 2\nparent: 1\ncategory: B\n',
        },
        '_data/categories/a.yaml line 2',
        'categories.parent: the category is below itself',
      ],
      [
        'a text where a class has none',
        { '_data/contexts/x.yaml': 'key: x\n\n-----\n\nx' },
        '_data/contexts/x.yaml line 5',
        'has a text below -----, but its class has none',
      ],
    ])('%s', async (_name, files, at, problem) => {
      const before = await exportText(store);
      const found = await problemsOf(importRoot(await makeFolder({ '.gitify': config, ...files })));
      const [place = '', texts = []] = Object.entries(found)[0] ?? [];
      expect(place).toContain(at);
      expect(texts[0]).toEqual(typeof problem === 'string' ? problem : expect.stringMatching(problem));
      expect(await exportText(store)).toBe(before);
    });

    test.each([
      ['a data directory outside', 'data_directory: ../x\ndata: {}\n', 1],
      ['an absolute data directory', 'data_directory: /etc\ndata: {}\n', 1],
      ['no partitions', 'data_directory: _data/\n', 1],
      ['a partition outside', 'data:\n  ../x: {class: modChunk}\n', 1],
      ['a partition without a class', 'data_directory: _data/\ndata:\n  x: {primary: id}\n', 2],
      ['two partitions of one class', 'data:\n  a: {class: modChunk}\n  b: {class: modChunk}\n', 1],
      ['broken YAML', 'data:\n  - x: [\n', 3],
    ])('a .gitify with %s', async (_name, text, line) => {
      const found = await problemsOf(importRoot(await makeFolder({ '.gitify': text })));
      expect(Object.keys(found)).toEqual([`.gitify line ${line}`]);
    });

    test('links', async () => {
      const root = await makeFolder({ '.gitify': config, ...page('') });
      symlinkSync('/etc/passwd', join(root, '_data/content/web/b.html'));
      expect(await problemsOf(importRoot(root))).toEqual({
        '_data/content/': ['web/b.html is a symbolic link: put a file in its place'],
      });
      rmSync(join(root, '_data/content/web/b.html'));
      symlinkSync(root, join(root, '_data/chunks'));
      expect(await problemsOf(importRoot(root))).toEqual({
        '_data/chunks/': ['chunks is a symbolic link: put a folder in its place'],
      });
      rmSync(join(root, '_data/chunks'));
      expect(await importRoot(root)).toMatchObject({ created: 1 });
    });
  });
});
