/** The HTML reference in a real browser: searching, trying out, narrow screens, no script, contrast, paper. */
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, launchBrowser } from '../../support/browser.js';
import type { TestSite } from '../../support/site.js';
import { startReferenceSite } from './reference-site.js';

if (!hasBrowser)
  process.stdout.write('\nNOTICE: the browser tests of the API reference were skipped: no Chromium here.\n');

describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser;
  let site: TestSite;

  beforeAll(async () => {
    site = await startReferenceSite({ HCD_GATEWAY_CACHE_ENABLED: '1' });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
  });

  interface Visit {
    readonly page: Page;
    /** Messages, errors and violations of the policy, and requests to elsewhere. */
    readonly complaints: readonly string[];
  }

  const input = (operation: Locator, name: string) => operation.getByRole('textbox', { name, exact: true });

  async function visit(options: BrowserContextOptions, use: (visited: Visit) => Promise<void>): Promise<void> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(120_000);
    const complaints: string[] = [];
    const page = await context.newPage();
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const address = new URL(request.url());
      if (address.protocol !== 'data:' && address.origin !== site.url) complaints.push(request.url());
    });
    await page.goto(`${site.url}/api/v1/docs`);
    await use({ page, complaints });
    expect(complaints).toEqual([]);
    await context.close();
  }

  test('loads without a complaint and finds routes by search', async () => {
    await visit({ viewport: { width: 1280, height: 900 } }, async ({ page }) => {
      await page.getByLabel('Search').fill('content_types id');
      expect(await page.locator('nav li:visible .path').allTextContents()).toEqual(['/content_types/{id}']);
      expect(await page.locator('#found').textContent()).toBe('1 found');
      await page.getByLabel('Search').fill('no such thing');
      expect(await page.locator('#found').textContent()).toBe('Nothing found');
      await page.getByLabel('Search').press('Escape');
      expect(await page.locator('nav li:visible').count()).toBeGreaterThan(30);
    });
  });

  test('tries a list out with a filter, and shows text of the answer as text', async () => {
    await visit({ viewport: { width: 1280, height: 900 } }, async ({ page }) => {
      const operation = page.locator('[id="op-listResources"]');
      await operation.getByRole('button', { name: 'Try it' }).click();
      await input(operation, 'filter').fill('id[gte]=2&parent=0');
      await input(operation, 'fields').fill('id,pagetitle');
      await operation.getByRole('button', { name: 'Send' }).click();
      const result = operation.locator('.result');
      await result.locator('pre').first().waitFor();
      expect(await result.locator('.line').textContent()).toMatch(
        /^200 \/api\/v1\/resources\?filter\[id\]\[gte\]=2&filter\[parent\]=0&fields=id,pagetitle \(\d+ ms\)$/,
      );
      const body: unknown = JSON.parse((await result.locator('pre').first().textContent()) ?? '');
      expect(body).toMatchObject({ data: [{ id: 2, pagetitle: 'About <us> & "them"' }], meta: { total: 1 } });
      expect(await result.locator('dt').allTextContents()).toEqual(
        expect.arrayContaining(['content-type', 'etag', 'cache-control', 'cache-tag', 'x-request-id']),
      );
    });
  });

  test('tries a protected route out with a key that it keeps to itself', async () => {
    await visit({ viewport: { width: 1280, height: 900 } }, async ({ page }) => {
      const operation = page.locator('[id="op-getContext"]');
      await operation.getByRole('button', { name: 'Try it' }).click();
      await input(operation, 'key path *').fill('web');
      await page.getByLabel('API key').fill('key');
      await operation.getByRole('button', { name: 'Send' }).click();
      const line = operation.locator('.result .line');
      await line.waitFor();
      expect(await line.textContent()).toMatch(/^200 \/api\/v1\/contexts\/web /);
      expect(await operation.locator('.result details pre').textContent()).toBe(
        `curl -H "Authorization: Bearer $KEY" '${site.url}/api/v1/contexts/web'`,
      );
      expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, '']);
    });
  });

  test('shows a refusal as what it is', async () => {
    const context = await browser.newContext();
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    await page.goto(`${site.url}/api/v1/docs`);
    const operation = page.locator('[id="op-getResource"]');
    await operation.getByRole('button', { name: 'Try it' }).click();
    await input(operation, 'id path *').fill('999');
    await operation.getByRole('button', { name: 'Send' }).click();
    await operation.locator('.result .line.bad').waitFor();
    expect(await operation.locator('.result pre').first().textContent()).toContain('"code": "not_found"');
    await context.close();
  });

  test.each([
    ['a phone', { viewport: { width: 360, height: 780 }, isMobile: true }],
    ['a phone in the dark', { viewport: { width: 360, height: 780 }, isMobile: true, colorScheme: 'dark' }],
    ['a wide window', { viewport: { width: 1600, height: 900 } }],
    ['a reader without script', { viewport: { width: 1280, height: 900 }, javaScriptEnabled: false }],
  ] as const)('fits %s without scrolling sideways', async (_name, options) => {
    await visit(options, async ({ page }) => {
      const tooWide = await page.evaluate(`[...document.querySelectorAll('main *, header.bar *')]
        .filter((one) => one.closest('.table, pre, .skip') === null && one.getBoundingClientRect().right > ${options.viewport.width})
        .map((one) => one.outerHTML.slice(0, 100))`);
      expect(tooWide).toEqual([]);
      expect(await page.locator('h1').isVisible()).toBe(true);
      expect((await page.getByRole('button', { name: 'Try it' }).count()) > 0).toBe(!('javaScriptEnabled' in options));
    });
  });

  test('opens and closes the contents on a phone without script', async () => {
    await visit({ viewport: { width: 360, height: 780 }, javaScriptEnabled: false }, async ({ page }) => {
      const contents = page.locator('nav');
      expect(await contents.isVisible()).toBe(false);
      await page.getByRole('link', { name: 'Contents' }).click();
      await contents.waitFor({ state: 'visible' });
      await contents.getByRole('link', { name: 'Error codes' }).click();
      await contents.waitFor({ state: 'hidden' });
      expect(await page.locator('#errors-title').isVisible()).toBe(true);
    });
  });

  test.each(['light', 'dark'] as const)('has text of enough contrast in the %s scheme', async (colorScheme) => {
    await visit({ colorScheme, viewport: { width: 1280, height: 900 } }, async ({ page }) => {
      expect(await page.evaluate(findPaleText)).toEqual([]);
    });
  });

  test('prints everything, folded parts included', async () => {
    await visit({ viewport: { width: 1000, height: 900 }, javaScriptEnabled: false }, async ({ page }) => {
      await page.emulateMedia({ media: 'print' });
      const sample = page.locator('[id="op-listResources"] .sample pre');
      expect((await sample.boundingBox())?.height ?? 0).toBeGreaterThan(100);
      expect(await page.locator('nav').isVisible()).toBe(false);
    });
  });
});

/** Runs in the page: classes of elements with text of a contrast below 4.5 to their background. */
const findPaleText = `(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const [r, g, b] = channels(colour).map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = getComputedStyle(one).backgroundColor;
      if (channels(colour)[3] !== 0) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const pale = new Set();
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
    if (!own || !element.checkVisibility()) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) pale.add(element.tagName + '.' + element.className + ' ' + ratio.toFixed(2));
  }
  return [...pale];
})()`;
