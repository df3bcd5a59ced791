/** A real browser for tests, where one is installed. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = '/usr/bin/chromium';
export const hasBrowser = existsSync(executablePath);

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
