/** Positions, click logs, the audit log and templates over HTTP: whole rows, pages, and the parameters that are refused. */
import { beforeAll, expect, it } from 'vitest';
import { duplicateBanner } from '../../../src/banners/management/create-banner.js';
import { linkBanner, orderPosition, unlinkBanner } from '../../../src/banners/management/position-links.js';
import { addPosition, removePosition, updatePosition } from '../../../src/banners/management/positions.js';
import { addPreset, removePreset } from '../../../src/banners/management/presets.js';
import { removeBanner, switchBanner } from '../../../src/banners/management/update-banner.js';
import { describeEachDatabase } from '../../support/databases.js';
import { type ManagementSite, startManagementSite } from './management-site.js';

const username = 'cli';

describeEachDatabase('records of the banner API', (database) => {
  let site: ManagementSite;

  beforeAll(async () => {
    site = await startManagementSite(await database.url());
  });

  const position = (name: string, context_key = '') => addPosition(site.store, { name, context_key, username });
  const shown = (rows: readonly Readonly<Record<string, unknown>>[], ...names: readonly string[]) =>
    rows.map((row) => names.map((name) => row[name]));

  it('lists, finds and shows positions', async () => {
    const header = await position('Header');
    const sidebar = await position('Sidebar 100%', 'web');
    const ad = await site.make({ name: 'x', positions: [sidebar.id] });
    await site.own(
      `INSERT INTO hcd_ad_days (day, ad, position, clicks, impressions, conversions) VALUES (20260101, ${ad}, ${sidebar.id}, 3, 10, 1), (20260102, ${ad}, ${sidebar.id}, 4, 20, 0)`,
    );
    const row = { id: sidebar.id, name: 'Sidebar 100%', context_key: 'web', banners: 1, clicks: 7, impressions: 30 };
    const all = await site.api('GET', '/positions');
    const other = { id: header.id, name: 'Header', context_key: '', banners: 0, clicks: 0, impressions: 0 };
    const body = { success: true, data: [other, row], total: 2 };
    expect([all.status, all.headers.get('x-total-count'), all.body]).toEqual([200, '2', body]);
    expect(shown(await site.list('/positions?sort=name&dir=desc'), 'name')).toEqual([['Sidebar 100%'], ['Header']]);
    expect(await site.list('/positions?query=%25&fields=name')).toEqual([{ name: 'Sidebar 100%' }]);
    expect((await site.api('GET', `/positions/${sidebar.id}`)).body).toEqual({ success: true, data: row });
    const some = await site.api('GET', `/positions/${sidebar.id}?fields=name,id`);
    expect(some.body['data']).toEqual({ id: sidebar.id, name: 'Sidebar 100%' });
    expect((await site.api('GET', '/positions/999')).status).toBe(404);
  });

  it('shows the banners of a position in its order', async () => {
    const { id } = await position('Ordered');
    const ads = [];
    for (const name of ['a', 'b', 'c']) ads.push(await site.make({ name, positions: [id] }));
    const [a = 0, b = 0, c = 0] = ads;
    await linkBanner(site.store, { position: id, ad: c, weight: 5, idx: 0, username });
    const rows = await site.list(`/positions/${id}/ads`);
    expect(shown(rows, 'id', 'name', 'idx', 'weight', 'positions')).toEqual([
      [c, 'c', 0, 5, [id]],
      [a, 'a', 1, 1, [id]],
      [b, 'b', 2, 1, [id]],
    ]);
    const links = await site.rows(`SELECT id FROM hcd_ad_links WHERE position = ${id} ORDER BY idx`);
    expect(rows.map((row) => row['adposition'])).toEqual(links.map(([link]) => link));
    const page = await site.api('GET', `/positions/${id}/ads?limit=1&offset=1&fields=name,adposition`);
    expect([page.body['data'], page.body['total'], page.headers.get('link')]).toEqual([
      [{ name: 'a', adposition: rows[1]?.['adposition'] }],
      3,
      `</banners/api.php?route=%2Fpositions%2F${id}%2Fads&fields=name%2Cadposition&offset=0&limit=1>; rel="prev", </banners/api.php?route=%2Fpositions%2F${id}%2Fads&fields=name%2Cadposition&offset=2&limit=1>; rel="next"`,
    ]);
    expect((await site.api('GET', '/positions/999/ads')).status).toBe(404);
  });

  it('commands link, order and unlink, and places stay without gaps', async () => {
    const { id } = await position('Commands');
    const ads = [];
    for (const name of ['a', 'b', 'c', 'd']) ads.push(await site.make({ name, positions: [id] }));
    const [a = 0, b = 0, c = 0, d = 0] = ads;
    /** Ids in their order, whose places have no gap. */
    const order = async () => {
      const rows = await site.list(`/positions/${id}/ads`);
      expect(shown(rows, 'idx').flat()).toEqual(rows.map((_row, at) => at));
      return shown(rows, 'id').flat();
    };
    await orderPosition(site.store, { position: id, ads: [d, b], username });
    expect(await order()).toEqual([d, b, a, c]);
    await linkBanner(site.store, { position: id, ad: d, weight: null, idx: 99, username });
    expect(await order()).toEqual([b, a, c, d]);
    const { link, isNew } = await linkBanner(site.store, { position: id, ad: a, weight: 9, idx: null, username });
    expect([link.idx, link.weight, isNew]).toEqual([1, 9, false]);
    await unlinkBanner(site.store, { position: id, ad: a, username });
    expect(await order()).toEqual([b, c, d]);
    const fresh = await linkBanner(site.store, { position: id, ad: a, weight: 2, idx: 1, username });
    expect([fresh.isNew, fresh.link.idx, await order()]).toEqual([true, 1, [b, a, c, d]]);
    await removeBanner(site.store, { id: c, username });
    expect(await order()).toEqual([b, a, d]);
    const refused: readonly [Promise<unknown>, code: string][] = [
      [orderPosition(site.store, { position: id, ads: [c], username }), 'validation_failed'],
      [orderPosition(site.store, { position: id, ads: [b, b], username }), 'validation_failed'],
      [unlinkBanner(site.store, { position: id, ad: c, username }), 'not_found'],
      [linkBanner(site.store, { position: id, ad: b, weight: 0, idx: null, username }), 'validation_failed'],
    ];
    await Promise.all(refused.map(([command, code]) => expect(command).rejects.toMatchObject({ code })));
  });

  it('the click log has the newest first, whenever they were recorded, also of positions that are gone', async () => {
    const [left, gone] = [await position('Left'), await position('Gone')];
    const ad = await site.make({ name: 'Clicked', positions: [left.id] });
    const clicks = [left.id, gone.id, left.id].map(
      (place, at) =>
        `INSERT INTO hcd_ad_clicks (ad, position, clicked_on, day, visitor, referrer, ip, order_id) VALUES (${ad}, ${place}, ${1_795_253_400_123 + at * 1000}, 20261121, 'visitor${at}', 'https://example.com/${at}', '203.0.113.0', ${at === 2 ? "'A-1'" : 'NULL'})`,
    );
    // As by an import, the oldest comes last.
    await site.own(...clicks.toReversed());
    await removePosition(site.store, { id: gone.id, username });
    const { body, headers } = await site.api('GET', `/ads/${ad}/clicks?limit=2`);
    const click = (place: number, position_name: string | null, at: number, order_id: string | null) => ({
      ...{ id: expect.any(Number), position: place, position_name, clicked_at: `2026-11-21T09:30:0${at}Z` },
      ...{ referrer: `https://example.com/${at}`, ip: '203.0.113.0', order_id },
    });
    const data = [click(left.id, 'Left', 2, 'A-1'), click(gone.id, null, 1, null)];
    expect(body).toEqual({ success: true, data, total: 3 });
    const next = `</banners/api.php?route=%2Fads%2F${ad}%2Fclicks&offset=2&limit=2>; rel="next"`;
    expect(headers.get('link')).toBe(next);
    expect(await site.list(`/ads/${ad}/clicks?dir=asc&limit=1&fields=referrer`)).toEqual([
      { referrer: 'https://example.com/0' },
    ]);
    expect((await site.api('GET', '/ads/999999/clicks')).status).toBe(404);
  });

  it('every command leaves one entry in the audit log', async () => {
    const from = Number((await site.rows('SELECT MAX(id) FROM hcd_ad_audit'))[0]?.[0]);
    const { id } = await position('Audited');
    await updatePosition(site.store, { id, name: 'Audited again', username });
    const ad = await site.make({ name: 'One' });
    await linkBanner(site.store, { position: id, ad, weight: null, idx: null, username });
    await orderPosition(site.store, { position: id, ads: [ad], username });
    const copy = await duplicateBanner(site.store, { id: ad, isDisabled: false, username });
    await switchBanner(site.store, { id: ad, active: false, username });
    const again = await switchBanner(site.store, { id: ad, active: false, username });
    await switchBanner(site.store, { id: ad, active: true, username });
    await unlinkBanner(site.store, { position: id, ad, username });
    await removeBanner(site.store, { id: copy.id, username });
    await removePosition(site.store, { id, username });
    const preset = await addPreset(site.store, { name: 'P', type: 'image', tpl: '', defaults: {}, username });
    await removePreset(site.store, { id: preset.id, username });
    expect([again.wasSo, copy.name, copy.positions]).toEqual([true, 'One (copy)', [id]]);
    const rows = (await site.list('/audit?dir=asc&limit=500')).filter((row) => Number(row['id']) > from);
    expect(shown(rows, 'entity', 'entity_id', 'action', 'label', 'username')).toEqual([
      ['position', id, 'create', 'Audited', 'cli'],
      ['position', id, 'update', 'Audited again', 'cli'],
      ['ad', ad, 'create', 'One', 'rest-api'],
      ['position', id, 'link', 'Audited again', 'cli'],
      ['position', id, 'order', 'Audited again', 'cli'],
      ['ad', copy.id, 'duplicate', 'One (copy)', 'cli'],
      ['ad', ad, 'disable', 'One', 'cli'],
      ['ad', ad, 'enable', 'One', 'cli'],
      ['position', id, 'unlink', 'Audited again', 'cli'],
      ['ad', copy.id, 'delete', 'One (copy)', 'cli'],
      ['position', id, 'delete', 'Audited again', 'cli'],
      ['template', preset.id, 'create', 'P', 'cli'],
      ['template', preset.id, 'delete', 'P', 'cli'],
    ]);
    expect(rows[1]?.['payload']).toEqual({ before: { name: 'Audited' }, after: { name: 'Audited again' } });
  });

  it('the audit log filters, sorts and pages', async () => {
    const all = await site.list('/audit?limit=500');
    expect(all.map((row) => row['id'])).toEqual(all.map((row) => row['id']).toSorted((a, b) => Number(b) - Number(a)));
    const positions = await site.list('/audit?entity=position&action=delete&limit=500');
    expect(positions).toEqual(all.filter((row) => row['entity'] === 'position' && row['action'] === 'delete'));
    expect(positions.length).toBeGreaterThan(1);
    const sorted = shown(await site.list('/audit?sort=action&dir=asc&limit=500'), 'action').flat();
    expect(sorted).toEqual(sorted.toSorted());
    expect(await site.list('/audit?sort=created_at&dir=ASC&limit=1&fields=action')).toEqual([{ action: 'create' }]);
    const { headers } = await site.api('GET', '/audit?entity=ad&limit=1');
    expect(headers.get('link')).toBe('</banners/api.php?route=%2Faudit&entity=ad&offset=1&limit=1>; rel="next"');
  });

  it('templates are listed with their values', async () => {
    const defaults = { tags: ['promo'], show_hours: { days: [1], hours: [] }, html: '<b>x</b>' };
    const preset = { name: 'HTML "Promo" блок', type: 'html', tpl: 'promo' };
    const { id } = await addPreset(site.store, { ...preset, defaults, username });
    const { body } = await site.api('GET', '/templates');
    expect(body).toEqual({ success: true, data: [{ id, ...preset, defaults_data: defaults }], total: 1 });
    await expect(addPreset(site.store, { ...preset, defaults, username })).rejects.toMatchObject({ code: 'conflict' });
    const wrong = { name: '', type: 'video', tpl: 'x'.repeat(101) };
    const other = { name: 'x', positions: [1], url: 'x', size: 1 };
    const fields = {
      name: ['must be a text of 1 to 255 characters', 'is not a value of a preset'],
      ...{ type: ['must be image or html'], tpl: ['must be at most 100 characters'] },
      ...{ positions: ['is not a value of a preset'], url: [expect.any(String)], size: [expect.any(String)] },
    };
    await expect(addPreset(site.store, { ...wrong, defaults: other, username })).rejects.toMatchObject({
      ...{ code: 'validation_failed', details: { fields } },
    });
  });

  it.each<[route: string, message: RegExp]>([
    ['/positions?sort=clicks', /^sort must be one of: id, name$/],
    ['/positions?fields=x', /^fields must be a comma list of: id, name, context_key, banners, clicks, impressions$/],
    ['/positions?limit=0', /^limit must be/],
    ['/positions/1/ads?fields=x', /^fields must be a comma list of: id, .*, adposition, idx, weight$/],
    ['/ads/1/clicks?dir=x', /^dir must be one of: asc, desc$/],
    ['/ads/1/clicks?fields=visitor', /^fields must be a comma list of: id, position, .*, order_id$/],
    ['/audit?entity=user', /^entity must be one of: ad, position, template, click$/],
    ['/audit?action=destroy', /^action must be one of: create, .*, order$/],
    ['/audit?sort=payload', /^sort must be one of: id, entity, action, created_at, username$/],
    ['/audit?dir=1', /^dir must be one of: asc, desc$/],
    ['/templates?limit=x', /^limit must be/],
    ['/templates?fields=x', /^fields must be a comma list of: id, name, type, tpl, defaults_data$/],
  ])('%s is 400', async (route, message) => {
    const { status, body } = await site.api('GET', route);
    expect([status, body]).toEqual([400, { success: false, message: expect.stringMatching(message) }]);
  });
});
