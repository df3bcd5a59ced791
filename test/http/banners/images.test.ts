/** The address of a banner's image: through its own media source, the setting's, the site's; own tables elsewhere. */
import { beforeAll, describe, expect, it } from 'vitest';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { describeWithFixture, loadFixture } from '../../support/fixture.js';
import { type ManagementSite, startManagementSite } from './management-site.js';

const source = (id: number, baseUrl: string): string =>
  `INSERT INTO modx_media_sources (id, name, description, class_key, properties, is_stream) VALUES (${id}, 's${id}', '', 'sources.modFileMediaSource', 'a:1:{s:7:"baseUrl";a:1:{s:5:"value";s:${baseUrl.length}:"${baseUrl}";}}', 1)`;

const imageOf = async (site: ManagementSite, fields: Record<string, unknown>) => {
  const id = await site.make({ name: 'x', ...fields });
  const [row] = await site.list(`/ads?fields=id,current_image&sort=id&dir=desc&limit=1`);
  const one = await site.api('GET', `/ads/${id}`);
  expect((one.body['data'] as Record<string, unknown>)['current_image']).toBe(row?.['current_image']);
  return row?.['current_image'];
};

describeEachDatabase('images of banners', (database) => {
  let site: ManagementSite;

  beforeAll(async () => {
    site = await startManagementSite(await database.url());
    await site.change([
      'DELETE FROM modx_media_sources',
      "DELETE FROM modx_system_settings WHERE `key` IN ('site_url', 'default_media_source')",
      source(1, 'assets/'),
      source(2, '/banners/'),
      source(3, 'https://cdn.example/b/'),
      "INSERT INTO modx_system_settings (`key`, value, xtype, namespace, area) VALUES ('site_url', 'https://site.example/', 'textfield', 'core', '')",
    ]);
  });

  it.each<[name: string, fields: Record<string, unknown>, address: string]>([
    ['no image', {}, ''],
    ['the default source of the site', { image: 'a b/1.png' }, 'https://site.example/assets/a b/1.png'],
    ['a source of its own', { image: '1.png', source: 2 }, 'https://site.example/banners/1.png'],
    ['a source with a host', { image: '1.png', source: 3 }, 'https://cdn.example/b/1.png'],
    ['a source that does not exist', { image: '1.png', source: 99 }, '1.png'],
    ['a whole address', { image: 'https://else.example/1.png', source: 2 }, 'https://else.example/1.png'],
  ])('%s', async (_name, fields, address) => {
    expect(await imageOf(site, fields)).toBe(address);
  });

  it('the setting comes between the banner and the site', async () => {
    await site.change([
      "INSERT INTO modx_system_settings (`key`, value, xtype, namespace, area) VALUES ('banners_media_source', '3', 'textfield', 'hcd_banners', '')",
    ]);
    expect(await imageOf(site, { image: '1.png' })).toBe('https://cdn.example/b/1.png');
    expect(await imageOf(site, { image: '1.png', source: 2 })).toBe('https://site.example/banners/1.png');
    await site.change(["DELETE FROM modx_system_settings WHERE `key` = 'banners_media_source'"]);
  });
});

describe('own tables in another database', () => {
  it('banners are there, and their images are resolved by the content database', async () => {
    const site = await startManagementSite(await freshSqliteUrl(), { ownDatabaseUrl: await freshSqliteUrl() });
    await site.change(['DELETE FROM modx_media_sources', source(2, '/banners/')]);
    expect(site.store.own).not.toBe(site.store.content);
    expect(await imageOf(site, { image: '1.png', source: 2 })).toMatch(/\/banners\/1\.png$/);
    expect((await site.list('/audit')).map((row) => row['action'])).toEqual(['create']);
  });
});

describeWithFixture('banners of an existing site', () => {
  it('use its media sources and its address without changing its tables', async () => {
    const site = await startManagementSite(await loadFixture());
    const others = "table_schema = DATABASE() AND table_name NOT LIKE 'hcd%'";
    const tables = () => site.rows(`SELECT table_name FROM information_schema.tables WHERE ${others} ORDER BY 1`);
    const before = await tables();
    const { settings, mediaSources, system } = site.live.current();
    expect([site.store.kind, settings.values.banners_timezone]).toEqual(['attached', 'UTC']);
    const first = mediaSources[0]?.id ?? 0;
    const address = await imageOf(site, { image: 'assets/images/sale.png', source: first });
    expect(address).toMatch(/assets\/images\/sale\.png$/);
    expect(String(address).startsWith(system.get('site_url') ?? '/')).toBe(true);
    expect(await tables()).toEqual(before);
  });
});
