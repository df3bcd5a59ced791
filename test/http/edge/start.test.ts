/** The root of the server: a page for browsers, an index for programs, an icon. */
import { beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser } from '../../support/browser.js';
import { freshSqliteUrl } from '../../support/databases.js';
import { startTestSite, type TestSite } from '../../support/site.js';

const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' } };

interface ReferenceCase {
  readonly apis?: readonly ('pages' | 'banners')[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Status of an answer whose body is read to its end. */
async function statusOf(address: string, init?: RequestInit): Promise<number> {
  const answer = await fetch(address, init);
  await answer.arrayBuffer();
  return answer.status;
}

describe('the root of the server', () => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startTestSite({
      databaseUrl: await freshSqliteUrl(),
      env: { HCD_PAGES_REST_API_ENABLED: '1', HCD_GATEWAY_API_PREFIX: '/content' },
    });
  });

  test('tells programs where the interfaces are', async () => {
    const answer = await fetch(`${site.url}/`);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('vary')).toBe('Accept');
    const gateway = '/content/v1';
    const pages = '/pages/api/v1.php';
    const banners = '/banners/api.php';
    const summary = expect.any(String);
    expect(await answer.json()).toEqual({
      data: {
        name: 'hcd',
        version: '0.0.0-test',
        interfaces: [
          {
            ...{ name: 'gateway', title: 'Content gateway', enabled: true, address: gateway, summary },
            links: {
              ...{ discovery: gateway, docs: `${gateway}/docs`, health: `${gateway}/health` },
              ...{ endpoints: `${gateway}/meta/endpoints`, openapi: `${gateway}/meta/openapi.json` },
              resources: `${gateway}/resources`,
            },
          },
          {
            ...{ name: 'pages', title: 'Page delivery', enabled: true, address: pages, summary },
            links: {
              ...{ routes: pages, openapi: `${pages}/openapi.json`, pages: `${pages}/pages` },
              docs: `${gateway}/docs#api-pages`,
            },
          },
          {
            ...{ name: 'banners', title: 'Banners', enabled: false, address: banners, summary },
            links: { discovery: banners, openapi: `${banners}/openapi.json`, banners: `${banners}/ads` },
          },
        ],
      },
      meta: {},
    });
  });

  test('shows browsers a page that loads nothing and names every interface', async () => {
    const answer = await fetch(`${site.url}/`, asBrowser);
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src 'self'; base-uri 'none'; /,
    );
    expect(text).toContain('<a class="go" href="/content/v1/docs">API reference</a>');
    expect(text).toContain('Banners <span class="chip">off</span>');
    expect(text).toContain('<code>hcd setting set banners_api_enabled 1</code>');
    expect([...text.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, to]) => to?.[0])).toEqual(
      expect.arrayContaining(['/']),
    );
    expect(text).not.toMatch(/(?:href|src)="(?!\/[a-z"])/);
    expect(text).not.toContain('<script');
  });

  test('links people to pages alone, and to the part of the reference that is about the interface', async () => {
    const text = await (await fetch(`${site.url}/`, asBrowser)).text();
    const links = [...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, to]) => to ?? '');
    expect(links).toEqual(['/', '/content/v1/docs', '/content/v1/docs', '/content/v1/docs#api-pages']);
    for (const link of links) {
      const answer = await fetch(`${site.url}${link}`, asBrowser);
      const [page, part] = [await answer.text(), link.split('#')[1]];
      expect([answer.status, answer.headers.get('content-type')], link).toEqual([200, 'text/html; charset=utf-8']);
      if (part !== undefined) expect(page).toContain(` id="${part}"`);
    }
  });

  test('gives programs links that lead somewhere', async () => {
    const { data } = (await (await fetch(`${site.url}/`)).json()) as {
      data: { interfaces: { enabled: boolean; links: Record<string, string> }[] };
    };
    for (const { enabled, links } of data.interfaces) {
      for (const link of Object.values(links)) {
        const status = await statusOf(`${site.url}${link}`);
        expect([link, enabled ? [200, 401] : [503]]).toEqual([link, expect.arrayContaining([status])]);
      }
    }
  });

  test('has an icon, and refuses everything else as before', async () => {
    const icon = await fetch(`${site.url}/favicon.ico`);
    const bytes = new Uint8Array(await icon.arrayBuffer());
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/x-icon']);
    expect([...bytes.slice(0, 4)]).toEqual([0, 0, 1, 0]);
    expect(bytes.length).toBeLessThan(1024);
    for (const [method, path, status] of [
      ['HEAD', '/', 200],
      ['POST', '/', 405],
      ['DELETE', '/favicon.ico', 405],
      ['GET', '/favicon.ico/x', 404],
      ['GET', '/index.html', 404],
      ['GET', '//evil.example/x', 404],
    ] as const) {
      expect([method, path, await statusOf(`${site.url}${path}`, { method })]).toEqual([method, path, status]);
    }
    expect(await statusOf(`${site.url}/`, { headers: { accept: 'image/png' } })).toBe(406);
  });

  test.skipIf(!hasBrowser)('is shown by a browser without a complaint, in the dark and narrow', async () => {
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage({ colorScheme: 'dark', viewport: { width: 320, height: 640 } });
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('request', (request) => {
        if (new URL(request.url()).origin !== site.url) complaints.push(request.url());
      });
      await page.goto(`${site.url}/`);
      const seen = await page.evaluate(
        '({ background: getComputedStyle(document.body).backgroundColor, overflow: document.documentElement.scrollWidth > document.documentElement.clientWidth })',
      );
      expect([seen, complaints]).toEqual([{ background: 'rgb(18, 22, 28)', overflow: false }, []]);
    } finally {
      await browser.close();
    }
  });
});

test.each([
  ['is not served', { apis: ['pages', 'banners'] as const }],
  ['is off', { env: { HCD_GATEWAY_ENABLED: '0' } }],
])('links to no reference where the gateway %s', async (_name, { apis, env }: ReferenceCase) => {
  const site = await startTestSite({
    databaseUrl: await freshSqliteUrl(),
    env: { HCD_PAGES_REST_API_ENABLED: '1', HCD_BANNERS_API_ENABLED: '1', ...env },
    ...(apis === undefined ? {} : { apis }),
  });
  const text = await (await fetch(`${site.url}/`, asBrowser)).text();
  expect([...text.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, to]) => to)).toEqual(['/']);
  expect(text).toContain('The API reference is part of the content gateway');
});

test('names only the interfaces that the process serves', async () => {
  const site = await startTestSite({ databaseUrl: await freshSqliteUrl(), apis: ['pages'] });
  const { data } = (await (await fetch(`${site.url}/`)).json()) as { data: { interfaces: { name: string }[] } };
  expect(data.interfaces.map(({ name }) => name)).toEqual(['pages']);
});
