/** The site that the tests of the gateway's own reference look at: real routes, some rows and one extra object. */

import { defineObject, type ObjectDefinition } from '../../../src/content/objects/definition.js';
import { freshSqliteUrl } from '../../support/databases.js';
import { integer, optionalText, text } from '../../support/fields.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';

/** An extra object over a table of the CMS: what a registered extension looks like. */
export const posters: ObjectDefinition = defineObject({
  name: 'fair_posters',
  table: 'site_templates',
  fields: {
    id: integer(),
    title: text(50, { column: 'templatename' }),
    image: text(255, { column: 'icon', media: true }),
    note: optionalText(undefined, { column: 'description' }),
    category: integer(),
  },
  filterable: ['title', 'category'],
  sortable: ['id', 'title'],
  required: ['title'],
  immutable: ['id'],
  protected: ['note'],
  creatable: true,
  relations: [
    {
      ...{ name: 'category', target: 'categories', type: 'to_one', foreignKey: 'category', localKey: 'id' },
      ...{ fields: ['id', 'category'], order: [] },
    },
  ],
});

const resources = [
  { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' },
  { id: 2, pagetitle: 'About <us> & "them"', alias: 'about', uri: 'about/', isfolder: 1, menuindex: 1 },
  { id: 3, pagetitle: 'Team', alias: 'team', uri: 'about/team.html', parent: 2, menuindex: 2 },
];

/** Starts the site; `key` may read everything. */
export async function startReferenceSite(env: Readonly<Record<string, string>> = {}): Promise<TestSite> {
  const site = await startTestSite({
    databaseUrl: await freshSqliteUrl(),
    extra: [posters],
    identities: { key: { kind: 'api_key', id: 'key', scopes: new Set(['*']), userId: null } },
    env,
  });
  await seed(site.store, { site_content: resources });
  return site;
}
