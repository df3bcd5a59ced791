/** What readers of a running server see of what commands do to pages and section types, from the next request on. */
import { expect, test } from 'vitest';
import { issueToken } from '../../src/identity/page-tokens/manage-tokens.js';
import { prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { seed } from '../support/seed.js';
import { startTestSite } from '../support/site.js';

const note = { key: 'note', version: 1, label: 'Note', category: 'content', fields: [], template: '<p>first</p>' };

describeEachDatabase('readers of pages', (kind) => {
  test('see every publication, withdrawal and way back at once, and new section types within a second', async () => {
    const url = await kind.url();
    const db = await prepareCliDatabase(url, (store) =>
      seed(store, { site_content: [{ id: 2, pagetitle: 'About', uri: 'about.html' }] }),
    );
    const site = await startTestSite({ databaseUrl: url, env: { HCD_PAGES_REST_API_ENABLED: '1' } });
    const scopes = ['pages.read', 'catalog.read'];
    const { token } = await issueToken(site.store, { env: {}, scopes, name: null, expiresOn: null, now: 0 });
    const read = async (path: string) => {
      const response = await fetch(`${site.url}/pages/api/v1.php?path=${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return [response.status, ((await response.json()) as { object: Record<string, unknown> }).object] as const;
    };
    const page = async () => {
      const [status, { publishedRevision, html }] = await read('/pages/2&include=html');
      return [status, publishedRevision ?? null, html ?? null];
    };
    const publish = (sections: unknown) =>
      db.run('page edit 2 --file - --publish', { stdin: JSON.stringify({ schemaVersion: 1, sections }) });
    const take = async (template: string) => {
      await db.run('section-type import -', { stdin: JSON.stringify({ ...note, template }) });
      await site.live.refresh();
    };

    expect((await page())[0]).toBe(404);
    await take('<p>first</p>');
    const [, before] = await read('/pages');
    await publish([{ type: 'note', data: {} }]);
    expect(await page()).toEqual([200, 1, expect.stringContaining('<p>first</p>')]);
    await publish([]);
    expect(await page()).toEqual([200, 2, '']);
    await db.run('page unpublish 2');
    expect((await page())[0]).toBe(404);
    expect(await read(`/pages&changed_since=${before['revision']}`)).toMatchObject([
      200,
      { items: [{ resourceId: 2, withdrawn: true }] },
    ]);
    await db.run('page rollback 2 1');
    expect(await page()).toEqual([200, 3, expect.stringContaining('<p>first</p>')]);
    await take('<p>second</p>');
    expect(await page()).toEqual([200, 3, expect.stringContaining('<p>second</p>')]);
    expect(await db.run('resource unpublish 2')).toMatchObject({ code: 0 });
    expect((await page())[0]).toBe(404);
  });
});
