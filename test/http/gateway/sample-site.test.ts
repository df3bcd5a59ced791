/** The sample site, loaded as `hcd demo` loads it: every page that a visitor may see opens at its URI. */
import { beforeAll, expect, it } from 'vitest';
import { loadSample } from '../../../src/operations/sample/load-sample.js';
import { describeEachDatabase } from '../../support/databases.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { sweep } from './searching.js';

describeEachDatabase('the sample site', (database) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite({ databaseUrl: await database.url() });
    await loadSample(site.store, { env: {}, apis: ['gateway'], onProgress: () => undefined });
    await site.live.refresh();
    await sweep(site);
  });

  it.each(['web', 'journal'])('opens every visible page of %s', async (context) => {
    const groups = `(SELECT CAST(target AS ${database.name === 'mariadb' ? 'SIGNED' : 'INTEGER'}) FROM modx_access_resource_groups WHERE principal`;
    const sql = `SELECT DISTINCT document FROM modx_document_groups WHERE document_group IN ${groups} <> 0) AND document_group NOT IN ${groups} = 0)`;
    const protectedGroups = await site.store.content.select({ sql, params: [] });
    const hidden = new Set(protectedGroups.map((row) => Number(row[0])));
    expect(hidden.size).toBeGreaterThan(0);
    const rows = await site.store.content.select({
      sql: 'SELECT id, uri, published, deleted FROM modx_site_content WHERE context_key = ? ORDER BY id',
      params: [context],
    });
    const wrong: unknown[] = [];
    let opened = 0;
    for (const [id, uri, published, deleted] of rows) {
      const isVisible = Number(published) === 1 && Number(deleted) === 0 && !hidden.has(Number(id));
      const path = String(uri).split('/').map(encodeURIComponent).join('/');
      const got = await site.get(`/pages/${path}?fields=id&context=${context}`);
      const expected = isVisible ? Number(id) : undefined;
      const found = (got.body['data'] as { id: number } | undefined)?.id;
      // A deleted page may have left its URI to a living one.
      if (isVisible ? found !== expected : found === Number(id)) wrong.push([id, uri, got.status]);
      if (isVisible) opened += 1;
    }
    expect(wrong).toEqual([]);
    expect(opened).toBeGreaterThan(context === 'web' ? 250 : 40);
  });

  it('has tents and storms, but none with all of quiet tent storm', async () => {
    const ids = async (search: string) => {
      const { body } = await site.get(`/resources?fields=id&search=${encodeURIComponent(search)}`);
      return { data: body['data'], meta: body['meta'] };
    };
    const { data, meta } = await ids('tent storm');
    expect(meta).toMatchObject({ total: expect.toSatisfy((total) => Number(total) > 1) });
    expect(meta).not.toHaveProperty('left_out');
    expect(await ids('quiet tent storm')).toEqual({ data, meta: { ...Object(meta), left_out: ['quiet'] } });
  });
});
