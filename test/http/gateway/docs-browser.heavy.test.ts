/** The API reference in a real browser: trying out, links to operations, narrow screens. */
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

  async function visit(
    { path = '', ...options }: BrowserContextOptions & { readonly path?: string },
    use: (visited: Visit) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(120_000);
    const complaints: string[] = [];
    const page = await context.newPage();
    page.on('console', (message) => {
      // The browser only remarks on the field for keys.
      if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const address = new URL(request.url());
      if (address.protocol !== 'data:' && address.origin !== site.url) complaints.push(request.url());
    });
    await page.goto(`${site.url}/api/v1/docs${path}`);
    await use({ page, complaints });
    expect(complaints).toEqual([]);
    await context.close();
  }

  const wide = { viewport: { width: 1280, height: 900 } };

  async function tryOut(page: Page, id: string, values: Readonly<Record<string, string>>): Promise<Locator> {
    const operation = page.locator(`.opblock[id$="-${id}"]`);
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    for (const [name, value] of Object.entries(values)) {
      await operation.locator(`tr[data-param-name="${name}"]`).locator('input, textarea').first().fill(value);
    }
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table .response');
    await answer.waitFor();
    return answer;
  }

  test('tries a list out with a filter, and shows text of the answer as text', async () => {
    await visit(wide, async ({ page }) => {
      const answer = await tryOut(page, 'listResources', { filter: '{"id": 2, "parent": 0}' });
      expect(await answer.locator('.response-col_status').textContent()).toContain('200');
      expect(await answer.locator('pre').first().textContent()).toContain('About <us> & \\"them\\"');
    });
  });

  test('tries a protected route out with a key that it keeps to itself', async () => {
    await visit(wide, async ({ page }) => {
      await page.getByRole('button', { name: 'Authorize' }).first().click();
      const dialog = page.locator('.dialog-ux');
      await dialog.locator('input').first().fill('key');
      await dialog.getByRole('button', { name: 'Apply credentials' }).first().click();
      await dialog.getByRole('button', { name: 'Close' }).first().click();
      const answer = await tryOut(page, 'getContext', { key: 'web' });
      expect(await answer.locator('.response-col_status').textContent()).toContain('200');
      expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, '']);
    });
  });

  test('opens the operation that the address names', async () => {
    await visit({ ...wide, path: '#/Resources/getResource' }, async ({ page }) => {
      await page.locator('#operations-Resources-getResource .opblock-body').waitFor();
    });
  });

  test.each([
    ['a phone', { viewport: { width: 360, height: 780 }, isMobile: true }],
    ['a wide window', { viewport: { width: 1600, height: 900 } }],
  ] as const)('fits %s without scrolling sideways', async (_name, options) => {
    await visit(options, async ({ page }) => {
      await page.locator('.opblock').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(options.viewport.width);
    });
  });
});
