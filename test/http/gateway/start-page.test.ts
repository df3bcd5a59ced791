/** Which page is served at the empty path and at `index`: the start page of the context, never a row without a URI. */
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';

describeEachDatabase('the start page', (database) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite({
      databaseUrl: await database.url(),
      env: { HCD_GATEWAY_ALLOWED_CONTEXTS: 'web,en,de', HCD_GATEWAY_CACHE_ENABLED: '1' },
    });
    await seed(site.store, {
      context: [
        { key: 'en', name: 'English' },
        { key: 'de', name: 'German' },
      ],
      context_setting: [{ context_key: 'en', key: 'site_start', value: '21' }],
      site_content: [
        // Rows without a URI come first by parent, menu index and id.
        { id: 2, pagetitle: 'Without a URI', uri: '', menuindex: 0 },
        { id: 3, pagetitle: 'Without any URI', uri: null, menuindex: 0 },
        { id: 4, pagetitle: 'Named index', uri: 'index.html', menuindex: 1 },
        { id: 9, pagetitle: 'Welcome', uri: 'welcome/here.html', menuindex: 9 },
        { id: 20, pagetitle: 'Without a URI', uri: '', context_key: 'en' },
        { id: 21, pagetitle: 'English welcome', uri: '', context_key: 'en', menuindex: 5 },
        { id: 30, pagetitle: 'Without a URI', uri: '', context_key: 'de' },
      ],
    });
    await site.change(["UPDATE modx_system_settings SET value = '9' WHERE `key` = 'site_start'"]);
  });

  const served = async (path: string): Promise<unknown> => {
    const { status, body } = await site.get(path);
    return status === 200 ? Object(body['data'])['id'] : status;
  };

  it('is served at the empty path before any page named index', async () => {
    for (const path of ['/pages', '/pages/']) {
      const { body } = await site.get(`${path}?fields=id`);
      expect(body).toEqual({
        data: { id: 9 },
        meta: { uri: 'index', resolved_uri: 'welcome/here.html', context: 'web' },
      });
    }
  });

  it.each([
    ['is served at index only where no page has that URI', '/pages/index', 4],
    ['is served at index only where no page has that URI', '/pages/index?context=en', 21],
    ['is the one of the context', '/pages?context=en', 21],
    ['is never a row without a URI', '/pages?context=de', 404],
    ['is never a row without a URI', '/pages/index?context=de', 404],
  ])('%s: %s', async (_rule, path, expected) => {
    expect(await served(path)).toBe(expected);
  });

  it('follows the setting, the state of the page and pages that come to be named index', async () => {
    await site.change(['UPDATE modx_site_content SET published = 0 WHERE id = 9']);
    await site.change(["UPDATE modx_system_settings SET value = '99' WHERE `key` = 'site_start'"]);
    expect(await served('/pages')).toBe(4);
    await site.change(["UPDATE modx_system_settings SET value = '2' WHERE `key` = 'site_start'"]);
    expect(await served('/pages')).toBe(2);
    expect(await served('/pages/index')).toBe(4);
  });
});
