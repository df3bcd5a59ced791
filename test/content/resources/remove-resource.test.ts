/** Deleting resources, softly and permanently, the same on both stores. */
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { openResourceSite, type ResourceSite, type Values } from './resource-site.js';

describeEachDatabase('removeResource', (database) => {
  let site: ResourceSite;
  let counter = 0;
  const make = async (values: Values = {}): Promise<number> => {
    counter += 1;
    return Number((await site.create({ pagetitle: `Page ${counter}`, ...values })).key);
  };
  const deleted = (ids: readonly number[]) =>
    Promise.all(ids.map(async (id) => (await site.row(id, ['deleted']))?.['deleted']));

  beforeAll(async () => {
    site = await openResourceSite({ databaseUrl: await database.url() });
    await make({ alias: 'index' });
  });

  it('flags the whole branch with one second and announces every row', async () => {
    const top = await make({ published: true });
    const child = await make({ parent: top });
    const leaf = await make({ parent: child });
    const before = await site.row(child);
    const mutation = await site.remove(top);
    expect(await site.row(child)).toEqual({ ...before, deleted: 1, deletedon: site.now });
    expect({
      ...mutation,
      rows: mutation.rows.map(({ key, before, after }) => [key, before?.['deleted'], after?.['deleted']]),
    }).toEqual({
      object: 'resources',
      action: 'deleted',
      key: top,
      context: 'web',
      uri: 'page-2/',
      parent: 0,
      permanent: false,
      rows: [
        [top, false, true],
        [child, false, true],
        [leaf, false, true],
      ],
    });
    expect(await site.row(top, ['published', 'isfolder', 'editedon'])).toEqual({
      published: 1,
      isfolder: 1,
      editedon: 0,
    });
  });

  it('does not find what is deleted already or was never there', async () => {
    const id = await make();
    await site.remove(id);
    await expect(site.remove(id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(site.remove(99_999, { force: true })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('keeps the pages without which the site does not work, and what is below them', async () => {
    const top = await make();
    const error = await make({ parent: top });
    const below = await make({ parent: error });
    const sibling = await make({ parent: top });
    await site.set({ error_page: String(error) });
    for (const id of [1, error]) {
      await expect(site.remove(id)).rejects.toMatchObject({ code: 'conflict' });
      await expect(site.remove(id, { force: true })).rejects.toMatchObject({ code: 'conflict' });
      await expect(site.update(id, { deleted: true })).rejects.toMatchObject({ code: 'conflict' });
    }
    await site.remove(top);
    expect(await deleted([top, error, below, sibling])).toEqual([1, 0, 0, 1]);
  });

  it('removes one row permanently, with its own values, groups and links', async () => {
    const top = await make();
    const child = await make({ parent: top });
    await site.execute(
      `INSERT INTO modx_site_tmplvar_contentvalues (tmplvarid, contentid, value) VALUES (1, ${top}, 'x'), (1, ${child}, 'y')`,
      `INSERT INTO modx_document_groups (document_group, document) VALUES (1, ${top}), (1, ${child})`,
      `INSERT INTO modx_context_resource (context_key, resource) VALUES ('mgr', ${top})`,
    );
    const mutation = await site.remove(top, { force: true });
    expect(mutation.permanent).toBe(true);
    expect(mutation.rows.map(({ key, before, after }) => [key, before?.['uri'], after])).toEqual([
      [top, `page-${counter - 1}/`, null],
    ]);
    expect(await site.row(top)).toBeUndefined();
    expect(await site.row(child, ['parent', 'deleted'])).toEqual({ parent: top, deleted: 0 });
    expect(await site.select('SELECT contentid FROM modx_site_tmplvar_contentvalues')).toEqual([[child]]);
    expect(await site.select('SELECT document FROM modx_document_groups')).toEqual([[child]]);
    expect(await site.select('SELECT COUNT(*) FROM modx_context_resource')).toEqual([[0]]);
  });

  it('removes a row that is deleted softly', async () => {
    const id = await make();
    await site.remove(id);
    await site.remove(id, { force: true });
    expect(await site.row(id)).toBeUndefined();
  });

  it('keeps nothing of a branch that gets a child while it is deleted', async () => {
    const tops = await Promise.all(Array.from({ length: 8 }, () => make()));
    const outcomes = await Promise.all(
      tops.map(async (top) => {
        const [, child] = await Promise.allSettled([
          site.remove(top),
          site.create({ pagetitle: `Late ${top}`, parent: top }),
        ]);
        return child.status === 'fulfilled' ? Number(child.value.key) : null;
      }),
    );
    const alive = await deleted(outcomes.filter((id): id is number => id !== null));
    expect(alive.filter((flag) => flag === 0)).toEqual([]);
  });
});
