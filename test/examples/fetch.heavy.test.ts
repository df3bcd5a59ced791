/** examples/fetch against the built server: the page in a real browser, and the script for Node.js. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repository } from '../architecture/source-file.js';
import { hasBrowser, launchBrowser } from '../support/browser.js';
import { makeTempDir } from '../support/temp-dir.js';
import { type ExampleSite, startExampleSite } from './example-site.js';

if (!hasBrowser) process.stdout.write('\nNOTICE: the page of examples/fetch was not tested: no Chromium here.\n');

const folder = join(repository, 'examples/fetch');
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

let site: ExampleSite;

beforeAll(async () => {
  site = await startExampleSite();
});

afterAll(() => site?.close());

test('lists every page, and asks only for changes the second time', async () => {
  const env = { HCD_URL: site.url, HCD_KEY: site.key, HCD_KEPT: join(await makeTempDir('fetch'), 'kept.json') };
  const run = () => promisify(execFile)(process.execPath, [join(folder, 'list.mjs')], { env });
  const first = await run();
  const { meta } = (await (await fetch(`${site.url}/api/v1/resources?limit=1&fields=id`)).json()) as {
    meta: { total: number };
  };
  expect(meta.total).toBeGreaterThan(200);
  expect(first.stdout.trim().split('\n')).toHaveLength(meta.total);
  const requests = Math.ceil(meta.total / 100);
  expect(first.stderr).toBe(`${requests} requests, 0 unchanged\n`);
  expect(await run()).toEqual({ stdout: first.stdout, stderr: `${requests} requests, ${requests} unchanged\n` });
});

test('waits as long as a refusal says', async () => {
  let refusals = 0;
  const server = createServer((_request, response) => {
    if (refusals === 0) {
      refusals += 1;
      response.writeHead(429, { 'Retry-After': '0' }).end();
      return;
    }
    response.setHeader('ETag', '"one"');
    response.end('{"data":[{"id":1,"uri":"a","pagetitle":"A"}],"meta":{}}');
  });
  const HCD_URL = await listen(server);
  const env = { HCD_URL, HCD_KEPT: join(await makeTempDir('fetch'), 'kept.json') };
  const ran = await promisify(execFile)(process.execPath, [join(folder, 'list.mjs')], { env });
  server.close();
  expect(ran).toEqual({ stdout: '1\t/a\tA\n', stderr: '2 requests, 0 unchanged\n' });
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(!hasBrowser)('the page of examples/fetch', () => {
  let pages: Server;
  let pageUrl: string;
  let browser: Browser;

  beforeAll(async () => {
    pages = createServer(async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://pages');
      const path = join(folder, normalize(pathname === '/' ? '/index.html' : pathname));
      const text = await readFile(path, 'utf8').catch(() => null);
      if (text === null) return void response.writeHead(404).end();
      response.setHeader('Content-Type', types[extname(path)] ?? 'application/octet-stream');
      response.end(text.replace('http://127.0.0.1:8080', site.url));
    });
    pageUrl = await listen(pages);
    await site.command(`setting set gateway_cors_allowed_origins ${pageUrl}`);
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    pages?.close();
  });

  const title = (page: Page) => page.getByRole('heading', { level: 1 });

  test('shows menu, pages, prices and search, and says what is missing or fails', async () => {
    const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
    await page.addInitScript({ path: join(repository, 'test/examples/in-browser.js') });
    // The server has read the setting when it lets this page in.
    await expect
      .poll(async () => {
        await page.goto(pageUrl);
        return title(page).textContent();
      })
      .toBe('Equipment for hills, made to be mended');
    const menu = page.getByRole('navigation').getByRole('link');
    expect(await menu.count()).toBeGreaterThan(2);
    await page.getByRole('link', { name: 'Equipment', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Equipment made to be mended' }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    for (const look of ['lookAround()', 'findFaintTexts()']) await expect.poll(() => page.evaluate(look)).toEqual([]);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Equipment for hills, made to be mended' }).waitFor();

    const { data } = (await (await fetch(`${site.url}/api/v1/resources/10?fields=uri`)).json()) as {
      data: { uri: string };
    };
    await page.goto(`${pageUrl}/?uri=${encodeURIComponent(data.uri)}`);
    expect(await page.locator('.price').textContent()).toBe('€408.00');
    // Pictures come from the server of the demo, and from no other host.
    const shown = `[...document.images].map((one) => [new URL(one.src).origin, one.naturalWidth > 0].join(' '))`;
    await expect
      .poll(async () => new Set((await page.evaluate(shown)) as string[]))
      .toEqual(new Set([`${site.url} true`]));

    await page.getByLabel('Search').fill('storm tent');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('heading', { level: 1, name: 'Search: storm tent' }).waitFor();
    expect(await page.getByRole('main').getByRole('link').count()).toBeGreaterThan(0);
    if (process.env['HCD_TEST_SCREENSHOT']) await page.screenshot({ path: process.env['HCD_TEST_SCREENSHOT'] });

    await page.goto(`${pageUrl}/?uri=no/such/page`);
    await page.getByText('There is no page at this address.').waitFor();

    await page.route('**/api/v1/pages/**', (route) => route.abort());
    await page.goto(`${pageUrl}/?uri=equipment/`);
    await page.getByRole('heading', { level: 1, name: 'This page cannot be shown' }).waitFor();
    await page.unroute('**/api/v1/pages/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Equipment made to be mended' }).waitFor();
    await page.close();
  });
});
