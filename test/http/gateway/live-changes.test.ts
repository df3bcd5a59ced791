/** Changes of settings, rights and contexts while the server runs: no older answer outlives them. */
import { beforeAll, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { accessRule } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';

const rule = accessRule('1');

describeEachDatabase('live changes', (database) => {
  let site: TestSite;

  /** The statuses of anonymous reads, each asked twice so that the second may come from memory. */
  const statuses = async (...paths: string[]): Promise<number[]> => {
    const found: number[] = [];
    for (const path of paths) {
      await site.get(path);
      found.push((await site.get(path)).status);
    }
    return found;
  };

  beforeAll(async () => {
    site = await startTestSite({ databaseUrl: await database.url(), env: { HCD_GATEWAY_CACHE_ENABLED: '1' } });
    await site.fill({
      site_content: [
        { id: 1, pagetitle: 'Home', uri: 'index.html' },
        { id: 2, pagetitle: 'Members', uri: 'members' },
        { id: 3, pagetitle: 'Docs', uri: 'docs.html', context_key: 'docs' },
      ],
      context: [{ key: 'docs', name: 'Docs' }],
      documentgroup_names: [{ id: 1, name: 'Members' }],
      document_groups: [{ document_group: 1, document: 2 }],
      system_settings: [{ key: 'gateway_allowed_contexts', value: 'web,docs' }],
    });
  });

  it('a resource group that becomes protected is gone at once', async () => {
    expect(await statuses('/resources/2', '/pages/members')).toEqual([200, 200]);
    await site.fill({ access_resource_groups: [rule] });
    expect(await statuses('/resources/2', '/pages/members')).toEqual([404, 404]);
    expect((await site.get('/resources?fields=id')).body).toMatchObject({ data: [{ id: 1 }], meta: { total: 1 } });
    await site.change(['DELETE FROM modx_access_resource_groups']);
    expect(await statuses('/resources/2')).toEqual([200]);
  });

  it('refuses a context at once when it is removed or no longer allowed', async () => {
    expect(await statuses('/resources/3?context=docs')).toEqual([200]);
    await site.change(["UPDATE modx_system_settings SET value = 'web' WHERE `key` = 'gateway_allowed_contexts'"]);
    expect(await statuses('/resources/3?context=docs')).toEqual([422]);
    await site.change(["UPDATE modx_system_settings SET value = 'web,docs' WHERE `key` = 'gateway_allowed_contexts'"]);
    expect(await statuses('/resources/3?context=docs')).toEqual([200]);
    await site.change(["DELETE FROM modx_context WHERE `key` = 'docs'"]);
    expect(await statuses('/resources/3?context=docs')).toEqual([422]);
  });

  it('the prefix moves every route', async () => {
    await site.change(["INSERT INTO modx_system_settings (`key`, value) VALUES ('gateway_api_prefix', '/content')"]);
    const moved = await fetch(`${site.url}/content/v1/resources/1?fields=id`);
    expect([moved.status, (await site.get('/resources/1')).status]).toEqual([200, 404]);
    const list = (await (await fetch(`${site.url}/content/v1/resources?fields=id`)).json()) as { links: unknown };
    expect(list.links).toEqual({ self: '/content/v1/resources?fields=id&limit=20&offset=0' });
    await site.change(["DELETE FROM modx_system_settings WHERE `key` = 'gateway_api_prefix'"]);
    expect((await site.get('/resources/1')).status).toBe(200);
  });

  it('keeps the default for a bad stored value and reports it once', async () => {
    await site.change([
      "INSERT INTO modx_system_settings (`key`, value) VALUES ('gateway_max_limit', 'lots')",
      "INSERT INTO modx_media_sources (name, class_key, properties) VALUES ('Broken', 'x', 'a:1:{s:99:\"')",
    ]);
    expect((await site.get('/resources?limit=5000')).body).toMatchObject({ meta: { limit: 100 } });
    await site.live.refresh();
    expect(site.log.filter((fact) => fact.kind === 'setting_refused')).toEqual([
      expect.objectContaining({ key: 'gateway_max_limit' }),
    ]);
  });
});
