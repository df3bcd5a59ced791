/** The page of examples/banners in a real browser, against the built server: what is shown, and what is counted. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { repository } from '../architecture/source-file.js';
import { hasBrowser, launchBrowser } from '../support/browser.js';
import { type CliProcess, startCli } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { freshSqliteUrl } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { makeTempDir } from '../support/temp-dir.js';

if (!hasBrowser) process.stdout.write('\nNOTICE: the test of examples/banners was skipped: no Chromium here.\n');

const folder = fileURLToPath(new URL('../../examples/banners', import.meta.url));
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
};
const key = 'a-key-for-the-examples';

/** The folder as a web server has it, with the address of the server in the page. */
async function startPages(serverUrl: () => string): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://pages');
    if (pathname === '/landed') return void response.end('Landed');
    const path = join(folder, normalize(pathname === '/' ? '/index.html' : pathname));
    const bytes = await readFile(path).catch(() => null);
    if (bytes === null) return void response.writeHead(404).end();
    response.setHeader('Content-Type', types[extname(path)] ?? 'application/octet-stream');
    const text = bytes.toString().replace('http://127.0.0.1:8080', serverUrl()).replace('data-context="journal"', '');
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const hostile =
  '<p id="text"><b>Open workshop</b> on Fridays</p><script>parent.document.title = "taken"</script><img src="x" onerror="top.location=\'about:blank\'">';

describe.skipIf(!hasBrowser)('the page of examples/banners', () => {
  let db: CliDatabase;
  let pages: Server;
  let pageUrl: string;
  let server: CliProcess;
  let serverUrl = '';
  let browser: Browser;
  let context: BrowserContext;

  beforeAll(async () => {
    db = await prepareCliDatabase(await freshSqliteUrl());
    ({ server: pages, url: pageUrl } = await startPages(() => serverUrl));
    const settings = {
      banners_api_enabled: '1',
      banners_api_key: key,
      banners_api_cors_origin: pageUrl,
      banners_track_impressions: '1',
    };
    for (const [name, value] of Object.entries(settings)) {
      expect(await db.run(['setting', 'set', name, value])).toMatchObject({ code: 0 });
    }
    for (const name of ['header', 'sidebar', 'journal-foot']) await db.run(`position add ${name}`);
    const landing = ['--url', `${pageUrl}/landed`];
    const port = await freePort();
    serverUrl = `http://127.0.0.1:${port}`;
    const pictures = `${serverUrl}/files/pictures/places`;
    const lines = [
      [
        '--name',
        'Tents',
        '--description',
        'Three new tents',
        '--image',
        `${pictures}/tents.svg`,
        '--positions',
        '1',
        ...landing,
      ],
      ['--name', 'Workshop', '--type', 'html', '--html', hostile, '--positions', '2', ...landing],
      ['--name', 'Ferry', '--image', `${pictures}/ferry.svg`, '--positions', '3'],
      ['--name', 'Switched off', '--active', '0', '--positions', '2'],
    ];
    for (const line of lines) expect(await db.run(['banner', 'add', ...line])).toMatchObject({ code: 0 });
    const cwd = await makeTempDir('places');
    const env = { HCD_DATABASE_URL: db.url, HCD_FILES_DIR: join(repository, 'assets/sample/files') };
    server = startCli(`serve --port ${port}`, { cwd, env });
    await server.waitForStderr('listening on http://');
    browser = await launchBrowser();
    context = await browser.newContext({ viewport: { width: 1100, height: 800 } });
  });

  afterAll(async () => {
    await browser?.close();
    server?.kill('SIGTERM');
    await server?.outcome;
    pages?.close();
  });

  /** What is below the fold counts after scrolling only. */
  async function seeEverything(page: Page): Promise<void> {
    const seen: string[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith('/bannerimpression/')) seen.push(`${pathname} ${response.status()}`);
    });
    await page.goto(pageUrl);
    await expect.poll(() => [...seen].sort()).toEqual(['/bannerimpression/1 200', '/bannerimpression/2 200']);
    await page.locator('[data-place="journal-foot"] img').scrollIntoViewIfNeeded();
    await expect.poll(() => seen.at(2)).toBe('/bannerimpression/3 200');
  }

  async function click(page: Page): Promise<string> {
    const [landed] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Three new tents' }).click(),
    ]);
    await landed.waitForURL(`${pageUrl}/landed`);
    const text = (await landed.textContent('body')) ?? '';
    await landed.close();
    return text;
  }

  const figures = async (): Promise<unknown> => {
    const address = `${serverUrl}/banners/api.php/stats/summary?period=all`;
    const { data } = (await (await fetch(address, { headers: { 'X-API-Key': key } })).json()) as { data: object };
    const { impressions, clicks } = data as { impressions: number; clicks: number };
    return { impressions, clicks };
  };

  test('shows the places, counts what is seen and clicked, and once only', async () => {
    const page = await context.newPage();
    await seeEverything(page);
    expect(await page.locator('.item').count()).toBe(3);
    const picture = page.getByRole('img', { name: 'Three new tents' });
    expect(await picture.evaluate((img) => Reflect.get(img, 'naturalWidth'))).toBe(600);
    const frame = page.frameLocator('[data-place="sidebar"] iframe');
    expect(await frame.locator('#text').textContent()).toBe('Open workshop on Fridays');
    expect([await page.title(), page.url()]).toEqual(['Places on a page', `${pageUrl}/`]);
    expect(await page.locator('[data-place="journal-foot"] a').count()).toBe(0);
    expect(await click(page)).toBe('Landed');
    await expect.poll(figures).toEqual({ impressions: 3, clicks: 1 });

    await seeEverything(page);
    expect(await click(page)).toBe('Landed');
    // A server that ends has written everything that it knows.
    server.kill('SIGTERM');
    expect(await server.outcome).toMatchObject({ code: 0 });
    const { data } = JSON.parse((await db.run('banner stats --period all --json', { clock: systemClock })).stdout) as {
      data: { summary: object; top_ads: object[] };
    };
    const none = { conversions: 0, clicks: 0, impressions: 1, ctr: 0, cvr: null };
    expect(data).toMatchObject({
      summary: { impressions: 3, clicks: 1 },
      top_ads: [
        { id: 1, name: 'Tents', impressions: 1, clicks: 1 },
        { id: 2, name: 'Workshop', ...none },
        { id: 3, name: 'Ferry', ...none },
      ],
    });
    // The page is complete without its places.
    await page.reload();
    await page.getByRole('heading', { name: 'After the rain' }).waitFor();
    expect(await page.locator('[data-place]:visible').count()).toBe(0);
    await page.close();
  });
});
