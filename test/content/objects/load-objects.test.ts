/** Definitions against real tables of both databases, from files and plugins to the registry. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RealTables } from '../../../src/content/objects/object-columns.js';
import { checkObjectFile, describeObject, loadRegistry } from '../../../src/content/objects/object-registry.js';
import { formatProblem } from '../../../src/content/objects/object-spec.js';
import { AppError } from '../../../src/errors/app-error.js';
import { readTables } from '../../../src/store/base/columns.js';
import { openDatabase } from '../../../src/store/open/open.js';
import type { PlacedProblem } from '../../../src/values/json-tree.js';
import { describeEachDatabase, type TestDatabase } from '../../support/databases.js';
import { makeTempDir } from '../../support/temp-dir.js';
import { standsThere } from './stands-there.js';

const tables = [
  `CREATE TABLE modx_shop_products (
    id INTEGER NOT NULL PRIMARY KEY, title VARCHAR(40) NOT NULL, notes TEXT, price DECIMAL(12,2) NOT NULL DEFAULT 0,
    active TINYINT NOT NULL DEFAULT 1, added INTEGER NOT NULL DEFAULT 0, sold DATETIME, seen VARCHAR(10), day DATE,
    image VARCHAR(255), maker INTEGER, code VARCHAR(20) NOT NULL DEFAULT '', data TEXT, raw BLOB, menuindex INTEGER DEFAULT 0)`,
  'CREATE UNIQUE INDEX shop_code ON modx_shop_products (code)',
  'CREATE TABLE modx_shop_makers (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(40) NOT NULL, city VARCHAR(40), code VARCHAR(20))',
  'CREATE UNIQUE INDEX makers_code ON modx_shop_makers (code)',
  'CREATE TABLE modx_shop_pairs (a INTEGER NOT NULL, b INTEGER NOT NULL, PRIMARY KEY (a, b))',
  'CREATE TABLE plain (id INTEGER NOT NULL PRIMARY KEY, label VARCHAR(40) NOT NULL)',
  'CREATE TABLE both_ways (id INTEGER NOT NULL PRIMARY KEY)',
  'CREATE TABLE modx_both_ways (id INTEGER NOT NULL PRIMARY KEY)',
  'CREATE TABLE modx_users (id INTEGER NOT NULL PRIMARY KEY)',
  'CREATE TABLE modx_site_tmplvar_contentvalues (id INTEGER NOT NULL PRIMARY KEY)',
  'CREATE TABLE modx_site_content (id INTEGER NOT NULL PRIMARY KEY)',
  'CREATE TABLE hcd_webhooks (id INTEGER NOT NULL PRIMARY KEY)',
];

async function createTables(database: TestDatabase): Promise<RealTables> {
  const db = await openDatabase({ url: await database.url() });
  try {
    for (const sql of tables) await db.write((tx) => tx.run({ sql, params: [] }));
    return { tables: await readTables(db.primary, ''), prefix: 'modx_' };
  } finally {
    await db.close();
  }
}

/** Such as `id integer, title string`. */
function typed(fields: string) {
  const pairs = fields.split(', ').map((field) => field.split(' '));
  return Object.fromEntries(pairs.map(([name = '', type]) => [name, { type }]));
}

const products = {
  name: 'products',
  table: 'shop_products',
  primaryKey: 'id',
  fields: {
    ...typed('id integer, title string, notes string, price number, active boolean, added datetime, sold datetime'),
    ...typed('image string'),
    photo: { type: 'json', column: 'data' },
    ...typed('maker integer, menuindex integer'),
  },
  readable: true,
};
const makers = {
  name: 'makers',
  table: 'shop_makers',
  primaryKey: 'id',
  fields: typed('id integer, name string, city string, code string'),
  readable: true,
};

/** A folder `objects` with the definitions as files, one line each. */
async function folderOf(definitions: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = join(await makeTempDir('objects'), 'objects');
  await mkdir(folder);
  for (const [name, definition] of Object.entries(definitions)) {
    const text = typeof definition === 'string' ? definition : JSON.stringify(definition);
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/** The lines without line and column, each of which is held against the file that it names. */
function withoutPlaces(lines: readonly string[], definitions: Readonly<Record<string, unknown>>): string[] {
  return lines.map((text) => {
    const [, name = '', line, column, path = ''] = /^objects\/(\S+?):(\d+):(\d+): ([\w.[\]]+): /.exec(text) ?? [];
    const place = { path, line: Number(line), column: Number(column) };
    expect(standsThere(JSON.stringify(definitions[name]), place), text).toBe(true);
    return text.replace(`:${line}:${column}: `, ': ');
  });
}

async function pluginOf(name: string, code: string): Promise<string> {
  const path = join(await makeTempDir('plugin'), name);
  await writeFile(path, code);
  return path;
}

async function refusal(loading: Promise<unknown>): Promise<{ code: string; lines: string[]; cause: unknown }> {
  const error = await loading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error('was not refused', { cause: error });
  return { code: error.code, lines: error.message.split('\n'), cause: error.cause };
}

describeEachDatabase('extra objects', (kind) => {
  let database: RealTables;
  beforeAll(async () => {
    database = await createTables(kind);
  });

  const load = async (definitions: Readonly<Record<string, unknown>>, plugins: readonly string[] = []) =>
    loadRegistry({ folder: await folderOf(definitions), plugins }, database);
  const linesOf = async (definition: object) =>
    withoutPlaces((await refusal(load({ 'a.json': definition }))).lines, { 'a.json': definition });

  test('take nullable, length and the form of times from their columns', async () => {
    const registry = await load({ 'products.json': products });
    const definition = registry.objects.get('products');
    // SQLite has no limits for columns.
    const int = kind.name === 'mariadb' ? { range: [-2_147_483_648, 2_147_483_647] } : {};
    const long = kind.name === 'mariadb' ? { maxBytes: 65_535 } : {};
    expect(definition?.fields).toEqual({
      id: { type: 'integer', column: 'id', nullable: false, ...int },
      title: { type: 'string', column: 'title', nullable: false, maxLength: 40 },
      notes: { type: 'string', column: 'notes', nullable: true, ...long },
      price: { type: 'number', column: 'price', nullable: false },
      active: { type: 'boolean', column: 'active', nullable: false },
      added: { type: 'datetime', column: 'added', nullable: true, storage: 'unix' },
      sold: { type: 'datetime', column: 'sold', nullable: true, storage: 'datetime' },
      image: { type: 'string', column: 'image', nullable: true, maxLength: 255, media: true },
      photo: { type: 'json', column: 'data', nullable: true, ...long },
      maker: { type: 'integer', column: 'maker', nullable: true, ...int },
      menuindex: { type: 'integer', column: 'menuindex', nullable: true, ...int },
    });
    expect({ ...definition, fields: undefined }).toEqual({
      name: 'products',
      table: 'shop_products',
      prefixed: true,
      primaryKey: 'id',
      fields: undefined,
      ...{ filterable: [], sortable: [], extended: {}, searchable: [], required: [], protected: [], immutable: [] },
      ...{ hidden: [], relations: [] },
      readable: true,
      creatable: false,
      updatable: false,
      deletable: false,
      contexts: null,
      templateVariables: false,
      visibility: { resourceGroups: false, contextGated: false },
    });
    expect(Object.isFrozen(registry) && Object.isFrozen(definition)).toBe(true);
  });

  test('lie in a table with the content prefix, or in one of exactly the name', async () => {
    const fields = { id: { type: 'integer' } };
    const common = { primaryKey: 'id', fields, readable: true, contexts: ['web'] };
    const registry = await load({
      'a.json': { ...common, name: 'plain', table: 'plain' },
      'b.json': { ...common, name: 'pairs', table: 'modx_shop_makers' },
      'c.json': { ...common, name: 'both', table: 'modx_both_ways' },
    });
    const found = ['plain', 'pairs', 'both'].map((name) => registry.objects.get(name));
    expect(found.map((one) => [one?.table, one?.prefixed, one?.contexts])).toEqual([
      ['plain', false, ['web']],
      ['modx_shop_makers', false, ['web']],
      ['modx_both_ways', false, ['web']],
    ]);
  });

  test('a unique column that is never NULL may be the primary key', async () => {
    const registry = await load({
      'a.json': { ...products, primaryKey: 'code', fields: { code: { type: 'string' } } },
    });
    expect(registry.objects.get('products')?.primaryKey).toBe('code');
  });

  test('may be created without a key only where the database counts it', async () => {
    const counted = { ...makers, immutable: ['id'], creatable: true };
    const loading = load({ 'a.json': counted });
    if (kind.name === 'sqlite') {
      expect((await loading).objects.get('makers')).toMatchObject({ creatable: true, immutable: ['id'] });
      return;
    }
    expect(withoutPlaces((await refusal(loading)).lines, { 'a.json': counted })).toEqual([
      'objects/a.json: creatable: no record could be created: column id of modx_shop_makers needs a value and no field that can be written has it',
    ]);
  });

  describe('are refused with the offending place', () => {
    const at = 'objects/a.json';
    test.each<[string, object, string[]]>([
      [
        'a table that does not exist',
        { ...products, table: 'shop' },
        [`${at}: table: neither modx_shop nor shop exists in the content database`],
      ],
      [
        'a name that two tables answer to',
        { ...products, table: 'both_ways' },
        [`${at}: table: both modx_both_ways and both_ways exist; write modx_both_ways to mean the first`],
      ],
      [
        'the table of a core object',
        { ...products, table: 'site_content' },
        [`${at}: table: table modx_site_content is served as the core object resources, with its own rules of access`],
      ],
      [
        'a table with credentials',
        { ...products, table: 'users' },
        [`${at}: table: table modx_users holds credentials, settings or rules of access and cannot be exposed`],
      ],
      [
        'a table whose values the CMS evaluates, to be written',
        { ...products, table: 'site_tmplvar_contentvalues', updatable: true },
        [
          `${at}: table: table modx_site_tmplvar_contentvalues holds values that the CMS evaluates: creatable and updatable must be false`,
        ],
      ],
      [
        'a table of the program itself',
        { ...products, table: 'hcd_webhooks' },
        [`${at}: table: table hcd_webhooks holds credentials, settings or rules of access and cannot be exposed`],
      ],
      [
        'columns that do not exist',
        { ...makers, fields: { ...typed('id integer, town string'), city: { type: 'string', column: 'City' } } },
        [
          `${at}: fields.town.column: table modx_shop_makers has no column town; it has id, name, city, code`,
          `${at}: fields.city.column: table modx_shop_makers has no column City; did you mean city?`,
        ],
      ],
      [
        'types that do not fit',
        {
          ...products,
          fields: typed('id string, title integer, price boolean, sold string, seen datetime, added json, raw string'),
        },
        [
          `${at}: fields.id.type: string does not fit column id (integer); fitting: integer, number, boolean, datetime`,
          `${at}: fields.title.type: integer does not fit column title (text); fitting: string, datetime, json`,
          `${at}: fields.price.type: boolean does not fit column price (number); fitting: number`,
          `${at}: fields.sold.type: string does not fit column sold (datetime); fitting: datetime`,
          `${at}: fields.seen.type: column seen holds 10 characters and a time needs 19`,
          `${at}: fields.added.type: json does not fit column added (integer); fitting: integer, number, boolean, datetime`,
          `${at}: fields.raw.type: string does not fit column raw (binary); no field type fits it`,
        ],
      ],
      [
        'a primary key of two columns',
        { ...products, table: 'shop_pairs', primaryKey: 'a', fields: typed('a integer, b integer') },
        [
          `${at}: primaryKey: column a of modx_shop_pairs must be its whole primary key or have a unique index of its own`,
        ],
      ],
      [
        'a primary key that may be NULL',
        { ...makers, primaryKey: 'code' },
        [
          `${at}: primaryKey: column code of modx_shop_makers must be its whole primary key or have a unique index of its own`,
        ],
      ],
      [
        'a create that could never succeed',
        { ...makers, fields: typed('id integer, name string'), immutable: ['name'], creatable: true },
        [
          `${at}: creatable: no record could be created: column name of modx_shop_makers needs a value and no field that can be written has it`,
        ],
      ],
    ])('%s', async (_name, definition, lines) => {
      expect(await linesOf(definition)).toEqual(lines);
    });

    test('a name that is taken by another file', async () => {
      const definitions = { 'a.json': makers, 'b.json': { ...products, name: 'makers' } };
      const { lines } = await refusal(load(definitions));
      expect(withoutPlaces(lines, definitions)).toEqual([
        'objects/b.json: name: makers is already defined in objects/a.json',
      ]);
    });

    test('all files, in the order of their names', async () => {
      const { code, lines } = await refusal(load({ 'b.json': '{', 'a.json': '[]', 'c.txt': '{', '.d.json': '{' }));
      expect(code).toBe('configuration_invalid');
      expect(lines.map((line) => line.split(': ')[0])).toEqual(['objects/a.json:1:1', 'objects/b.json:1:2']);
    });
  });

  const relation = { name: 'made_by', target: 'makers', type: 'to_one', foreignKey: 'maker' };

  describe('relations', () => {
    const items = { name: 'items', target: 'products', type: 'to_many', foreignKey: 'maker' };
    const withRelation = (changed: object) => ({ ...products, relations: [{ ...relation, ...changed }] });

    test('default to the primary key, telling fields and the order of a menu', async () => {
      const registry = await load({ 'a.json': withRelation({}), 'b.json': { ...makers, relations: [items] } });
      expect(registry.objects.get('products')?.relations).toEqual([
        { ...relation, localKey: 'id', fields: ['id', 'name'], order: [] },
      ]);
      expect(registry.objects.get('makers')?.relations).toEqual([
        { ...items, localKey: 'id', fields: ['id', 'title'], order: ['menuindex'] },
      ]);
    });

    test('may name a core object and a unique key', async () => {
      const page = { name: 'page', target: 'resources', type: 'to_one', foreignKey: 'id' };
      const relations = [page, { ...relation, fields: ['city', 'code'] }];
      const registry = await load({ 'a.json': { ...products, relations }, 'b.json': makers });
      expect(registry.objects.get('products')?.relations).toEqual([
        { ...page, localKey: 'id', fields: ['id', 'pagetitle', 'alias', 'uri'], order: [] },
        { ...relation, localKey: 'id', fields: ['city', 'code'], order: [] },
      ]);
    });

    const at = 'objects/a.json';
    test.each<[string, object, string[]]>([
      [
        'an unknown target',
        { target: 'makrs' },
        [
          `${at}: relations[0].target: "makrs" is not an object; objects: resources, contexts, chunks, templates, snippets, tvs, categories, content_types, products, makers`,
        ],
      ],
      [
        'keys that are no fields',
        { foreignKey: 'made', localKey: 'key' },
        [
          `${at}: relations[0].foreignKey: products has no field "made"; fields: id, title, notes, price, active, added, sold, image, photo, maker, menuindex`,
          `${at}: relations[0].localKey: makers has no field "key"; fields: id, name, city, code`,
        ],
      ],
      [
        'keys of two types',
        { localKey: 'name' },
        [
          `${at}: relations[0].foreignKey: products.maker (integer) and makers.name (string) must both be integer or both string`,
          `${at}: relations[0].localKey: name of makers is not unique, so that it does not name one record`,
        ],
      ],
      [
        'a field that the target does not show',
        { fields: ['name', 'city', 'town'] },
        [
          `${at}: relations[0].fields[1]: city of makers is hidden`,
          `${at}: relations[0].fields[2]: makers has no field "town"; fields: id, name, city, code`,
        ],
      ],
    ])('are refused for %s', async (_name, changed, lines) => {
      const definitions = { 'a.json': withRelation(changed), 'b.json': { ...makers, hidden: ['city'] } };
      expect(withoutPlaces((await refusal(load(definitions))).lines, definitions)).toEqual(lines);
    });

    test('are refused when their target cannot be read', async () => {
      const definitions = { 'a.json': withRelation({}), 'b.json': { ...makers, readable: false, deletable: true } };
      expect(withoutPlaces((await refusal(load(definitions))).lines, definitions)).toEqual([
        `${at}: relations[0].target: makers is not readable`,
      ]);
    });
  });

  describe('the check of one file', () => {
    const withoutPlace = (problem: PlacedProblem) => formatProblem({ ...problem, line: null });
    const file = (name: string, definition: object) => ({ name: `objects/${name}`, text: JSON.stringify(definition) });
    const related = { ...products, relations: [relation] };

    test('finds what a start would refuse, and nothing of other files', () => {
      const own = file('a.json', related);
      const broken = { name: 'objects/c.json', text: '{' };
      const wrong = file('d.json', { ...makers, name: 'wrong', table: 'gone' });
      const others = [own, file('b.json', makers), broken, wrong];
      expect(checkObjectFile({ file: own, others, database })).toEqual([]);
      expect(checkObjectFile({ file: own, others: [broken], database }).map(withoutPlace)).toEqual([
        'objects/a.json: relations[0].target: "makers" is not an object; objects: resources, contexts, chunks, templates, snippets, tvs, categories, content_types, products',
      ]);
      expect(checkObjectFile({ file: wrong, others, database }).map(withoutPlace)).toEqual([
        'objects/d.json: table: neither modx_gone nor gone exists in the content database',
      ]);
    });

    test('without a database sees the file alone', () => {
      const own = file('a.json', { ...related, table: 'gone', primaryKey: 'key' });
      expect(checkObjectFile({ file: own, others: [], database: null }).map(withoutPlace)).toEqual([
        'objects/a.json: primaryKey: "key" is not a field; fields: id, title, notes, price, active, added, sold, image, photo, maker, menuindex',
      ]);
    });
  });

  describe('plugins', () => {
    const code = (body: string) =>
      `export ${body.startsWith('async') ? 'async ' : ''}function register(api) { ${body.replace(/^async /, '')} }`;

    test('register objects and relations in the words of files', async () => {
      const plugin = await pluginOf(
        'shop.mjs',
        code(`async await null;
          api.registerObject(${JSON.stringify(products)});
          api.registerObject({ ...${JSON.stringify(makers)}, contexts: undefined });
          api.registerRelation('resources', { name: 'product', target: 'products', type: 'to_one', foreignKey: 'id' });
          api.registerRelation('products', { name: 'maker', target: 'makers', type: 'to_one', foreignKey: 'maker' });`),
      );
      const registry = await load({}, [plugin]);
      expect(registry.objects.get('products')?.relations.map(({ name }) => name)).toEqual(['maker']);
      const product = { name: 'product', target: 'products', type: 'to_one', foreignKey: 'id', localKey: 'id' };
      const added = { ...product, fields: ['id', 'title'], order: [] };
      expect(registry.objects.get('resources')?.relations.at(-1)).toEqual(added);
      const names = (await load({})).objects.get('resources')?.relations.map(({ name }) => name);
      expect(names).toEqual(['parent', 'children', 'ancestors', 'translations']);
      expect([...registry.objects.values()].map(describeObject).slice(-1)).toEqual([
        {
          name: 'makers',
          kind: 'extra',
          table: 'shop_makers',
          primaryKey: 'id',
          fields: 4,
          relations: [],
          readable: true,
          creatable: false,
          updatable: false,
          deletable: false,
        },
      ]);
    });

    test('are refused with the place in what they register', async () => {
      const plugin = await pluginOf(
        'shop.mjs',
        code(`const loop = {}; loop.loop = loop;
          api.registerObject({ ...${JSON.stringify(products)}, table: () => 1, readable: 'yes' });
          api.registerObject('products');
          api.registerRelation('resources', loop);
          api.registerRelation('resources', { name: 'tv', target: {} });
          api.registerRelation(7, { name: 'x', target: 'makers', type: 'to_one', foreignKey: 'id' });`),
      );
      const { lines } = await refusal(load({}, [plugin]));
      expect(lines.map((line) => line.replace(/name, table, .*;/, '…;'))).toEqual([
        'shop.mjs: products.table: must be a text, not a function',
        'shop.mjs: products.readable: must be true or false, not a text',
        'shop.mjs: registerObject(): must be an object with …; not a text',
        'shop.mjs: registerRelation("resources"): nested deeper than 12 levels',
        'shop.mjs: registerRelation("resources").name: include=tv means template variables',
        'shop.mjs: registerRelation("resources").target: must be a text, not an object',
        'shop.mjs: registerRelation("resources").type: must be one of: to_one, to_many',
        'shop.mjs: registerRelation("resources").foreignKey: is missing',
        'shop.mjs: registerRelation(7): the first argument must be the name of an object',
      ]);
    });

    test('cannot give a relation to an unknown object or take a name twice', async () => {
      const relation = "{ name: 'parent', target: 'resources', type: 'to_one', foreignKey: 'parent' }";
      const plugin = await pluginOf(
        'shop.mjs',
        code(`api.registerRelation('shops', ${relation}); api.registerRelation('resources', ${relation});`),
      );
      expect((await refusal(load({}, [plugin]))).lines).toEqual([
        'shop.mjs: registerRelation("shops"): "shops" is not an object, so it can have no relation',
        'shop.mjs: registerRelation("resources").name: resources already has a relation parent',
      ]);
    });

    test('that throw are named, with their error as the cause', async () => {
      const plugin = await pluginOf('shop.mjs', code("throw new TypeError('no licence');"));
      const { code: errorCode, lines, cause } = await refusal(load({}, [plugin]));
      expect([errorCode, lines]).toEqual(['configuration_invalid', ['shop.mjs: the plugin failed: no licence']]);
      expect(cause).toBeInstanceOf(TypeError);
    });

    test('without register, or that are not there, are named', async () => {
      const plugin = await pluginOf('shop.mjs', 'export const registered = 1;');
      expect((await refusal(load({}, [plugin]))).lines).toEqual(['Plugin shop.mjs exports no function register']);
      const missing = await refusal(load({}, [join(plugin, '../gone.mjs')]));
      expect([missing.code, missing.lines[0]?.startsWith('gone.mjs: the plugin failed: ')]).toEqual([
        'configuration_invalid',
        true,
      ]);
    });

    test('cannot register after the start', async () => {
      const plugin = await pluginOf('late.mjs', 'export let late; export function register(api) { late = api; }');
      await load({}, [plugin]);
      const { late } = await import(/* @vite-ignore */ plugin);
      const said =
        'Plugin late.mjs registers after its register function has ended; register everything before it returns';
      expect(() => late.registerObject(products)).toThrow(new AppError('configuration_invalid', { message: said }));
      expect(() => late.registerRelation('resources', {})).toThrow(AppError);
    });
  });
});

describe('the folder', () => {
  const database: RealTables = { tables: new Map(), prefix: 'modx_' };

  test('may be missing', async () => {
    const registry = await loadRegistry({ folder: join(await makeTempDir('objects'), 'none'), plugins: [] }, database);
    expect(registry.objects.size).toBe(8);
  });

  test('that is a file is refused', async () => {
    const folder = join(await folderOf({ 'a.json': products }), 'a.json');
    const { code, lines } = await refusal(loadRegistry({ folder, plugins: [] }, database));
    expect([code, lines]).toEqual(['configuration_invalid', [`${folder}: cannot be read (ENOTDIR)`]]);
  });

  test('with a file that cannot be read is refused', async () => {
    const folder = await folderOf({ 'a.json': products });
    await mkdir(join(folder, 'b.json'));
    await chmod(join(folder, 'a.json'), 0o644);
    const { lines } = await refusal(loadRegistry({ folder, plugins: [] }, database));
    expect(lines).toEqual(['objects/b.json: cannot be read (EISDIR)']);
  });

  test('with a file that is not UTF-8 is refused', async () => {
    const folder = await folderOf({});
    await writeFile(join(folder, 'a.json'), Buffer.from([0x7b, 0xff, 0x7d]));
    const { lines } = await refusal(loadRegistry({ folder, plugins: [] }, database));
    expect(lines).toEqual(['objects/a.json: is not valid UTF-8']);
  });
});
