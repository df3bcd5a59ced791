/** A real browser for tests, where one is installed. */
import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

/** The one without windows needs a sixth of the time for a page. */
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = programs.find((path) => existsSync(path)) ?? '';
export const hasBrowser = executablePath !== '';

/** The caller closes it. It asks nothing of other machines by itself. */
export function launchBrowser(): Promise<Browser> {
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
  // Pages that a test makes up come from no address, and so from outside of this machine.
  const local = '--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests';
  return chromium.launch({
    executablePath,
    timeout: 120_000,
    args: ['--no-sandbox', '--disable-gpu', local, ...quiet],
  });
}

export const colorSchemes = ['light', 'dark'] as const;

/** Gives the page the colors of the scheme; resolves when none is still changing. */
export async function showScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(`Promise.allSettled(
    document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished),
  )`);
}

/** Of WCAG 2 at A and AA and of best practices: each broken rule with the first elements that break it. */
export async function brokenRules(page: Page, within = 'html') {
  // What holds is a hundred times as much: it is neither described nor sent.
  const options = { resultTypes: ['violations'] };
  const violations = await page.evaluate<axe.Result[]>(
    `${axe.source}; axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)}).then((found) => found.violations)`,
  );
  return violations.map(({ id, nodes }) => ({ rule: id, elements: nodes.slice(0, 3).map(({ html }) => html) }));
}
