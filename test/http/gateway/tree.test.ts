/** The tree of resources, for menus: nesting, order, hidden branches, bounds, and who sees what of it. */
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { accessRule } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { key } from './writing-site.js';

const resources = [
  { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html', menuindex: 2 },
  { id: 2, pagetitle: 'About', alias: 'about', uri: 'about/', isfolder: 1, menuindex: 1, menutitle: 'Us' },
  { id: 3, pagetitle: 'Team', alias: 'team', uri: 'about/team', parent: 2, menuindex: 5 },
  { id: 4, pagetitle: 'Jobs', alias: 'jobs', uri: 'about/jobs', parent: 2, menuindex: 5 },
  { id: 5, pagetitle: 'History', alias: 'history', uri: 'about/history', parent: 2, menuindex: 0 },
  { id: 6, pagetitle: 'Office', alias: 'office', uri: 'about/team/office', parent: 3 },
  { id: 7, pagetitle: 'Landing', alias: 'landing', uri: 'landing/', hidemenu: 1, menuindex: 3 },
  { id: 8, pagetitle: 'Below landing', alias: 'below', uri: 'landing/below', parent: 7 },
  { id: 9, pagetitle: 'Draft', alias: 'draft', uri: 'draft/', published: 0, menuindex: 4 },
  { id: 10, pagetitle: 'Below draft', alias: 'below-draft', uri: 'draft/below', parent: 9 },
  { id: 11, pagetitle: 'Elsewhere', alias: 'elsewhere', uri: 'elsewhere', context_key: 'docs' },
  { id: 12, pagetitle: 'Removed', alias: 'removed', uri: 'removed', deleted: 1 },
  { id: 13, pagetitle: 'Members', alias: 'members', uri: 'members/', menuindex: 9 },
  { id: 20, pagetitle: 'Circle', alias: 'circle', uri: 'circle', parent: 21 },
  { id: 21, pagetitle: 'Circle too', alias: 'circle-too', uri: 'circle-too', parent: 20 },
];

interface Node {
  readonly id: number;
  readonly children: readonly Node[];
}

type Nested = readonly (number | readonly [number, Nested])[];

/** Ids alone: a list for a node with children. */
function shape(nodes: readonly Node[]): Nested {
  return nodes.map(({ id, children }) => (children.length === 0 ? id : [id, shape(children)]));
}

const identities = { preview: key('resources.read', 'preview'), other: key('chunks.read') };

describeEachDatabase('the tree of resources', (database) => {
  let site: TestSite;
  const tree = async (query = '', as?: string): Promise<Nested> => {
    const got = await site.get(`/tree${query}`, as === undefined ? {} : { as });
    expect(got.status, got.text).toBe(200);
    return shape(got.body['data'] as Node[]);
  };

  beforeAll(async () => {
    site = await startTestSite({ databaseUrl: await database.url(), identities });
    await site.fill({
      site_content: resources,
      context: [{ key: 'docs', name: 'Docs' }],
      documentgroup_names: [{ id: 1, name: 'Members only' }],
      document_groups: [{ document_group: 1, document: 13 }],
      access_resource_groups: [accessRule('1')],
      system_settings: [{ key: 'gateway_allowed_contexts', value: 'web,docs' }],
    });
  });

  it('nests published resources of the menu by menu index, then by id', async () => {
    expect(await tree()).toEqual([[2, [5, [3, [6]], 4]], 1]);
  });

  it('shows the fields of a menu unless others are asked for', async () => {
    const { body } = await site.get('/tree?root=3');
    expect(body).toEqual({
      data: [
        {
          ...{ id: 6, pagetitle: 'Office', menutitle: '', alias: 'office', uri: 'about/team/office' },
          ...{ parent: 3, menuindex: 0, template: 0, children: [] },
        },
      ],
      meta: { count: 1, context: 'web' },
    });
    const { body: named } = await site.get('/tree?root=3&fields=pagetitle');
    expect(named['data']).toEqual([{ pagetitle: 'Office', children: [] }]);
  });

  it('leaves out what is hidden from menus with its branch, unless hidden is given', async () => {
    expect(await tree('?hidden=1')).toEqual([[2, [5, [3, [6]], 4]], 1, [7, [8]]]);
    expect(await tree('?root=7')).toEqual([8]);
  });

  it('stops at the depth', async () => {
    expect(await tree('?depth=1')).toEqual([2, 1]);
    expect(await tree('?root=2&depth=1')).toEqual([5, 3, 4]);
  });

  it('shows another context, and drafts to a caller with preview', async () => {
    expect(await tree('?context=docs')).toEqual([11]);
    expect(await tree('?preview=1', 'preview')).toEqual([[2, [5, [3, [6]], 4]], 1, [9, [10]]]);
    expect((await site.get('/tree?preview=1')).status).toBe(403);
    expect((await site.get('/tree', { as: 'other' })).status).toBe(403);
  });

  it('answers 404 for a root that the caller may not see, and an empty list for one without children', async () => {
    expect(await tree('?root=1')).toEqual([]);
    for (const root of [999, 12, 13]) expect((await site.get(`/tree?root=${root}`)).status).toBe(404);
  });

  it('ends where the parents of damaged data form a circle', async () => {
    expect(await tree('?root=20')).toEqual([21]);
  });

  it.each([
    ['a depth above the maximum', 'depth=11', { depth: ['must be an integer from 1 to 10'] }],
    ['depth 0', 'depth=0', { depth: ['must be an integer from 1 to 10'] }],
    ['a root that is not a number', 'root=a', { root: ['must be an integer from 0 to 4294967295'] }],
    ['a root given twice', 'root=1&root=2', { root: ['must be given once'] }],
  ])('rejects %s', async (_name, query, errors) => {
    const { status, body } = await site.get(`/tree?${query}`);
    expect({ status, errors: body['errors'] }).toEqual({ status: 422, errors });
  });

  it('rejects long and unknown fields', async () => {
    const { status, body } = await site.get('/tree?fields=content,nothing');
    expect(status).toBe(422);
    expect(body['errors']).toEqual({
      fields: [
        expect.stringContaining('content is not available; fields: id, type, pagetitle'),
        expect.stringContaining('nothing is not available'),
      ],
    });
  });

  it('keeps an answer until a resource of the context changes', async () => {
    expect(await tree('?depth=2')).toEqual([[2, [5, 3, 4]], 1]);
    await site.change(['UPDATE modx_site_content SET menuindex = 9 WHERE id = 5']);
    expect(await tree('?depth=2')).toEqual([[2, [3, 4, 5]], 1]);
    await site.change(['UPDATE modx_site_content SET menuindex = 0 WHERE id = 5']);
  });
});

describeEachDatabase('a large tree', (database) => {
  it('is cut at 2,000 resources, the lowest levels first', async () => {
    const site = await startTestSite({ databaseUrl: await database.url() });
    const page = (id: number, parent: number) => ({ id, pagetitle: `P${id}`, uri: `p${id}`, menuindex: id, parent });
    const parents = Array.from({ length: 20 }, (_none, at) => page(1 + at, 0));
    const children = Array.from({ length: 2000 }, (_none, at) => page(100 + at, 1 + (at % 20)));
    await site.fill({ site_content: [...parents, ...children] });
    const { body } = await site.get('/tree?fields=id');
    expect(body['meta']).toEqual({ count: 2000, context: 'web', truncated: true });
    const roots = body['data'] as Node[];
    expect(roots.map(({ id }) => id)).toEqual(parents.map(({ id }) => id));
    expect(roots.flatMap(({ children: below }) => below)).toHaveLength(1980);
  });
});
