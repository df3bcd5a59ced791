/** The page of Studio in a browser, just opened. */
import type { Browser, Page } from 'playwright-core';
import { systemClock } from '../../src/clock/clock.js';
import { startStudio } from './studio.js';

export interface View {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly locale?: string;
  readonly flags?: string;
}

export const everyView = [360, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

/** Ends with the test. */
export async function openStudioPage(
  browser: Browser,
  url: string,
  { width = 1280, colorScheme = 'light', locale = 'en-GB', flags = '' }: View = {},
): Promise<{ readonly page: Page; readonly stop: () => Promise<void> }> {
  const studio = await startStudio(url, { clock: systemClock, flags });
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, locale });
  context.setDefaultTimeout(60_000);
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
