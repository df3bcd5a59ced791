/**
 * What a caller may not see leaves no trace: two sites that differ only in hidden data (unpublished, deleted, protected
 * and foreign rows, protected and hidden fields, template variables out of reach) answer the caller alike, byte for
 * byte: rows, totals, cursors, links, tags, entity tags, refusals.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildRegistry } from '../../../src/content/objects/core-objects.js';
import { defineObject, type ObjectDefinition } from '../../../src/content/objects/definition.js';
import { describeEachDatabase } from '../../support/databases.js';
import { integer, optionalText, text } from '../../support/fields.js';
import { everyColumn, listQuery } from '../../support/list-queries.js';
import { accessRule, type Row } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { key } from './writing-site.js';

const owner = { foreignKey: 'owner', localKey: 'id', order: [] };
/** An object whose protected field leads to another record. */
const notes: ObjectDefinition = defineObject({
  name: 'notes',
  table: 'site_snippets',
  fields: {
    id: integer(),
    name: text(50),
    owner: integer({ column: 'category' }),
    remark: optionalText(undefined, { column: 'description' }),
  },
  filterable: ['id', 'name', 'owner', 'remark'],
  sortable: ['id', 'name', 'owner', 'remark'],
  searchable: ['name', 'remark'],
  protected: ['owner', 'remark'],
  relations: [
    { ...owner, name: 'holder', target: 'categories', type: 'to_one', fields: ['id', 'category'] },
    { ...owner, name: 'siblings', target: 'notes', type: 'to_many', fields: ['id', 'name'] },
  ],
});

const identities = { limited: key('resources.read', 'notes.read', 'fields.createdby') };

const shown: readonly Row[] = [
  { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html', template: 1 },
  { id: 2, pagetitle: 'About us', alias: 'about', uri: 'about/', isfolder: 1, menuindex: 1, template: 1 },
  { id: 3, pagetitle: 'Team', alias: 'team', uri: 'about/team.html', parent: 2, menuindex: 3, template: 1 },
  { id: 4, pagetitle: 'Orphan of a hidden page', alias: 'orphan', uri: 'orphan.html', parent: 20, menuindex: 2 },
  { id: 5, pagetitle: 'Below the members', alias: 'below', uri: 'below.html', parent: 22, menuindex: 2 },
];

/** Rows that anonymous may not see in the context web, one way or another. */
const concealed = (word: string): readonly Row[] => [
  { id: 20, pagetitle: `${word} draft`, alias: word, uri: `${word}.html`, published: 0, parent: 2 },
  { id: 21, pagetitle: `${word} gone`, alias: word, uri: 'index', deleted: 1, parent: 2, deletedon: word.length },
  { id: 22, pagetitle: `${word} members`, alias: word, uri: 'members', parent: 2, menuindex: word.length },
  { id: 23, pagetitle: `${word} below`, alias: word, uri: 'about', context_key: 'mgr', parent: 2 },
  ...[...word].map((letter, index) => ({ id: 30 + index, pagetitle: letter, published: 0, parent: 3 })),
];

async function startSite(url: string, word: string): Promise<TestSite> {
  const site = await startTestSite({ databaseUrl: url, identities, extra: [notes], env: everyColumn });
  const guarded = { createdby: 7, editedby: word.length, publishedby: word.length, properties: `{"word":"${word}"}` };
  await site.fill({
    site_content: [...shown.map((row) => ({ ...row, ...guarded })), ...concealed(word)],
    site_templates: [{ id: 1, templatename: 'Base' }],
    site_tmplvars: [
      { id: 1, name: 'colour', type: 'text', default_text: 'blue' },
      { id: 2, name: 'secret', type: 'text', default_text: word },
      { id: 3, name: 'locked', type: 'text', default_text: word, category: 1 },
    ],
    site_tmplvar_templates: [1, 2, 3].map((tmplvarid) => ({ tmplvarid, templateid: 1, rank: tmplvarid })),
    site_tmplvar_contentvalues: [{ tmplvarid: 2, contentid: 3, value: word }],
    site_tmplvar_access: [{ tmplvarid: 2, documentgroup: 1 }],
    site_snippets: [1, 2, 3].map((id) => ({
      id,
      name: `Note ${id}`,
      description: `${word} ${id}`,
      category: (id + word.length) % 3,
    })),
    categories: [
      { id: 1, category: 'Locked' },
      { id: 2, category: 'Open' },
    ],
    documentgroup_names: [{ id: 1, name: 'Members' }],
    document_groups: [{ document_group: 1, document: 22 }],
    access_resource_groups: [accessRule('1')],
    access_category: [accessRule('1')],
  });
  return site;
}

describeEachDatabase('hidden data', (database) => {
  let left: TestSite;
  let right: TestSite;

  const ask = async (site: TestSite, path: string, as: string | undefined): Promise<string> => {
    const got = await site.get(path, {
      ...(as === undefined ? {} : { as }),
      headers: { 'x-request-id': 'the-same-for-both' },
    });
    return [got.status, got.headers.get('etag'), got.headers.get('cache-tag'), got.text].join('\n');
  };
  const expectAlike = async (path: string, as: string | undefined): Promise<string> => {
    const [one, other] = await Promise.all([ask(left, path, as), ask(right, path, as)]);
    expect(one).toBe(other);
    return one;
  };

  beforeAll(async () => {
    left = await startSite(await database.url(), 'ochre');
    right = await startSite(await database.url(), 'vermilion');
  });

  describe.each([
    ['resources', undefined],
    ['resources', 'limited'],
    ['notes', 'limited'],
  ] as const)('in lists of %s for %s', (name, as) => {
    it('shapes no answer', async () => {
      const definition = buildRegistry([notes]).objects.get(name);
      if (!definition) throw new Error(`no object ${name}`);
      const known = {
        texts: ['index', 'about', 'ochre', 'vermilion', 'web', 'mgr', 'o', 'draft', 'Note 1', 'modDocument'],
        numbers: [1, 2, 3, 4, 5, 7, 9, 20, 21, 22, 23, 30],
      };
      // Every field of the definition, those that the caller may not use as well: then the refusals are compared.
      const anything: ObjectDefinition = { ...definition, protected: [], hidden: [] };
      const base = name === 'resources' ? '/resources' : '/objects/notes';
      const query = fc.oneof(listQuery(definition, known), listQuery(anything, known));
      const more = ['&context=mgr', '&preview=1', '&include_deleted=1', '&tv_fields=secret,locked'];
      const extra = fc.constantFrom('', '', '', ...more);
      await fc.assert(
        fc.asyncProperty(query, extra, async (text, last) => {
          await expectAlike(`${base}?${text}${last}`, as);
        }),
        { numRuns: 100 },
      );
    });
  });

  it.each([
    ...[1, 2, 3, 4, 5, 20, 21, 22, 23, 30, 39].map((id) => `/resources/${id}?include=parent,children,tvs`),
    ...['index', 'about', 'members', 'ochre', 'vermilion', 'orphan', 'draft', ''].map(
      (uri) => `/pages/${uri}?include=tvs,children`,
    ),
  ])('shapes no answer at %s', async (path) => {
    await expectAlike(path, undefined);
    await expectAlike(path, 'limited');
  });

  it.each(['holder', 'siblings', 'holder,siblings', 'siblings.holder'])(
    'is not revealed by the relation %s over a protected field',
    async (include) => {
      const list = await expectAlike(`/objects/notes?include=${include}`, 'limited');
      expect(list).toMatch(/^422\n/);
      expect(await expectAlike(`/objects/notes/2?include=${include}`, 'limited')).toMatch(/^422\n/);
    },
  );
});
