/** The Next.js example on the sample site, in a browser: what a visitor sees, previews, and answers dropped by webhook. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repository } from '../architecture/source-file.js';
import { hasBrowser, launchBrowser } from '../support/browser.js';
import { freePort } from '../support/free-port.js';
import { installExample } from '../support/installed-packages.js';
import { buildKey, type ExampleSite, startExampleSite, untilSaid, visitPage } from './example-site.js';

const secret = 'a-secret-of-sixteen-or-more';
const modules = hasBrowser ? await installExample('nextjs') : null;

describe.skipIf(modules === null)('examples/nextjs', () => {
  // Next.js follows no link to packages elsewhere, so the example is built beside them.
  const folder = dirname(modules ?? '');
  const next = join(folder, 'node_modules/next/dist/bin/next');
  let site: ExampleSite;
  let browser: Browser;
  let origin: string;
  let serving: ChildProcess | undefined;

  beforeAll(async () => {
    site = await startExampleSite();
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    await site.command(`setting set site_url ${origin}/`);
    await site.command('setting set gateway_webhook_allow_private_urls 1');
    for (const made of ['src', '.next']) await rm(join(folder, made), { recursive: true, force: true });
    for (const file of ['src', 'next.config.mjs', 'tsconfig.json'])
      await cp(join(repository, 'examples/nextjs', file), join(folder, file), { recursive: true });
    await writeFile(join(folder, 'src/site.ts'), await site.command('types'));
    const env = {
      ...{ PATH: process.env['PATH'], HOME: folder, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' },
      ...{ HCD_URL: site.url, WEBHOOK_SECRET: secret, HCD_KEY: await buildKey(site) },
    };
    await promisify(execFile)(process.execPath, [next, 'build'], { cwd: folder, env });
    const running = spawn(process.execPath, [next, 'start', '--port', String(port)], { cwd: folder, env });
    serving = running;
    await untilSaid(running, 'Ready in');
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    if (serving !== undefined) {
      const closed = new Promise((resolve) => serving?.once('close', resolve));
      serving.kill('SIGTERM');
      await closed;
    }
    await site?.close();
  });

  const visit = (path: string, look: (page: Page) => Promise<void>) => visitPage(browser, `${origin}${path}`, look);

  test('builds every page, and a key for builds is refused nothing', async () => {
    const made = await readdir(join(folder, '.next/server/app'), { recursive: true });
    expect(made).toEqual(expect.arrayContaining(['index.html', 'equipment/tents/corrie/corrie-2-storm.html.html']));
    expect(made.filter((name) => name.endsWith('.html')).length).toBeGreaterThan(200);
    expect(site.log()).toContain('"status":200');
    expect(site.log()).not.toContain('"status":429');
  });

  test('leads from the menu to a product with its typed price and a picture', async () => {
    await visit('/', async (page) => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Equipment' }).click();
      await page.waitForURL(/\/equipment\/?$/);
      await page.getByRole('main').getByRole('link', { name: 'Tents' }).first().click();
      await page.waitForURL(/\/tents\/?$/);
      const here = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current="page"]');
      expect(await here.allTextContents()).toEqual(['Equipment']);
      await page.getByRole('link', { name: 'Corrie 2 Storm' }).click();
      await page.waitForURL('**/equipment/tents/corrie/corrie-2-storm.html');
      expect(await page.locator('dd.price').textContent()).toBe('€408.00');
      const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem');
      expect(await crumbs.allTextContents()).toEqual(['Home', 'Equipment', 'Tents', 'Corrie', 'Corrie 2 Storm']);
      await page.locator('img.hero').evaluate('async (image) => image.decode()');
    });
  });

  test('finds pages by words, and says where there is none', async () => {
    await visit('/', async (page) => {
      await page.getByRole('searchbox').fill('storm tent');
      await page.getByRole('searchbox').press('Enter');
      expect(await page.locator('.hits').textContent()).toContain('Corrie 2 Storm');
    });
    expect((await fetch(`${origin}/no-such-page`)).status).toBe(404);
    await visit('/no-such-page', async (page) => {
      expect(await page.getByRole('heading').textContent()).toBe('This page does not exist');
    });
  });

  test('shows a change to holders of a preview at once, and to all after the webhook', async () => {
    const path = '/equipment/tents/corrie/corrie-2.html';
    const heading = async (cookie = '') => {
      const text = await (await fetch(`${origin}${path}`, { headers: { cookie } })).text();
      return /<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1];
    };
    // Kept from here on.
    expect(await heading()).toContain('Corrie 2');
    await site.command(`webhook add --url ${origin}/api/revalidate --events resources.updated --secret ${secret}`);
    const preview = JSON.parse(await site.command('resource preview 9 --json')) as { data: { token: string } };
    const answer = await fetch(`${site.url}/api/v1/resources/9`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${site.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ longtitle: 'Mended twice' }),
    });
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();

    const draft = (token: string) =>
      fetch(`${origin}/api/draft?uri=${path.slice(1)}&token=${token}`, { redirect: 'manual' });
    const entered = await draft(preview.data.token);
    expect([entered.status, entered.headers.get('location')]).toEqual([307, path]);
    const cookie = entered.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    expect(await heading(cookie)).toBe('Mended twice');
    expect((await draft('pv_wrong')).status).toBe(401);
    expect(await heading()).not.toBe('Mended twice');

    await site.command('worker --once');
    expect(await heading()).toBe('Mended twice');
  });

  test('lists its pages for search engines, and leads from an old address to the page', async () => {
    expect(await (await fetch(`${origin}/sitemap.xml`)).text()).toContain(
      '<loc>http://localhost:3000/equipment/tents/</loc>',
    );
    await site.command('redirect add old/tents.html equipment/tents/');
    const answer = await fetch(`${origin}/old/tents.html`, { redirect: 'manual' });
    // Next.js sends the header twice.
    const [location] = answer.headers.get('location')?.split(', ') ?? [];
    expect([answer.status, location]).toEqual([308, '/equipment/tents/']);
  });

  test('refuses a webhook that is not signed', async () => {
    const { status } = await fetch(`${origin}/api/revalidate`, { method: 'POST', body: '{}' });
    expect(status).toBe(401);
  });
});
