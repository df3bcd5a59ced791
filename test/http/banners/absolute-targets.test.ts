/** Clicks, pixels and slots at a target with the address of the server: the same bytes and log lines. */
import { beforeAll, describe, expect, test } from 'vitest';
import { freshSqliteUrl } from '../../support/databases.js';
import { rawGet, sendRaw } from '../../support/raw-socket.js';
import { startTrackingSite, type TrackingSite } from './tracking-site.js';

const id = 'X-Request-ID: request-0001';
const browser = 'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

/** As clients send it to proxies. */
const absolute = (bytes: string) => bytes.replace(/^(\w+) \//, '$1 http://localhost/');

/** The bytes without the time. */
const bytesOf = (text: string) => text.replace(/\r\nDate: [^\r]*/, '\r\nDate: now');

describe('a target with the address of the server', () => {
  let site: TrackingSite;

  beforeAll(async () => {
    site = await startTrackingSite(await freshSqliteUrl(), {
      env: { HCD_BANNERS_TRACK_IMPRESSIONS: '1', HCD_BANNERS_API_CORS_ALLOWED_ORIGINS: 'https://a.example' },
    });
    const position = await site.addPosition('sidebar');
    await site.addBanner({ name: 'Shop', url: 'https://shop.example/s?q={q}' }, [{ position }]);
    const nowhere = await site.addBanner({ name: 'Nowhere', url: 'javascript:alert(1)' }, [{ position }]);
    await site.seen(await site.link(nowhere, position));
  });

  test.each<[name: string, path: string, status: number, lines?: readonly string[], method?: string]>([
    ['a click', '/bannerclick/1', 302],
    ['a click of a named visitor', '/bannerclick/1', 302, ['X-Forwarded-For: 192.0.2.9', browser]],
    ['a click through TLS', '/bannerclick/1', 302, ['X-Forwarded-Proto: https', browser]],
    ['a click with a value', '/bannerclick/1?q=a%20b&utm_source=x', 302, [browser, 'Referer: https://n.example/']],
    ['a click with its cookie', '/bannerclick/1', 302, ['Cookie: banners_click_id=1', browser]],
    ['a click of a bot', '/bannerclick/1', 302, ['User-Agent: Googlebot/2.1']],
    ['a click with a credential', '/bannerclick/1', 302, ['Authorization: Bearer wrong', browser]],
    ['a click with an expectation', '/bannerclick/1', 417, ['Expect: everything', 'Connection: close']],
    ['a click with an empty body', '/bannerclick/1', 302, ['Content-Length: 0', browser]],
    ['the last click of a connection', '/bannerclick/1', 302, ['Connection: close', browser]],
    ['a look at a click', '/bannerclick/1', 302, [], 'HEAD'],
    ['a click that leads nowhere', '/bannerclick/2', 404],
    ['a click of an unknown link', '/bannerclick/987', 404],
    ['a click without a number', '/bannerclick/first', 404],
    ['a click with a path behind it', '/bannerclick/1/2', 404],
    ['a click that is sent', '/bannerclick/1', 405, [], 'DELETE'],
    ['a click with two hosts', '/bannerclick/1', 400, ['Host: other', 'Connection: close']],
    ['a pixel', '/bannerimpression/1', 200],
    ['a pixel as an image', '/bannerimpression/1', 200, ['Accept: image/avif', browser]],
    ['a pixel with a tag', '/bannerimpression/1', 200, ['If-None-Match: *', browser]],
    ['a look at a pixel', '/bannerimpression/1', 200, [], 'HEAD'],
    ['a pixel of an unknown link', '/bannerimpression/987', 404],
    ['slots', '/slots/sidebar?rotation=idx', 200],
    ['slots of another origin', '/slots/sidebar?rotation=idx', 200, ['Origin: https://a.example']],
    ['slots that remember', '/slots/sidebar?rotation=ab', 200, ['Cookie: banners_ab_1=1']],
    ['slots as an image', '/slots/sidebar?rotation=idx', 406, ['Accept: image/png']],
    ['a look at slots', '/slots/sidebar?rotation=idx', 200, [], 'HEAD'],
    ['slots of an unknown place', '/slots/nothing', 404],
    ['slots with a wrong value', '/slots/sidebar?limit=x', 400],
  ])('answers %s like a plain target', async (_name, path, status, lines = [], method = 'GET') => {
    const bytes = rawGet(path, [id, ...lines]).replace('GET', method);
    const { port } = new URL(site.url);
    const before = site.log.length;
    const ask = (sent: string) => sendRaw({ port: Number(port), bytes: sent, head: method === 'HEAD' });
    const first = await ask(bytes);
    const second = await ask(absolute(bytes));
    expect([first.status, bytesOf(first.text)]).toEqual([status, bytesOf(second.text)]);
    const isFinished = ({ kind }: { readonly kind: string }) => kind === 'request_finished';
    const [one, other, ...rest] = site.log.slice(before).filter(isFinished);
    expect(rest).toEqual([]);
    expect({ ...one, durationMs: 0 }).toEqual({ ...other, durationMs: 0 });
  });

  test('answers no slots while the interface is turned off', async () => {
    const off = await startTrackingSite(await freshSqliteUrl(), { env: { HCD_BANNERS_API_ENABLED: '0' } });
    expect((await off.ask('/slots/sidebar')).status).toBe(503);
  });
});
