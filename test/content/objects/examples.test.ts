/** The shipped example definitions fit the shop tables of a real site. */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ObjectDefinition, Registry } from '../../../src/content/objects/definition.js';
import type { RealTables } from '../../../src/content/objects/object-columns.js';
import {
  checkObjectFile,
  loadRegistry,
  parseObjectFile,
  readObjectFolder,
} from '../../../src/content/objects/object-registry.js';
import type { IncludePlan } from '../../../src/content/query/plan-includes.js';
import { Counts } from '../../../src/content/reading/counts.js';
import { attachIncludes } from '../../../src/content/reading/includes.js';
import { type ContentReader, selectPlanned } from '../../../src/content/reading/select-rows.js';
import { readTables } from '../../../src/store/base/columns.js';
import type { Database } from '../../../src/store/base/database.js';
import { dialectOf } from '../../../src/store/base/dialect.js';
import { openDatabase } from '../../../src/store/open/open.js';
import { describeWithFixture, loadFixture } from '../../support/fixture.js';

const examples = resolve(import.meta.dirname, '../../../examples');
const folder = join(examples, 'objects');
const plugins = readdirSync(join(examples, 'plugins')).map((name) => join(examples, 'plugins', name));

test('each example is sound by itself', async () => {
  const files = await readObjectFolder(folder);
  expect(files.length).toBeGreaterThan(0);
  expect(files.flatMap(({ text, name }) => parseObjectFile(text, name).problems)).toEqual([]);
});

describeWithFixture('with the tables of a shop', () => {
  let db: Database;
  let database: RealTables;
  let registry: Registry;
  beforeAll(async () => {
    db = await openDatabase({ url: await loadFixture() });
    database = { tables: await readTables(db.primary, ''), prefix: 'modx_' };
    registry = await loadRegistry({ folder, plugins }, database);
  });
  afterAll(() => db.close());
  const named = (name: string): ObjectDefinition => {
    const found = registry.objects.get(name);
    if (!found) throw new Error(`${name} is not registered`);
    return found;
  };

  test('all examples are registered', () => {
    expect([...registry.objects.keys()].slice(8)).toEqual([
      'product_files',
      'product_link_kinds',
      'product_options',
      'products',
      'vendors',
    ]);
  });

  test('products have decimals, flags, JSON and a picture', () => {
    const { fields, table, prefixed } = named('products');
    expect([table, prefixed]).toEqual(['ms2_products', true]);
    expect([fields['price'], fields['is_new'], fields['tags'], fields['image'], fields['article']]).toEqual([
      { type: 'number', column: 'price', nullable: true },
      { type: 'boolean', column: 'new', nullable: true },
      { type: 'json', column: 'tags', nullable: true, maxBytes: 65_535 },
      { type: 'string', column: 'image', nullable: true, maxLength: 255, media: true },
      { type: 'string', column: 'article', nullable: true, maxLength: 50 },
    ]);
    expect(named('product_files').fields['added']).toEqual({
      type: 'datetime',
      column: 'createdon',
      nullable: true,
      storage: 'datetime',
    });
  });

  test('products and resources are related both ways', () => {
    const relations = (name: string) =>
      named(name).relations.map(({ name: own, target, foreignKey, localKey }) => [own, target, foreignKey, localKey]);
    expect(relations('products')).toEqual([
      ['resource', 'resources', 'id', 'id'],
      ['vendor', 'vendors', 'vendor', 'id'],
      ['files', 'product_files', 'product', 'id'],
    ]);
    expect(relations('resources')).toEqual([
      ['parent', 'resources', 'parent', 'id'],
      ['children', 'resources', 'parent', 'id'],
      ['ancestors', 'resources', 'parent', 'id'],
      ['translations', 'resources', 'id', 'id'],
      ['product', 'products', 'id', 'id'],
    ]);
  });

  test('rows are read with the types of their fields, with pictures resolved and relations attached', async () => {
    const all = { kind: 'all', of: [] } as const;
    const reader: ContentReader = {
      db,
      words: null,
      samples: { get: async () => null },
      prefix: database.prefix,
      dialect: dialectOf(db.dialect),
      registry,
      table: ({ table }) => ({
        name: `modx_${table}`,
        documentGroups: 'modx_document_groups',
        indexes: [],
        hasColumn: () => true,
        mayHoldNull: () => true,
        isExact: () => false,
        candidateMark: () => '?',
      }),
      totals: new Counts<number>(() => 0),
      sign: (text) => text,
      mediaUrl: (value) => `media:${value}`,
      site: {
        setting: () => null,
        place: () => ({ origin: '', root: '/', files: '' }),
        linkSettings: () => [],
        resolvedChunks: () => [],
        mediaSourceOf: () => undefined,
      },
    };
    const include = (object: string, name: string): IncludePlan => {
      const relation = named(object).relations.find((one) => one.name === name);
      if (!relation) throw new Error(`${object} has no relation ${name}`);
      const target = named(relation.target);
      return { relation, target, fields: relation.fields, where: all, includes: [], tvs: null };
    };
    const readAll = async (object: string, relation: string) => {
      const definition = named(object);
      const includes = [include(object, relation)];
      const plan = {
        definition,
        context: 'web',
        fields: Object.keys(definition.fields),
        includes,
        tvs: null,
        tvRecords: [],
        form: null,
        tagRules: null,
        where: all,
      };
      const rows = await selectPlanned(reader, plan, all);
      await attachIncludes(reader, { plan, rows, path: [], maySee: () => true, slots: null });
      return rows.map(({ record }) => record);
    };

    const products = await readAll('products', 'resource');
    expect(products).toHaveLength(417);
    for (const record of products) {
      expect(record).toEqual({
        id: expect.any(Number),
        article: expect.toSatisfy(isNullOr('string')),
        price: expect.any(Number),
        old_price: expect.any(Number),
        weight: expect.any(Number),
        image: expect.toSatisfy((value) => value === null || /^media:./.test(String(value))),
        thumbnail: expect.toSatisfy((value) => value === null || /^media:./.test(String(value))),
        vendor: expect.any(Number),
        made_in: expect.toSatisfy(isNullOr('string')),
        is_new: expect.any(Boolean),
        popular: expect.any(Boolean),
        favorite: expect.any(Boolean),
        tags: expect.toSatisfy((value) => value === null || Array.isArray(value)),
        color: expect.toSatisfy((value) => value === null || Array.isArray(value)),
        size: expect.toSatisfy((value) => value === null || Array.isArray(value)),
        stock: expect.any(Number),
        order_price: expect.any(Number),
        resource: {
          id: record['id'],
          pagetitle: expect.any(String),
          alias: expect.any(String),
          uri: expect.any(String),
          parent: expect.any(Number),
        },
      });
    }

    const resources = await readAll('resources', 'product');
    const related = resources.filter((record) => 'product' in record);
    expect(related).toHaveLength(417);
    for (const record of related)
      expect(record['product']).toMatchObject({ id: record['id'], is_new: expect.any(Boolean) });
  });

  test('a table with a key of three columns has no primary key to name', async () => {
    const links = {
      name: 'links',
      table: 'ms2_product_links',
      primaryKey: 'link',
      fields: { link: { type: 'integer' } },
      readable: true,
    };
    const file = { name: 'objects/links.json', text: JSON.stringify(links) };
    expect(checkObjectFile({ file, others: [], database }).map(({ message }) => message)).toEqual([
      'column link of modx_ms2_product_links must be its whole primary key or have a unique index of its own',
    ]);
  });
});

const isNullOr = (type: string) => (value: unknown) => value === null || typeof value === type;
