/** The site on which writing is tested: callers with all rights and with some, template variables, extra objects. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Identity } from '../../../src/access/identity.js';

import type { TestDatabase } from '../../support/databases.js';
import { execute } from '../../support/execute.js';
import { openMigrated } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';
import { type Got, startTestSite, type TestSite, type TestSiteOptions } from '../../support/site.js';
import { makeTempDir } from '../../support/temp-dir.js';

/** A key with the given scopes. */
export function key(...scopes: string[]): Identity {
  return { kind: 'api_key', id: scopes.join(' ') || 'none', scopes: new Set(scopes), userId: null };
}

const actions = ['read', 'create', 'update', 'delete'];
const allOf = (...names: readonly string[]) => names.flatMap((name) => actions.map((action) => `${name}.${action}`));

const identities: Readonly<Record<string, Identity>> = {
  all: key('*'),
  editor: key(...allOf('resources')),
  updater: key('resources.read', 'resources.update'),
  creator: key('resources.create'),
  reader: key('resources.read', 'makers.read', 'goods.read'),
  shop: key(...allOf('makers', 'goods', 'notes')),
};

const tables = {
  sqlite: [
    `CREATE TABLE modx_shop_makers (code VARCHAR(20) NOT NULL PRIMARY KEY, title VARCHAR(40) NOT NULL, founded INTEGER NULL, history TEXT NOT NULL)`,
    `CREATE UNIQUE INDEX shop_makers_title ON modx_shop_makers (title)`,
    `CREATE TABLE shop_goods (id INTEGER PRIMARY KEY AUTOINCREMENT, title VARCHAR(40) NOT NULL, price NUMERIC NOT NULL DEFAULT 0, stock INTEGER NOT NULL DEFAULT 0,
      maker VARCHAR(20) NULL, active TINYINT NOT NULL DEFAULT 1, added INTEGER NOT NULL DEFAULT 0, sold DATETIME NULL, data TEXT NULL, image VARCHAR(100) NULL, secret VARCHAR(20) NULL,
      cost INTEGER NULL, shelf INTEGER NULL, place INTEGER NULL)`,
    `CREATE UNIQUE INDEX shop_goods_place ON shop_goods (shelf, place)`,
    `CREATE TABLE modx_shop_notes (id INTEGER PRIMARY KEY, title VARCHAR(40) NOT NULL, published TINYINT NOT NULL DEFAULT 0, deleted TINYINT NOT NULL DEFAULT 0, context_key VARCHAR(100) NOT NULL, rating INTEGER NOT NULL)`,
  ],
  mariadb: [
    `CREATE TABLE modx_shop_makers (code VARCHAR(20) NOT NULL PRIMARY KEY, title VARCHAR(40) NOT NULL, founded INT NULL, history TEXT NOT NULL, UNIQUE shop_makers_title (title)) CHARACTER SET utf8mb4`,
    `CREATE TABLE shop_goods (id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, title VARCHAR(40) NOT NULL, price DOUBLE NOT NULL DEFAULT 0, stock BIGINT NOT NULL DEFAULT 0,
      maker VARCHAR(20) NULL, active TINYINT(1) NOT NULL DEFAULT 1, added INT NOT NULL DEFAULT 0, sold DATETIME NULL, data MEDIUMTEXT NULL, image VARCHAR(100) NULL, secret VARCHAR(20) NULL,
      cost BIGINT NULL, shelf BIGINT NULL, place BIGINT NULL, UNIQUE shop_goods_place (shelf, place)) CHARACTER SET utf8mb4`,
    `CREATE TABLE modx_shop_notes (id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, title VARCHAR(40) NOT NULL, published TINYINT(1) NOT NULL DEFAULT 0, deleted TINYINT(1) NOT NULL DEFAULT 0, context_key VARCHAR(100) NOT NULL, rating INT NOT NULL) CHARACTER SET utf8mb4`,
  ],
};

const typed = (types: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]));
const writable = { readable: true, creatable: true, updatable: true, deletable: true };

/** Keys that callers make, keys that the database makes in a table without prefix, rows with visibility. */
const objects = [
  {
    ...{ name: 'makers', table: 'shop_makers', primaryKey: 'code', required: ['title'] },
    fields: typed({ code: 'string', title: 'string', founded: 'integer', history: 'string' }),
    ...{ filterable: ['code', 'title'], sortable: ['code', 'title'], ...writable },
  },
  {
    ...{ name: 'goods', table: 'shop_goods', primaryKey: 'id', immutable: ['id'], hidden: ['secret'] },
    fields: typed({
      ...{ id: 'integer', title: 'string', price: 'number', stock: 'integer', maker: 'string', active: 'boolean' },
      ...{ added: 'datetime', sold: 'datetime', data: 'json', image: 'string', secret: 'string' },
      ...{ cost: 'integer', shelf: 'integer', place: 'integer' },
    }),
    filterable: ['id', 'title', 'stock', 'maker', 'added'],
    ...{ sortable: ['id', 'title', 'price'], searchable: ['title'], required: ['title'], protected: ['cost'] },
    relations: [{ name: 'maker', target: 'makers', type: 'to_one', foreignKey: 'maker', fields: ['code', 'title'] }],
    ...writable,
  },
  {
    ...{ name: 'notes', table: 'shop_notes', primaryKey: 'id', immutable: ['id'], required: ['title'] },
    fields: typed({
      ...{ id: 'integer', title: 'string', published: 'boolean', deleted: 'boolean', context_key: 'string' },
      rating: 'integer',
    }),
    ...{ filterable: ['id', 'context_key'], ...writable },
  },
  {
    ...{ name: 'frozen', table: 'shop_makers', primaryKey: 'code', readable: true },
    fields: typed({ code: 'string', title: 'string' }),
  },
];

/**
 * Starts the site: home 1, about 2 (template 1 with the variables mood and size), team 3 below it; contexts web, en
 * (which needs context.en) and closed (which is not allowed).
 */
export async function startWritingSite(
  database: TestDatabase,
  options: Omit<TestSiteOptions, 'databaseUrl'> = {},
): Promise<TestSite> {
  const databaseUrl = await database.url();
  const store = await openMigrated({ databaseUrl, prefix: 'modx_', limits: patientLimits });
  await execute(store.content, ...tables[database.name]);
  await store.close();
  const folder = await makeTempDir('objects');
  for (const object of objects) await writeFile(join(folder, `${object.name}.json`), JSON.stringify(object));
  const site = await startTestSite({
    databaseUrl,
    objects: { folder, plugins: [] },
    ...options,
    identities: { ...identities, ...options.identities },
    env: { HCD_GATEWAY_ALLOWED_CONTEXTS: 'web,mgr,en', ...options.env },
  });
  await site.fill({
    context: [
      { key: 'en', name: 'English' },
      { key: 'closed', name: 'Closed' },
    ],
    // A group without members: the context is open only to callers with its scope.
    access_context: [
      { target: 'en', principal_class: 'MODX\\Revolution\\modUserGroup', principal: 99, authority: 9999, policy: 0 },
    ],
    site_templates: [{ id: 1, templatename: 'Page' }],
    site_tmplvars: [
      { id: 1, name: 'mood', type: 'text', default_text: 'calm' },
      { id: 2, name: 'size', type: 'text', default_text: '' },
      { id: 3, name: 'other', type: 'text', default_text: '' },
    ],
    site_tmplvar_templates: [
      { tmplvarid: 1, templateid: 1 },
      { tmplvarid: 2, templateid: 1 },
    ],
    site_content: [
      { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' },
      { id: 2, pagetitle: 'About', alias: 'about', uri: 'about/', isfolder: 1, template: 1, menuindex: 1 },
      { id: 3, pagetitle: 'Team', alias: 'team', uri: 'about/team.html', parent: 2 },
    ],
  });
  return site;
}

/** The record in an answer. */
export function dataOf({ body }: Got): Record<string, unknown> {
  const { data } = body;
  if (typeof data !== 'object' || data === null) throw new Error(`no record: ${JSON.stringify(body)}`);
  return { ...data };
}
