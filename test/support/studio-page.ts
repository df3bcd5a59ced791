/** The page of Studio in a browser. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { brokenRules, colorSchemes, hasBrowser, launchBrowser, showScheme } from './browser.js';
import { describeEachDatabase, type TestDatabase } from './databases.js';
import { startStudio } from './studio.js';

export const hostile = `<img src=x onerror="document.title='hit'"></script><script>document.title='hit'</script>`;

/** Of one pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export interface View {
  readonly width?: number;
  readonly locale?: string;
  readonly hasTouch?: boolean;
  readonly flags?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** At each width; `expectUsable` looks at both color schemes. */
export function atEachWidth(check: (view: View) => Promise<void>): void {
  it.each([{ width: 360 }, { width: 1280 }])(
    'breaks no rule of accessibility at $width px in both color schemes, and fits',
    check,
  );
}

interface Opened {
  readonly page: Page;
  readonly stop: () => Promise<void>;
}

/** Opens the page of Studio on a database; it ends with the test. */
export type OpenStudio = (url: string, view?: View) => Promise<Opened>;

/** In Chromium, on each database. */
export function describeStudio(name: string, body: (kind: TestDatabase, open: OpenStudio) => void): void {
  if (!hasBrowser) process.stdout.write(`\nNOTICE: the tests of ${name} were skipped: no Chromium here.\n`);
  describe.skipIf(!hasBrowser)(name, () => {
    let browser: Browser;

    beforeAll(async () => {
      browser = await launchBrowser();
    });

    afterAll(() => browser?.close());

    describeEachDatabase('in Chromium', (kind) => body(kind, (url, view = {}) => openPage(browser, url, view)));
  });
}

async function openPage(browser: Browser, url: string, { width = 1280, flags = '', ...view }: View): Promise<Opened> {
  const { env = {}, locale = 'en-GB', hasTouch = false } = view;
  const studio = await startStudio(url, { clock: systemClock, flags, env });
  const context = await browser.newContext({ viewport: { width, height: 900 }, locale, hasTouch });
  // An open page goes on asking, even when its studio has ended.
  onTestFinished(() => context.close());
  context.setDefaultTimeout(120_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  await page.goto(studio.address);
  await page.locator('main').waitFor();
  const stop = async (): Promise<void> => {
    studio.stop();
    await studio.outcome;
  };
  return { page, stop };
}

/** It breaks no rule of accessibility in these schemes, and nothing is wider than the window. */
export async function expectUsable(page: Page, schemes: readonly ('light' | 'dark')[] = colorSchemes): Promise<void> {
  for (const scheme of schemes) {
    await showScheme(page, scheme);
    expect(await brokenRules(page), scheme).toEqual([]);
  }
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
}

/** After the end of Studio the page says so when it saves, and what was typed stays. */
export async function expectKept({ page, stop }: Opened, field: string | RegExp, save: string): Promise<void> {
  const input = page.getByLabel(field, { exact: true });
  await input.fill('Typed');
  await stop();
  await page.getByRole('button', { name: save }).last().click();
  await page.getByText('Studio has ended or cannot be reached.').first().waitFor();
  expect(await input.inputValue()).toBe('Typed');
}
