/** Who may change which resource: contexts, resource groups, and template variables that a caller may not load. */
import { beforeAll, expect, it } from 'vitest';
import type { Principal } from '../../../src/access/acl.js';
import { administrator } from '../../../src/content/live/administrator.js';
import type { Caller } from '../../../src/content/query/authorize.js';
import { planLinkTargets } from '../../../src/content/query/plan-includes.js';
import { describeEachDatabase } from '../../support/databases.js';
import { openResourceSite, problemsOf, type ResourceSite } from './resource-site.js';

/** Group 1 is protected: user group 5 may load and save there, user group 6 everything. */
const editor: Principal = { userId: 21, sudo: false, groups: new Map([[5, 9999]]) };
const chief: Principal = { userId: 22, sudo: false, groups: new Map([[6, 9999]]) };
const stranger: Principal = { userId: 23, sudo: false, groups: new Map() };
const sudo: Principal = { userId: 24, sudo: true, groups: new Map() };

describeEachDatabase('rights to change resources', (database) => {
  let site: ResourceSite;
  let guarded: number;
  let open: number;
  const as = (user?: Principal, scopes?: readonly string[]) => (on: ResourceSite) =>
    on.caller({ ...(user ? { user } : {}), ...(scopes ? { scopes } : {}) });

  beforeAll(async () => {
    site = await openResourceSite({ databaseUrl: await database.url() });
    await site.create({ pagetitle: 'Home' });
    guarded = Number((await site.create({ pagetitle: 'Guarded' })).key);
    open = Number((await site.create({ pagetitle: 'Open' })).key);
    const everything =
      '{"load":true,"list":true,"view":true,"save":true,"publish":true,"delete":true,"undelete":true,"add_children":true}';
    const rule = (group: number, policy: number, context = 'web') =>
      `('1', 'MODX\\\\Revolution\\\\modUserGroup', ${group}, 9999, ${policy}, '${context}')`.replaceAll(
        '\\\\',
        database.name === 'mariadb' ? '\\\\' : '\\',
      );
    await site.execute(
      `INSERT INTO modx_document_groups (document_group, document) VALUES (1, ${guarded})`,
      `INSERT INTO modx_access_policies (id, name, data, lexicon) VALUES (71, 'Editor', '{"load":true,"save":true}', ''), (72, 'Chief', '${everything}', '')`,
      `INSERT INTO modx_access_resource_groups (target, principal_class, principal, authority, policy, context_key) VALUES ${rule(5, 71)}, ${rule(6, 72)}`,
      "INSERT INTO modx_context (`key`) VALUES ('closed')",
      `INSERT INTO modx_access_context (target, principal_class, principal, authority, policy) VALUES ${rule(6, 72)
        .replace("'1'", "'closed'")
        .replace(/, 'web'\)$/, ')')}`,
    );
    await site.set({ gateway_allowed_contexts: 'web,closed' });
  });

  it('hides what the caller may not load', async () => {
    for (const caller of [as(), as(stranger)]) {
      await expect(site.update(guarded, { pagetitle: 'x' }, { as: caller })).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(site.remove(guarded, { as: caller })).rejects.toMatchObject({ code: 'not_found' });
      await expect(site.remove(guarded, { as: caller, force: true })).rejects.toMatchObject({ code: 'not_found' });
      expect(await problemsOf(site.create({ pagetitle: 'x', parent: guarded }, { as: caller }))).toEqual({
        parent: ['must be the id of a resource that is not deleted, or 0'],
      });
      expect(await problemsOf(site.update(open, { parent: guarded }, { as: caller }))).toEqual({
        parent: ['must be the id of a resource that is not deleted, or 0'],
      });
    }
  });

  it('lets a user do only what the resource groups grant', async () => {
    await site.update(guarded, { longtitle: 'by the editor' }, { as: as(editor) });
    expect(await site.row(guarded, ['longtitle', 'editedby'])).toEqual({ longtitle: 'by the editor', editedby: 21 });
    const denied = { code: 'scope_denied' };
    await expect(site.update(guarded, { published: true }, { as: as(editor) })).rejects.toMatchObject(denied);
    await expect(site.update(guarded, { deleted: true }, { as: as(editor) })).rejects.toMatchObject(denied);
    await expect(site.remove(guarded, { as: as(editor) })).rejects.toMatchObject(denied);
    await expect(site.create({ pagetitle: 'x', parent: guarded }, { as: as(editor) })).rejects.toMatchObject(denied);
    await site.update(guarded, { published: true }, { as: as(chief) });
    await site.remove(guarded, { as: as(chief) });
    expect(await site.row(guarded, ['publishedby', 'deletedby'])).toEqual({ publishedby: 22, deletedby: 22 });
    await expect(site.update(guarded, { deleted: false }, { as: as(editor) })).rejects.toMatchObject(denied);
    await site.update(guarded, { deleted: false }, { as: as(sudo) });
    expect(await site.row(guarded, ['deleted', 'editedby'])).toEqual({ deleted: 0, editedby: 24 });
  });

  it('writes the author of a new resource', async () => {
    const { key } = await site.create({ pagetitle: 'Authored', published: true }, { as: as(editor) });
    expect(await site.row(Number(key), ['createdby', 'publishedby', 'editedby'])).toEqual({
      createdby: 21,
      publishedby: 21,
      editedby: 0,
    });
  });

  it('keeps callers out of contexts that are closed to them, whichever the request names', async () => {
    const inside = Number((await site.create({ pagetitle: 'Inside' }, { context: 'closed', as: as(chief) })).key);
    const denied = { code: 'scope_denied' };
    await expect(
      site.update(inside, { pagetitle: 'x' }, { as: as(undefined, ['resources.update']) }),
    ).rejects.toMatchObject(denied);
    await expect(site.remove(inside, { as: as(editor, ['resources.delete']) })).rejects.toMatchObject(denied);
    await expect(
      site.create({ pagetitle: 'x', context_key: 'closed' }, { as: as(undefined, ['resources.create']) }),
    ).rejects.toMatchObject(denied);
    await expect(
      site.update(open, { context_key: 'closed' }, { as: as(undefined, ['resources.update']) }),
    ).rejects.toMatchObject(denied);
    await site.update(inside, { pagetitle: 'By scope' }, { as: as(undefined, ['resources.update', 'context.closed']) });
    expect(await site.row(inside, ['pagetitle'])).toEqual({ pagetitle: 'By scope' });
  });

  it('refuses every caller in contexts that the setting does not allow', async () => {
    await site.set({ gateway_allowed_contexts: 'web' });
    const { key } = await site.create({ pagetitle: 'Left behind', context_key: 'closed' });
    await expect(site.update(Number(key), { pagetitle: 'x' }, { as: as(sudo) })).rejects.toMatchObject({
      code: 'scope_denied',
    });
    expect(await problemsOf(site.create({ pagetitle: 'x', context_key: 'closed' }, { as: as(sudo) }))).toEqual({
      context_key: ['must be one of: web'],
    });
    await site.set({ gateway_allowed_contexts: 'web,closed' });
  });

  it('decide what links may lead to', () => {
    const { registry, live } = site.writer;
    const targetsOf = (caller: Caller) =>
      planLinkTargets(
        { preview: false, includeDeleted: false },
        { definition: registry.resources, caller, context: 'web' },
      );
    const callers = [as(), as(chief), as(stranger), as(chief, ['context.closed'])].map((make) => make(site));
    const all = [...callers, administrator(live())].map((caller) => JSON.stringify(targetsOf(caller)));
    const [ofKey, ofChief, ofStranger, , ofAdministrator] = all;
    expect(new Set([ofKey, ofChief, ofAdministrator]).size).toBe(3);
    expect(ofStranger).toBe(ofKey);
  });
});

describeEachDatabase('template variables of resources', (database) => {
  let site: ResourceSite;
  let counter = 0;
  const stored = (id: number) =>
    site.select(`SELECT tmplvarid, value FROM modx_site_tmplvar_contentvalues WHERE contentid = ${id} ORDER BY id`);
  const make = async (tvs: Readonly<Record<string, string>> = {}) => {
    counter += 1;
    return Number((await site.create({ pagetitle: `Page ${counter}`, template: 1 }, { tvs })).key);
  };

  beforeAll(async () => {
    site = await openResourceSite({ databaseUrl: await database.url() });
    await site.create({ pagetitle: 'Home' });
    await site.execute(
      "INSERT INTO modx_site_templates (id, templatename, content) VALUES (1, 'One', ''), (2, 'Two', '')",
      "INSERT INTO modx_site_tmplvars (id, name, type, default_text) VALUES (1, 'colour', 'text', 'red'), (2, 'tags', 'tag', NULL), (3, 'bound', 'text', '@INHERIT blue'), (4, 'secret', 'text', ''), (5, 'other', 'text', ''), (6, 'constructor', 'text', '')",
      'INSERT INTO modx_site_tmplvar_templates (tmplvarid, templateid) VALUES (1, 1), (2, 1), (3, 1), (4, 1), (6, 1), (5, 2)',
      'INSERT INTO modx_site_tmplvar_access (tmplvarid, documentgroup) VALUES (4, 9)',
      `INSERT INTO modx_access_resource_groups (target, principal_class, principal, authority, policy, context_key) VALUES ('9', 'modUserGroup', 8, 9999, 1, 'web')`,
    );
  });

  it('stores what differs from a plain default', async () => {
    const id = await make({ colour: 'green', tags: '', bound: '@INHERIT blue', constructor: 'x' });
    expect(await stored(id)).toEqual([
      [1, 'green'],
      [3, '@INHERIT blue'],
      [6, 'x'],
    ]);
    await site.update(id, {}, { tvs: { colour: 'red', bound: '', tags: 'a, b' } });
    expect(await stored(id)).toEqual([
      [3, ''],
      [6, 'x'],
      [2, 'a,b'],
    ]);
  });

  it('changes the row that counts where an old database has two', async () => {
    const id = await make();
    if (database.name === 'mariadb')
      await site.execute('ALTER TABLE modx_site_tmplvar_contentvalues DROP INDEX tv_cnt');
    else await site.execute('DROP INDEX modx_site_tmplvar_contentvalues_tv_cnt');
    await site.execute(
      `INSERT INTO modx_site_tmplvar_contentvalues (tmplvarid, contentid, value) VALUES (1, ${id}, 'a'), (1, ${id}, 'b')`,
    );
    await site.update(id, {}, { tvs: { colour: 'c' } });
    expect(await stored(id)).toEqual([
      [1, 'c'],
      [1, 'b'],
    ]);
    await site.update(id, {}, { tvs: { colour: 'red' } });
    expect(await stored(id)).toEqual([]);
  });

  it('says the same of unknown, foreign and hidden names, and writes nothing', async () => {
    const problem = ['is not a template variable of the template'];
    const as = (on: ResourceSite) => on.caller({});
    const tvs = { secret: 'x', other: 'x', nothing: 'x', colour: 'green', Colour: 'x' };
    expect(await problemsOf(site.create({ pagetitle: 'Refused', template: 1 }, { as, tvs }))).toEqual({
      'tvs.secret': problem,
      'tvs.other': problem,
      'tvs.nothing': problem,
      'tvs.Colour': problem,
    });
    expect(await site.select("SELECT COUNT(*) FROM modx_site_content WHERE pagetitle = 'Refused'")).toEqual([[0]]);
    const id = await make({ secret: 'known to the administrator' });
    expect(await stored(id)).toEqual([[4, 'known to the administrator']]);
  });

  it('asks the template that the resource has afterwards', async () => {
    const id = await make({ colour: 'green' });
    await site.update(id, { template: 2 }, { tvs: { other: 'x' } });
    expect(await problemsOf(site.update(id, {}, { tvs: { colour: 'blue' } }))).toEqual({
      'tvs.colour': ['is not a template variable of the template'],
    });
    // Left over from the earlier template: it counts again when that comes back.
    expect(await stored(id)).toEqual([
      [1, 'green'],
      [5, 'x'],
    ]);
  });

  it('refuses text that no database takes', async () => {
    expect(await problemsOf(make({ colour: 'a\0' }))).toEqual({
      'tvs.colour': ['must not contain a NUL character or half of a surrogate pair'],
    });
  });
});
