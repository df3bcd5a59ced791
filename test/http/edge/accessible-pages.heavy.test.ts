/** What the server shows to browsers: the rules of axe-core for accessibility, and the size of the API reference. */
import { get, type IncomingMessage } from 'node:http';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brokenRules, colorSchemes, hasBrowser, launchBrowser, showScheme } from '../../support/browser.js';
import type { TestSite } from '../../support/site.js';
import { startReferenceSite } from '../gateway/reference-site.js';

if (!hasBrowser) process.stdout.write('\nNOTICE: the tests of accessible pages were skipped: no Chromium here.\n');

const reference = '/api/v1/docs';
const pages = ['/', '/api/v1/problems', '/api/v1/problems/not-found'];
const views = [390, 1280].map((width) => ({ width, viewport: { width, height: 900 } }));

async function expectAccessible(page: Page): Promise<void> {
  for (const scheme of colorSchemes) {
    await showScheme(page, scheme);
    expect(await brokenRules(page), scheme).toEqual([]);
  }
}

describe.skipIf(!hasBrowser)('pages for browsers', () => {
  let browser: Browser;
  let site: TestSite;

  beforeAll(async () => {
    site = await startReferenceSite({
      HCD_GATEWAY_CACHE_ENABLED: '1',
      HCD_PAGES_REST_API_ENABLED: '1',
      HCD_BANNERS_API_ENABLED: '1',
    });
    browser = await launchBrowser();
  });

  afterAll(() => browser?.close());

  async function visit(path: string, options: BrowserContextOptions, use: (page: Page) => Promise<void>) {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(300_000);
    const page = await context.newPage();
    expect((await page.goto(`${site.url}${path}`))?.status()).toBe(200);
    await use(page);
    await context.close();
  }

  describe.each(views)('at $width px', (options) => {
    test.each(pages)('%s breaks no rule in both color schemes', (path) => visit(path, options, expectAccessible));

    test(`${reference} breaks no rule in both color schemes, with a form and its answer`, () =>
      visit(reference, options, async (page) => {
        const operation = page.locator('#operations-Resources-listResources');
        await operation.locator('.opblock-summary-control').click();
        await operation.getByRole('button', { name: 'Try it out' }).click();
        await operation.getByRole('button', { name: 'Execute' }).click();
        await operation.locator('.live-responses-table').waitFor();
        expect(await operation.locator('.live-responses-table .response .response-col_status').innerText()).toBe('200');
        await page.locator('.models-control').click();
        await page.locator('.models .json-schema-2020-12-accordion').first().click();
        await expectAccessible(page);
      }));
  });

  test.each([
    ['pages', 'Page delivery API'],
    ['banners', 'Banner API'],
  ])(`${reference}#api-%s shows that interface and breaks no rule`, async (name, title) => {
    await visit(`${reference}#api-${name}`, {}, async (page) => {
      await page.locator('.info .title', { hasText: title }).waitFor();
      expect(await page.locator('nav a[aria-current]').getAttribute('href')).toBe(`#api-${name}`);
      expect(await brokenRules(page)).toEqual([]);
    });
  });

  test('a page without a title, a language and a heading breaks rules', async () => {
    const page = await browser.newPage();
    await page.setContent('<title></title><img src="data:,">');
    expect((await brokenRules(page)).map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['document-title', 'html-has-lang', 'image-alt', 'page-has-heading-one']),
    );
    await page.close();
  });

  test('all of the API reference of the three interfaces is below 500 KB on the way', async () => {
    await visit(reference, {}, async (page) => {
      await page.locator('.opblock').first().waitFor();
      const loaded = await page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)");
      const addresses = [page.url(), ...(Array.isArray(loaded) ? loaded.map(String) : [])];
      expect(addresses.map((address) => new URL(address).pathname)).toEqual(
        expect.arrayContaining(['/api/v1/docs', '/api/v1/docs/app.js', '/api/v1/docs/swagger-ui.js']),
      );
      let bytes = 0;
      for (const address of addresses) bytes += await compressedBytes(address);
      expect(bytes).toBeGreaterThan(10_000);
      expect(bytes).toBeLessThan(500_000);
    });
  });
});

async function compressedBytes(address: string): Promise<number> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { headers: { 'accept-encoding': 'br' } }, resolve).on('error', reject);
  });
  let bytes = 0;
  for await (const chunk of answer) bytes += (chunk as Buffer).length;
  return bytes;
}
