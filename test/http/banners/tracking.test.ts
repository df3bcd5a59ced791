/** Clicks and pixels over HTTP: where they lead, what they record, and what they cannot be made to do. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { eventually } from '../../support/eventually.js';
import { execute } from '../../support/execute.js';
import { entry, key, startTrackingSite, type TrackingSite } from './tracking-site.js';

const gif = '47494638396101000100800000ffffff00000021f90401000000002c00000000010001000002024401003b';

const addressesToNowhere = [
  ['a scheme that runs code', 'javascript:alert(1)'],
  ['data', 'data:text/html,x'],
  ['a file', 'file:///etc/passwd'],
  ['no address', ''],
  ['a placeholder for the host', 'https://[[+host]]/'],
  ['a placeholder in the host', 'https://shop.{tld}/'],
  ['a placeholder for the scheme', '{scheme}://shop.example/'],
  ['a user and password', 'https://shop.example@evil.example/'],
  ['a resource that there is not', '[[~987654]]'],
] as const;
const target = 'https://shop.example/spring?a=1#top';
const withPlaceholders = 'https://shop.example/s/[[+p]]?q={q}';

/** What was recorded so far: an answer of the API includes every event before it. */
async function expectRecorded(site: TrackingSite, count: number, table = 'hcd_ad_clicks'): Promise<void> {
  await site.ask(`${entry}/ads?limit=1`, { headers: { 'x-api-key': key } });
  expect(await site.rows(`SELECT COUNT(*) FROM ${table}`)).toEqual([[count]]);
}

describeEachDatabase('clicks and pixels', (kind) => {
  let site: TrackingSite;
  let position = 0;
  let ad = 0;
  let link = 0;
  /** Links to banners by their address. */
  const linkTo = new Map<string, number>();

  beforeAll(async () => {
    site = await startTrackingSite(await kind.url(), {
      env: { HCD_BANNERS_TRACK_IMPRESSIONS: '1', HCD_BANNERS_API_RATE_LIMIT: '0' },
    });
    position = await site.addPosition('sidebar');
    ad = await site.addBanner({ name: 'Shop', url: target }, [{ position }]);
    link = await site.link(ad, position);
    for (const url of [...addressesToNowhere.map(([, address]) => address), withPlaceholders]) {
      linkTo.set(url, await site.link(await site.addBanner({ url }, [{ position }]), position));
    }
    await site.seen(linkTo.get(withPlaceholders) ?? 0);
  });

  beforeEach(async () => {
    await execute(
      site.store.own,
      ...['hcd_ad_clicks', 'hcd_ad_impressions', 'hcd_ad_days'].map((table) => `DELETE FROM ${table}`),
    );
  });

  const clicks = () => site.rows('SELECT ad, position, visitor, referrer, ip, order_id FROM hcd_ad_clicks ORDER BY id');
  const recorded = (count: number, table?: string) => expectRecorded(site, count, table);

  test('a click redirects to the stored address, sets the cookie and records visitor, referrer and a cut address', async () => {
    const answer = await site.ask(`/bannerclick/${link}`, {
      from: '203.0.113.77',
      headers: { referer: 'https://news.example/page?x=1' },
    });
    expect([answer.status, answer.text]).toEqual([302, '']);
    expect(answer.headers).toMatchObject({ location: target, 'cache-control': 'no-store' });
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^banners_click_id=\d{8}\.\d+\.\d+\.[0-9a-f]{16}\.[0-9a-f]{32}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/,
      ),
    ]);
    await eventually(async () => expect(await clicks()).toHaveLength(1));
    expect(await clicks()).toEqual([
      [ad, position, expect.stringMatching(/^[0-9a-f]{16}$/), 'https://news.example/page?x=1', '203.0.113.0', null],
    ]);
    expect(await site.rows('SELECT ad, position, clicks, impressions, conversions FROM hcd_ad_days')).toEqual([
      [ad, position, 1, 0, 0],
    ]);
  });

  test('counts each visitor once, also with forged addresses', async () => {
    for (const from of ['198.51.100.1', '198.51.100.1', '10.9.9.9, 198.51.100.1', '198.51.100.2']) {
      expect((await site.ask(`/bannerclick/${link}`, { from })).status).toBe(302);
    }
    // One network of IPv6 is one visitor.
    for (const from of ['2001:db8:1:2::7', '2001:db8:1:2:ffff::8', '2001:db8:1:3::7']) {
      expect((await site.ask(`/bannerclick/${link}`, { from })).status).toBe(302);
    }
    await recorded(4);
    const addresses = (await clicks()).map((row) => row[4]);
    expect(addresses.sort()).toEqual(['198.51.100.0', '198.51.100.0', '2001:db8:1::', '2001:db8:1::']);
  });

  test('records one row of many clicks of a visitor at once', async () => {
    const flood = Array.from({ length: 40 }, () => site.ask(`/bannerclick/${link}`, { from: '192.0.2.50' }));
    expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([302]));
    await recorded(1);
    expect(await site.rows('SELECT clicks FROM hcd_ad_days')).toEqual([[1]]);
  });

  test('a pixel is a GIF of 43 bytes that no cache keeps, and records one impression', async () => {
    for (let shown = 0; shown < 2; shown += 1) {
      const answer = await site.ask(`/bannerimpression/${link}`, {
        from: '192.0.2.7',
        headers: { accept: 'image/avif,image/webp' },
      });
      const { etag, 'set-cookie': cookie, ...headers } = answer.headers;
      expect([answer.status, answer.bytes.toString('hex'), etag, cookie]).toEqual([200, gif, undefined, undefined]);
      const expected = { 'content-type': 'image/gif', 'cache-control': 'no-store', 'content-length': '43' };
      expect(headers).toMatchObject(expected);
    }
    await recorded(1, 'hcd_ad_impressions');
    expect(await site.rows('SELECT ad, position, ip FROM hcd_ad_impressions')).toEqual([[ad, position, '192.0.2.0']]);
    expect(await site.rows('SELECT clicks, impressions FROM hcd_ad_days')).toEqual([[0, 1]]);
  });

  /** A visitor counts once: each case has its own. */
  let visitors = 0;
  const newVisitor = () => {
    visitors += 1;
    return `203.0.${visitors}.7`;
  };
  const ahead: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['Chrome prefetches', { 'sec-purpose': 'prefetch' }],
    ['Chrome prefetches through its proxy', { 'sec-purpose': 'prefetch;anonymous-client-ip' }],
    ['Chrome prerenders', { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-dest': 'document' }],
    ['Chrome previews a link', { 'sec-purpose': 'prefetch;prerender;preview' }],
    ['Firefox prefetches', { 'sec-purpose': 'prefetch', 'sec-fetch-dest': 'empty' }],
    ['a proxy writes it otherwise', { 'sec-purpose': ' Prefetch ; prerender ' }],
    ['older versions of Chrome prefetch', { purpose: 'prefetch' }],
    ['Safari shows its top sites', { 'x-purpose': 'preview' }],
    ['an app loads ahead', { 'x-purpose': 'instant', 'x-fb-http-engine': 'Liger' }],
    ['older versions of Firefox prefetch', { 'x-moz': 'prefetch' }],
    ['Turbo prefetches', { 'x-sec-purpose': 'prefetch' }],
    ['Next.js prefetches', { 'next-router-prefetch': '1', rsc: '1' }],
    ['middleware of Next.js prefetches', { 'x-middleware-prefetch': '1' }],
    ['htmx preloads', { 'hx-preloaded': 'true' }],
  ];

  test.each(ahead)('are answered and not recorded when %s', async (_name, headers) => {
    const browser = newVisitor();
    const click = await site.ask(`/bannerclick/${link}`, { headers, from: browser });
    expect([click.status, click.headers['set-cookie']]).toEqual([302, undefined]);
    expect(click.headers).toMatchObject({ location: target, 'cache-control': 'no-store' });
    const pixel = await site.ask(`/bannerimpression/${link}`, { headers, from: browser });
    expect([pixel.status, pixel.bytes.toString('hex')]).toEqual([200, gif]);
    await recorded(0);
    await recorded(0, 'hcd_ad_impressions');
  });

  test.each(['image', 'script', 'style', 'font', 'video', 'manifest'])(
    'a click that a page loads as %s is none, a pixel is seen',
    async (dest) => {
      const headers = { 'sec-fetch-dest': dest, 'sec-fetch-mode': 'no-cors' };
      const click = await site.ask(`/bannerclick/${link}`, { headers, from: newVisitor() });
      expect([click.status, click.headers['set-cookie']]).toEqual([302, undefined]);
      await site.ask(`/bannerimpression/${link}`, { headers, from: newVisitor() });
      await recorded(1, 'hcd_ad_impressions');
      await recorded(0);
    },
  );

  test.each([
    ['a navigation', { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-user': '?1' }],
    ['a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }],
    ['a script of the page', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }],
    ['empty headers of a proxy', { 'sec-purpose': '', purpose: '', 'x-moz': '' }],
    ['a link of Next.js that is followed', { 'next-router-prefetch': '0' }],
  ])('a click by %s is recorded', async (_name, headers) => {
    const click = await site.ask(`/bannerclick/${link}`, { headers, from: newVisitor() });
    expect([click.status, typeof click.headers['set-cookie']]).toEqual([302, 'object']);
    await recorded(1);
  });

  test('slots are shown to a browser that loads ahead, and record nothing', async () => {
    const before = await site.ask('/slots/sidebar?rotation=idx&fields=id');
    const { status, text } = await site.ask('/slots/sidebar?rotation=idx&fields=id', {
      headers: { 'sec-purpose': 'prefetch;prerender' },
    });
    expect([status, text]).toEqual([200, before.text]);
    await recorded(0, 'hcd_ad_impressions');
  });

  test('does not record HEAD requests', async () => {
    const click = await site.ask(`/bannerclick/${link}`, { method: 'HEAD' });
    expect([click.status, click.headers['location'], click.headers['set-cookie']]).toEqual([302, target, undefined]);
    const pixel = await site.ask(`/bannerimpression/${link}`, { method: 'HEAD' });
    expect([pixel.status, pixel.headers['content-length'], pixel.bytes.length]).toEqual([200, '43', 0]);
    await recorded(0);
    await recorded(0, 'hcd_ad_impressions');
  });

  test.each(['999999', '0', '-1', '1e3', '00001', '4294967296', 'x', '', '1/2', '%31%30%30'])(
    'there is nothing at the link %j',
    async (id) => {
      for (const segment of ['bannerclick', 'bannerimpression']) {
        const answer = await site.ask(`/${segment}/${id}`);
        expect(answer.status).toBe(404);
        expect(JSON.parse(answer.text)).toMatchObject({ status: 404, code: 'not_found' });
      }
    },
  );

  test.each(addressesToNowhere)('an address with %s leads nowhere', async (_name, url) => {
    const at = linkTo.get(url);
    expect((await site.ask(`/bannerimpression/${at}`, { method: 'HEAD' })).status).toBe(200);
    const answer = await site.ask(`/bannerclick/${at}?host=evil.example&tld=evil&scheme=https`);
    const { location, 'set-cookie': cookie } = answer.headers;
    expect([answer.status, location, cookie]).toEqual([404, undefined, undefined]);
  });

  test.each([
    ['a value', '?q=shoes', 'https://shop.example/s/?q=shoes'],
    ['a value that would be more', '?q=a%26b%3Dc%23d', 'https://shop.example/s/?q=a%26b%3Dc%23d'],
    ['a line break', '?q=a%0D%0ASet-Cookie:%20x=1', 'https://shop.example/s/?q=a%0D%0ASet-Cookie%3A%20x%3D1'],
    ['another host', '?p=//evil.example/', 'https://shop.example/s/%2F%2Fevil.example%2F?q='],
    ['a folder above', '?p=..', 'https://shop.example/s/?q='],
    ['an encoded folder above', '?p=%2e%2e%2f', 'https://shop.example/s/..%2F?q='],
    ['the last of several values', '?q=1&q=2', 'https://shop.example/s/?q=2'],
    ['nothing', '', 'https://shop.example/s/?q='],
    ['a name of every object', '?__proto__=x', 'https://shop.example/s/?q='],
  ])('a placeholder takes %s', async (_name, query, location) => {
    const answer = await site.ask(`/bannerclick/${linkTo.get(withPlaceholders)}${query}`);
    expect([answer.status, answer.headers['location']]).toEqual([302, location]);
    expect(Object.keys(answer.headers)).not.toContain('x');
  });

  test('keeps every answered event when it is stopped', async () => {
    const other = await startTrackingSite(await kind.url(), { env: { HCD_BANNERS_TRACK_IMPRESSIONS: '1' } });
    const there = await other.addPosition('footer');
    const banner = await other.addBanner({}, [{ position: there }]);
    const at = await other.link(banner, there);
    await other.seen(at);
    const visitors = Array.from({ length: 150 }, (_, n) => `10.1.0.${n}`);
    await Promise.all(
      visitors.flatMap((from) => [
        other.ask(`/bannerclick/${at}`, { from }),
        other.ask(`/bannerimpression/${at}`, { from }),
      ]),
    );
    let after: unknown;
    const { own } = other.store;
    Object.assign(other.store, {
      close: ((close) => async () => {
        after = await own.primary.select({ sql: 'SELECT clicks, impressions FROM hcd_ad_days', params: [] });
        await close();
      })(other.store.close.bind(other.store)),
    });
    await other.close();
    expect(after).toEqual([[150, 150]]);
  });
});

describe('settings of tracking', () => {
  const started = async (env: Record<string, string>) => {
    const site = await startTrackingSite(await freshSqliteUrl(), { env });
    const position = await site.addPosition('top');
    const ad = await site.addBanner({ url: 'https://shop.example/?utm_medium=mine' }, [{ position }]);
    const link = await site.link(ad, position);
    return { site, position, ad, link };
  };

  test('work while the API is off, below the segments of the settings', async () => {
    const env = { HCD_BANNERS_API_ENABLED: '0', HCD_BANNERS_CLICK: 'go', HCD_BANNERS_IMPRESSION: 'seen' };
    const { site, link } = await started(env);
    await eventually(async () => expect((await site.ask(`/go/${link}`)).status).toBe(302));
    expect((await site.ask(`/seen/${link}`)).status).toBe(200);
    expect((await site.ask(`/bannerclick/${link}`)).status).toBe(404);
    await eventually(() => expectRecorded(site, 1));
    // Impressions are recorded only where the setting says so.
    await expectRecorded(site, 0, 'hcd_ad_impressions');
  });

  test('bots and callers without a name are redirected and not recorded', async () => {
    const { site, link } = await started({ HCD_BANNERS_FILTER_BOTS: '1' });
    await site.seen(link);
    const google = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
    for (const agent of [google, 'curl/8.5.0', '']) {
      const answer = await site.ask(`/bannerclick/${link}`, { headers: { 'user-agent': agent }, from: '192.0.2.1' });
      expect([answer.status, answer.headers['set-cookie']]).toEqual([302, undefined]);
    }
    await site.ask(`/bannerclick/${link}`, { from: '198.51.100.9' });
    await expectRecorded(site, 1);
    expect(await site.rows('SELECT ip FROM hcd_ad_clicks')).toEqual([['198.51.100.0']]);
  });

  test('adds utm parameters without replacing existing ones', async () => {
    const { site, link, ad } = await started({
      HCD_BANNERS_UTM_ENABLED: '1',
      HCD_BANNERS_UTM_SOURCE: 'my site',
      HCD_BANNERS_UTM_CONTENT: '{ad_id}-{adposition}-{order_id}-{unknown}',
    });
    await site.seen(link);
    const { headers } = await site.ask(`/bannerclick/${link}`);
    expect(headers['location']).toBe(
      `https://shop.example/?utm_medium=mine&utm_source=my%20site&utm_content=${ad}-${link}-0-%7Bunknown%7D`,
    );
  });

  test('stores whole addresses if the setting is on, and answers a durable click after its commit', async () => {
    const { site, link } = await started({ HCD_BANNERS_STORE_FULL_IP: '1', HCD_BANNERS_TRACKING_DURABLE: '1' });
    await site.seen(link);
    for (const from of ['203.0.113.9', '2001:db8::9']) {
      expect((await site.ask(`/bannerclick/${link}`, { from })).status).toBe(302);
    }
    expect(await site.rows('SELECT ip FROM hcd_ad_clicks ORDER BY id')).toEqual([['203.0.113.9'], ['2001:db8::9']]);
  });

  test('links to resources follow the addresses of the content', async () => {
    const { site, position } = await started({});
    await site.change([
      "INSERT INTO modx_site_content (id, pagetitle, alias, uri, context_key, published, description, introtext, content) VALUES (50, 'Sale', 'sale', 'shop/sale/', 'web', 1, '', '', '')",
      "INSERT INTO modx_system_settings (`key`, `value`, xtype, namespace, area) VALUES ('site_url', 'https://site.example/', 'textfield', 'core', '')",
    ]);
    const ad = await site.addBanner({ url: '[[~50? &from=`banner`]]#now' }, [{ position }]);
    const link = await site.link(ad, position);
    await eventually(async () => {
      const { headers } = await site.ask(`/bannerclick/${link}`);
      expect(headers['location']).toBe('https://site.example/shop/sale/?from=banner#now');
    });
  });
});
