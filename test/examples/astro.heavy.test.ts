/** The Astro example on the sample site, in a browser: what a visitor sees, previews, and a new build by webhook. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser } from '../support/browser.js';
import { freePort } from '../support/free-port.js';
import { copyExample, installExample } from '../support/installed-packages.js';
import { buildKey, type ExampleSite, startExampleSite, untilSaid, visitPage } from './example-site.js';

const secret = 'a-secret-of-sixteen-or-more';
const modules = hasBrowser ? await installExample('astro') : null;

describe.skipIf(modules === null)('examples/astro', () => {
  let site: ExampleSite;
  let browser: Browser;
  let origin: string;
  let hooksPort: number;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    site = await startExampleSite();
    const [port, hooks] = [await freePort(), await freePort()];
    [origin, hooksPort] = [`http://127.0.0.1:${port}`, hooks];
    await site.command(`setting set site_url ${origin}/`);
    await site.command('setting set gateway_webhook_allow_private_urls 1');
    await site.command('redirect add old/tents.html equipment/tents/');
    const folder = await copyExample('astro', modules ?? '');
    await writeFile(join(folder, 'src/site.ts'), await site.command('types'));
    const serving = spawn(process.execPath, ['serve.mjs'], {
      cwd: folder,
      env: {
        ...{ PATH: process.env['PATH'], HOME: folder, ASTRO_TELEMETRY_DISABLED: '1' },
        ...{ HCD_URL: site.url, HCD_KEY: await buildKey(site), HOST: '127.0.0.1', PORT: String(port) },
        ...{ HOOKS_PORT: String(hooks), WEBHOOK_SECRET: secret },
      },
    });
    stop = async () => {
      serving.kill('SIGTERM');
      await new Promise((resolve) => serving.once('close', resolve));
    };
    await untilSaid(serving, 'Server listening');
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await stop?.();
    await site?.close();
  });

  const visit = (path: string, look: (page: Page) => Promise<void>) => visitPage(browser, `${origin}${path}`, look);

  test('leads from the menu to a product with its typed price and a picture', async () => {
    await visit('/', async (page) => {
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Equipment' }).click();
      await page.getByRole('main').getByRole('link', { name: 'Tents' }).first().click();
      await page.getByRole('link', { name: 'Corrie 2 Storm' }).click();
      await page.waitForURL('**/equipment/tents/corrie/corrie-2-storm.html');
      expect(await page.locator('dd.price').textContent()).toBe('€408.00');
      const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem');
      expect((await crumbs.allTextContents()).map((text) => text.trim())).toEqual([
        ...['Home', 'Equipment', 'Tents', 'Corrie', 'Corrie 2 Storm'],
      ]);
      expect(await page.evaluate("document.querySelector('img.hero').naturalWidth")).toBeGreaterThan(0);
    });
  });

  test('finds pages by words, and says where there is none', async () => {
    await visit('/', async (page) => {
      await page.getByRole('searchbox').fill('storm tent');
      await page.getByRole('searchbox').press('Enter');
      expect(await page.locator('.hits').textContent()).toContain('Corrie 2 Storm');
    });
    await visit('/search?q=tent', async (page) => {
      expect(await page.getByRole('status').textContent()).toMatch(/^The first 20 of (?!20 )\d+ pages for “tent”$/);
    });
    await visit('/no-such-page', async (page) => {
      expect(await page.getByRole('heading').textContent()).toBe('This page does not exist');
    });
  });

  test('leads an old address to the page', async () => {
    await visit('/old/tents.html', async (page) => {
      await page.waitForURL('**/equipment/tents/');
    });
  });

  test('lists its pages for search engines', async () => {
    expect(await (await fetch(`${origin}/sitemap.xml`)).text()).toContain(
      '<loc>http://localhost:4321/equipment/tents/</loc>',
    );
  });

  test('shows a change to holders of a preview at once, and to all after the webhook', async () => {
    const path = '/equipment/tents/corrie/corrie-2.html';
    await site.command(
      `webhook add --url http://127.0.0.1:${hooksPort}/ --events resources.updated --secret ${secret}`,
    );
    const preview = JSON.parse(await site.command('resource preview 9 --json')) as { data: { token: string } };
    const { token } = preview.data;
    const answer = await fetch(`${site.url}/api/v1/resources/9`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${site.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ longtitle: 'Mended twice' }),
    });
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    const heading = async (address: string) => {
      const text = await (await fetch(`${origin}${address}`)).text();
      return /<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1];
    };
    expect(await heading(`/preview${path}?preview_token=${token}`)).toBe('Mended twice');
    expect(await heading(path)).not.toBe('Mended twice');
    expect((await fetch(`${origin}/preview${path}?preview_token=pv_wrong`)).status).toBe(401);
    await site.command('worker --once');
    await expect.poll(() => heading(path).catch(() => 'restarting'), { timeout: 540_000 }).toBe('Mended twice');
  });

  test('refuses a webhook that is not signed', async () => {
    const { status } = await fetch(`http://127.0.0.1:${hooksPort}/`, { method: 'POST', body: '{}' });
    expect(status).toBe(401);
  });
});
