/** The page delivery API on the database of a real CMS, with its charsets, its rights and its pages. */
import { expect, it } from 'vitest';
import { describeWithFixture, loadFixture } from '../../support/fixture.js';
import { hero, startPublishedSite } from './published-site.js';

describeWithFixture('pages of an attached site', () => {
  it('are delivered for what anonymous visitors see there, and for nothing else', async () => {
    const site = await startPublishedSite({ databaseUrl: await loadFixture() });
    const { content, prefix } = site.site.store;
    const rows = await content.select({
      sql: `SELECT id, context_key, published, deleted FROM ${prefix}site_content ORDER BY id LIMIT 60`,
      params: [],
    });
    for (const [id] of rows) await site.publish(Number(id), [hero(`Page ${id}`)]);
    const contexts = [...new Set(rows.map(([, context]) => String(context)))];
    const listed = new Set<number>();
    for (const context of contexts) {
      const { items } = (await site.get(`/pages&limit=100&context=${context}`)) as { items: { resourceId: number }[] };
      for (const { resourceId } of items) listed.add(resourceId);
    }
    for (const [id, , published, deleted] of rows) {
      const { status } = await site.ask(`/pages/${id}`);
      // The list and the page agree on every resource; one that is not published is in neither.
      expect([Number(id), status]).toEqual([Number(id), listed.has(Number(id)) ? 200 : 404]);
      if (Number(published) === 0 || Number(deleted) === 1) expect(status).toBe(404);
    }
    expect(listed.size).toBeGreaterThan(0);
    const [one] = [...listed];
    const page = await site.get(`/pages/${one}`);
    expect(page).toMatchObject({ resourceId: one, publishedRevision: 1, values: { plainText: `Page ${one}` } });
    const { alias, context } = page.resource as { alias: string; context: string };
    const found = await site.get(`/pages/${encodeURIComponent(alias)}&context=${context}`);
    expect((found.resource as { alias: string }).alias).toBe(alias);
    const before = (await site.get('/pages')).revision as number;
    await site.change(`UPDATE ${prefix}site_content SET published = 0 WHERE id = ${one}`);
    expect(await site.get(`/pages&changed_since=${before}&context=${context}`)).toMatchObject({
      items: [{ resourceId: one, publishedRevision: 1, withdrawn: true }],
      more: false,
    });
  });
});
