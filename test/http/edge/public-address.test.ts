/** The addresses that answers name: settings, trusted proxies and the site decide, never the Host header. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { forwardedHost, forwardedScheme } from '../../../src/http/interface/request-headers.js';
import { freshSqliteUrl } from '../../support/databases.js';
import { sendRaw } from '../../support/raw-socket.js';
import { type At, key, startTrackingSite, type TrackingSite } from '../banners/tracking-site.js';

const metadataPath = '/.well-known/oauth-authorization-server';
const evil = 'evil.example';
const siteUrl = [
  "DELETE FROM modx_system_settings WHERE `key` = 'site_url'",
  "INSERT INTO modx_system_settings (`key`, value) VALUES ('site_url', 'https://www.shop.example/')",
];

interface Served extends TrackingSite {
  readonly link1: number;
}

async function serve(env: Readonly<Record<string, string>> = {}): Promise<Served> {
  const site = await startTrackingSite(await freshSqliteUrl(), {
    env: {
      ...{ HCD_GATEWAY_OAUTH_ENABLED: '1', HCD_PAGES_REST_API_ENABLED: '1', HCD_GATEWAY_CACHE_ENABLED: '1' },
      ...{ HCD_GATEWAY_TRUSTED_PROXIES: '', ...env },
    },
  });
  const at: At = { position: await site.addPosition('side') };
  const ad = await site.addBanner({ url: 'landing.html', image: '' }, [at]);
  const link1 = await site.link(ad, at.position);
  await site.seen(link1);
  return { ...site, link1 };
}

/** The addresses in the answers that name one. */
async function addressesOf(site: Served, headers: Readonly<Record<string, string>> = {}) {
  const read = async (path: string) => JSON.parse((await site.ask(path, { headers })).text);
  const [row] = (await read('/slots/side')).data;
  const { issuer, token_endpoint: tokenEndpoint } = await read(metadataPath);
  const click = await site.ask(`/bannerclick/${site.link1}`, { headers });
  return {
    click: row.click_url,
    pixel: row.impression_url,
    issuer,
    tokenEndpoint,
    landing: click.headers['location'],
    servers: {
      gateway: (await read('/api/v1/meta/openapi.json')).servers[0].url,
      pages: (await read('/pages/api/v1.php/openapi.json')).servers[0].url,
    },
  };
}

function expected(link: number, address: string, landing = `${address}/landing.html`) {
  return {
    click: `${address}/bannerclick/${link}`,
    pixel: `${address}/bannerimpression/${link}`,
    issuer: address,
    tokenEndpoint: `${address}/api/v1/auth/token`,
    landing,
    servers: { gateway: '/api/v1', pages: '/pages/api/v1.php' },
  };
}

describe('without settings and proxies', () => {
  let site: Served;

  beforeAll(async () => {
    site = await serve();
  });

  test('answers name the listening address, whatever Host says', async () => {
    expect(await addressesOf(site)).toEqual(expected(site.link1, site.url));
    expect(await addressesOf(site, { host: evil })).toEqual(expected(site.link1, site.url));
  });

  test('a peer that is not trusted is not believed', async () => {
    const headers = { 'x-forwarded-host': evil, 'x-forwarded-proto': 'https' };
    expect(await addressesOf(site, headers)).toEqual(expected(site.link1, site.url));
  });

  test('a request of HTTP/1.0 without Host gets the same address', async () => {
    const port = Number(new URL(site.url).port);
    const { status, body } = await sendRaw({ port, bytes: `GET ${metadataPath} HTTP/1.0\r\n\r\n` });
    expect([status, JSON.parse(body).issuer]).toEqual([200, site.url]);
  });

  test('no answer contains a host that the client made up', async () => {
    const gateway =
      'docs health schema meta/endpoints meta/openapi meta/openapi.json resources?limit=1 chunks problems';
    const paths = [
      ...[metadataPath, '/slots/side', `/bannerclick/${site.link1}`, '/', '/nowhere', '/api.php', '/api/v1'],
      ...['', '?route=/slots/side', '?route=/ads&limit=1'].map((query) => `/banners/api.php${query}`),
      ...gateway.split(' ').map((path) => `/api/v1/${path}`),
      ...['pages/nothing-here', 'problems/not-found', 'resources?fields=nothing'].map((path) => `/api/v1/${path}`),
      ...['/pages/api/v1.php', '/pages/api/v1.php/openapi.json', '/pages/api.php'],
    ];
    const label = fc.stringMatching(/^[a-z0-9]{12,20}$/);
    const ends = ['.example', '.example:8443', '@shop.example', '.example, shop.example'];
    const host = fc.oneof(
      ...ends.map((end) => label.map((text) => `${text}${end}`)),
      label.map((text) => `shop.example/${text}`),
    );
    const from = fc.constantFrom(['host'], ['x-forwarded-host', 'x-forwarded-proto'], ['forwarded', 'x-original-host']);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), host, from, async (path, text, names) => {
        const headers = Object.fromEntries(names.map((name) => [name, name.endsWith('proto') ? 'https' : text]));
        const answer = await site.ask(path, {
          headers: { 'x-api-key': path.startsWith('/banners') ? key : '', ...headers },
        });
        const made = /[a-z0-9]{12,20}/.exec(text)?.[0] ?? text;
        expect(answer.status).toBeLessThan(500);
        expect(`${JSON.stringify(answer.headers)}${answer.text}`).not.toContain(made);
      }),
      { numRuns: 300 },
    );
  });

  test('an absolute target changes nothing', async () => {
    const bytes = `GET http://${evil}${metadataPath} HTTP/1.1\r\nHost: ${evil}\r\n\r\n`;
    const answer = await sendRaw({ port: Number(new URL(site.url).port), bytes });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain(evil);
  });
});

test('the site of the context decides before the listener, where it is a whole address', async () => {
  const site = await serve();
  await site.change(siteUrl);
  expect(await addressesOf(site, { host: evil })).toEqual(expected(site.link1, 'https://www.shop.example'));
  const unusable = ['/', '//evil.example/', 'https://a@b.example/', 'https://a.example/?x', 'javascript:alert(1)'];
  for (const text of [...unusable, 'https://a b/']) {
    await site.change([`UPDATE modx_system_settings SET value = '${text}' WHERE \`key\` = 'site_url'`]);
    expect([text, await addressesOf(site)]).toEqual([text, expected(site.link1, site.url)]);
  }
});

test('a trusted proxy decides before the site, by what stands right-most', async () => {
  const site = await serve({ HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1' });
  await site.change(siteUrl);
  const landing = 'https://www.shop.example/landing.html';
  const headers = { 'x-forwarded-host': `${evil}, api.shop.example:8443`, 'x-forwarded-proto': 'http, https' };
  expect(await addressesOf(site, headers)).toEqual(expected(site.link1, 'https://api.shop.example:8443', landing));
  // The next client comes through another name: nothing that was made for the first is given to it.
  const other = { 'x-forwarded-host': 'www.other.example' };
  expect(await addressesOf(site, other)).toEqual(expected(site.link1, 'http://www.other.example', landing));
  // A proxy that does not name the host does not speak for it.
  expect(await addressesOf(site, { host: evil, 'x-forwarded-proto': 'https' })).toEqual(
    expected(site.link1, 'https://www.shop.example', landing),
  );
});

test('the settings decide before everything else, with the path that a proxy puts in front', async () => {
  const site = await serve({
    HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1',
    HCD_GATEWAY_PUBLIC_URL: 'https://api.example/cms/',
    HCD_PAGES_PUBLIC_URL: 'https://pages.example',
    HCD_BANNERS_PUBLIC_URL: 'https://ads.example',
  });
  expect(await addressesOf(site, { host: evil, 'x-forwarded-host': evil })).toEqual({
    click: `https://ads.example/bannerclick/${site.link1}`,
    pixel: `https://ads.example/bannerimpression/${site.link1}`,
    issuer: 'https://api.example/cms',
    tokenEndpoint: 'https://api.example/cms/api/v1/auth/token',
    landing: 'https://ads.example/landing.html',
    servers: { gateway: 'https://api.example/cms/api/v1', pages: 'https://pages.example/pages/api/v1.php' },
  });
  const docs = await site.ask('/api/v1/docs', { headers: { accept: 'text/html' } });
  expect(docs.text).not.toContain('api.example');
  const creating = { method: 'POST', headers: { 'x-api-key': key }, body: { name: 'New' } };
  const created = await site.ask('/banners/api.php/ads', creating);
  expect(created.headers['location']).toMatch(/^https:\/\/ads\.example\/banners\/api\.php\?route=\/ads\/\d+$/);
});

describe('what a trusted proxy says of the host', () => {
  test.each<[header: string, host: string]>([
    ['shop.example', 'shop.example'],
    ['Shop.Example', 'shop.example'],
    ['shop.example:8443', 'shop.example:8443'],
    ['shop.example:80', 'shop.example:80'],
    ['192.0.2.1:81', '192.0.2.1:81'],
    ['[2001:db8::1]:81', '[2001:db8::1]:81'],
    ['a.example, b.example', 'b.example'],
  ])('%j is %j', (header, host) => {
    expect(forwardedHost(header)).toBe(host);
  });

  test.each([
    ...[undefined, '', 'a.example,', 'a@b.example', 'b.example/path', 'b.example?x', 'b.example#x', 'b.example\\x'],
    ...['b.example x', 'b.\texample', 'b.example\u0001', 'b.example:70000', 'b.example:', 'b.example:http'],
    ...['b.example:1:2', 'http://b.example', '2130706433', '127.1', 'b%2eexample', 'bücher.example', '"b.example"'],
  ])('%j is no host', (header) => {
    expect(forwardedHost(header)).toBeNull();
  });

  test('whatever it says, the host is a plain one or ignored', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const host = forwardedHost(text);
        if (host === null) return;
        const { username, password, pathname, search, hash } = new URL(`https://${host}`);
        expect([username, password, pathname, search, hash]).toEqual(['', '', '/', '', '']);
        expect(host).not.toMatch(/[,\s]/);
      }),
    );
  });

  test.each<[header: string | undefined, scheme: string | null]>([
    [undefined, null],
    ['https', 'https'],
    ['HTTPS', 'https'],
    ['https, http', 'http'],
    ['http,https ', 'https'],
    ['ftp', null],
    ['https,', null],
    ['https://', null],
  ])('the scheme in %j is %j', (header, scheme) => {
    expect(forwardedScheme(header)).toBe(scheme);
  });
});
