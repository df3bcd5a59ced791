/** Imports next to live events: which rows are one visitor, how addresses are stored, which banners may be named. */
import { beforeAll, describe, expect, test } from 'vitest';
import { removeBanner } from '../../../src/banners/management/update-banner.js';
import { type ImportedEvent, openEventImport } from '../../../src/banners/tracking/import-events.js';
import { systemClock } from '../../../src/clock/clock.js';
import { startTrackingSite, type TrackingSite } from '../../http/banners/tracking-site.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { eventually } from '../../support/eventually.js';

const secret = 'a secret that server and import share, long enough';

describeEachDatabase('an import next to live events', (kind) => {
  let site: TrackingSite;
  let event: ImportedEvent;

  beforeAll(async () => {
    site = await startTrackingSite(await kind.url(), { secret });
    const position = await site.addPosition('sidebar');
    const ad = await site.addBanner({}, [{ position }]);
    const link = await site.link(ad, position);
    await site.seen(link);
    for (const from of ['203.0.113.77', '2001:db8:1:2::7']) await site.ask(`/bannerclick/${link}`, { from });
    await eventually(async () => expect(await site.rows('SELECT COUNT(*) FROM hcd_ad_clicks')).toEqual([[2]]));
    const [[at] = []] = await site.rows('SELECT MAX(clicked_on) FROM hcd_ad_clicks');
    event = { id: null, ad, position, at: Number(at), referrer: '', ip: '', orderId: null };
  });

  test.each([
    ['the address of the click', '203.0.113.77', 'known'],
    ['another address of that network', '203.0.113.78', 'added'],
    ['another address of the same IPv6 host', '2001:db8:1:2::8', 'known'],
    ['a truncated address, which says nothing of who it was', '203.0.113.0', 'added'],
    ['no address', '', 'added'],
  ] as const)('a row with %s is %s', async (_name, ip, outcome) => {
    const into = await openEventImport(site.store, { kind: 'clicks', env: {}, secret });
    const nothing = { added: 0, known: 0, taken: 0 };
    expect(await into.preview([{ ...event, ip }])).toEqual({ ...nothing, [outcome]: 1 });
    expect(await into.preview([{ ...event, ip }])).toEqual({ ...nothing, known: 1 });
  });

  test('recognises the rows of its own export, and refuses an id of another event', async () => {
    const [[id, at] = []] = await site.rows('SELECT id, clicked_on FROM hcd_ad_clicks ORDER BY id DESC LIMIT 1');
    const exported = { ...event, id: Number(id), at: Math.floor(Number(at) / 1000) * 1000, ip: '203.0.113.0' };
    const other = { ...exported, at: exported.at - 60_000 };
    const into = await openEventImport(site.store, { kind: 'clicks', env: {}, secret });
    const counts = { added: 0, known: 1, taken: 1 };
    expect(await into.preview([exported, other])).toEqual(counts);
    expect(await into.write([exported, other])).toEqual(counts);
    expect(await into.write([])).toEqual({ added: 0, known: 0, taken: 0 });
    expect(await site.rows('SELECT COUNT(*) FROM hcd_ad_clicks')).toEqual([[2]]);
    expect(await site.rows('SELECT SUM(clicks) FROM hcd_ad_days')).toEqual([[2]]);
  });

  test('accepts removed banners and positions and reports unknown ones', async () => {
    const gone = await site.addBanner({ name: 'Gone' });
    await removeBanner(site.store, { id: gone, username: 'cli' });
    const into = await openEventImport(site.store, { kind: 'clicks', env: {}, secret });
    expect([...(await into.unknown('ad', [event.ad, gone, 999]))]).toEqual([999]);
    expect([...(await into.unknown('position', [event.position, 999]))]).toEqual([999]);
  });
});

describe('what an import keeps of an address', () => {
  test.each([
    ['its network', {}, ['192.0.2.0', '2001:db8:1::', '']],
    ['all of it, where the setting says so', { HCD_BANNERS_STORE_FULL_IP: '1' }, ['192.0.2.9', '2001:db8:1:2::9', '']],
  ])('is %s', async (_name, env, kept) => {
    const site = await startTrackingSite(await freshSqliteUrl(), { env });
    const into = await openEventImport(site.store, { kind: 'impressions', env, secret: null });
    const row = { id: null, ad: 1, position: 1, at: systemClock.now(), referrer: '', orderId: null };
    const events = ['192.0.2.9', '2001:db8:1:2::9', ''].map((ip) => ({ ...row, ip }));
    expect(await into.write(events)).toEqual({ added: 3, known: 0, taken: 0 });
    const rows = await site.rows('SELECT ip FROM hcd_ad_impressions');
    expect(rows.map(([ip]) => ip).sort()).toEqual([...kept].sort());
    expect(await site.rows('SELECT SUM(impressions) FROM hcd_ad_days')).toEqual([[3]]);
  });
});
