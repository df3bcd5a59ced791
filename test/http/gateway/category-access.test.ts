/** Access rules of element categories reach what lies below them: values of template variables, elements, categories. */
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { key } from './writing-site.js';

const rule = { principal_class: 'MODX\\Revolution\\modUserGroup', principal: 41, authority: 9999, policy: 1 };
const elements = ['chunks', 'templates', 'snippets', 'tvs', 'categories'];
const reading = [...elements.map((name) => `${name}.read`), 'resources.read', 'resources.update'];

describeEachDatabase('rules of a category', (database) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite({
      databaseUrl: await database.url(),
      identities: {
        keyed: key(...reading),
        member: { kind: 'api_key', id: 'member', scopes: new Set(reading), userId: 7 },
      },
    });
    const inEach = (table: string, field: string) =>
      [1, 2, 3, 4].map((category) => ({ id: category, [field]: `${table} ${category}`, category }));
    await site.fill({
      // 2 and 3 lie below the category with a rule; of 3 the table of ancestors knows nothing, as on damaged sites.
      categories: [
        { id: 1, parent: 0, category: 'Locked' },
        { id: 2, parent: 1, category: 'Below' },
        { id: 3, parent: 2, category: 'Further below' },
        { id: 4, parent: 0, category: 'Open' },
      ],
      categories_closure: [
        { ancestor: 0, descendant: 1, depth: 1 },
        { ancestor: 1, descendant: 1, depth: 0 },
        { ancestor: 0, descendant: 2, depth: 2 },
        { ancestor: 1, descendant: 2, depth: 1 },
        { ancestor: 2, descendant: 2, depth: 0 },
        { ancestor: 0, descendant: 4, depth: 1 },
        { ancestor: 4, descendant: 4, depth: 0 },
      ],
      access_context: [{ ...rule, target: 'web', policy: 0 }],
      access_category: [{ ...rule, target: '1', context_key: '' }],
      site_templates: inEach('template', 'templatename'),
      site_htmlsnippets: inEach('chunk', 'name'),
      site_snippets: inEach('snippet', 'name'),
      site_tmplvars: [1, 2, 3, 4].map((category) => ({ id: category, name: `tv${category}`, type: 'text', category })),
      site_tmplvar_templates: [1, 2, 3, 4].map((tmplvarid) => ({ tmplvarid, templateid: 4 })),
      site_content: [{ id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html', template: 4 }],
      site_tmplvar_contentvalues: [1, 2, 3, 4].map((tmplvarid) => ({
        tmplvarid,
        contentid: 1,
        value: `v${tmplvarid}`,
      })),
      users: [
        { id: 7, username: 'member', active: 1, password: 'x', salt: '', class_key: 'MODX\\Revolution\\modUser' },
      ],
      membergroup_names: [{ id: 41, name: 'Members' }],
      member_groups: [{ user_group: 41, member: 7, role: 1 }],
    });
  });

  const values = async (as?: string): Promise<unknown> => {
    const { body } = await site.get('/resources/1?include=tvs&fields=id', as === undefined ? {} : { as });
    return body['data'];
  };
  const idsOf = async (name: string, as: string): Promise<unknown> =>
    (await site.get(`/${name}?fields=id&sort=id`, { as })).body['data'];

  it('hide the values of template variables in categories below', async () => {
    expect(await values()).toEqual({ id: 1, tvs: { tv4: 'v4' } });
    expect(await values('keyed')).toEqual({ id: 1, tvs: { tv4: 'v4' } });
    expect(await values('member')).toEqual({ id: 1, tvs: { tv1: 'v1', tv2: 'v2', tv3: 'v3', tv4: 'v4' } });
  });

  it('refuse values for such variables as if they were not there', async () => {
    const body = { tvs: { tv2: 'x', tv3: 'x' } };
    const refused = await site.get('/resources/1', { method: 'PATCH', as: 'keyed', body });
    expect(Object.keys(Object(refused.body['errors']))).toEqual(['tvs.tv2', 'tvs.tv3']);
  });

  it.each(elements)('hide %s in them from lists and single reads', async (name) => {
    expect(await idsOf(name, 'keyed')).toEqual([{ id: 4 }]);
    expect(await idsOf(name, 'member')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }]);
    for (const id of [1, 2, 3]) expect((await site.get(`/${name}/${id}`, { as: 'keyed' })).status).toBe(404);
  });

  it('hold nothing while the CMS has them turned off, for one context or for all', async () => {
    const all = { id: 1, tvs: { tv1: 'v1', tv2: 'v2', tv3: 'v3', tv4: 'v4' } };
    await site.fill({ context_setting: [{ context_key: 'web', key: 'access_category_enabled', value: '0' }] });
    expect(await values()).toEqual(all);
    await site.change(["DELETE FROM modx_context_setting WHERE context_key = 'web'"]);
    expect(await values()).toEqual({ id: 1, tvs: { tv4: 'v4' } });
    await site.fill({ system_settings: [{ key: 'access_category_enabled', value: '0' }] });
    expect(await values()).toEqual(all);
    await site.change(["DELETE FROM modx_system_settings WHERE `key` = 'access_category_enabled'"]);
  });

  it('of resource groups hide no variable while the CMS has those turned off', async () => {
    await site.fill({
      site_tmplvar_access: [{ tmplvarid: 4, documentgroup: 1 }],
      access_resource_groups: [{ ...rule, target: '1', context_key: '' }],
    });
    expect(await values()).toEqual({ id: 1, tvs: {} });
    await site.change(["UPDATE modx_system_settings SET value = '0' WHERE `key` = 'access_resource_group_enabled'"]);
    expect(await values()).toEqual({ id: 1, tvs: { tv4: 'v4' } });
  });
});
