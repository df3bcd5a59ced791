/** The client in Chromium: in a page of the server's own origin, and in one of another origin. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '../support/browser.js';
import { expectedOf, type Given, useClient } from './any-runtime.js';
import { bundleClient } from './bundle.js';
import { otherOrigin, startRuntimeSite } from './runtime-site.js';

if (!hasBrowser) process.stdout.write('\nNOTICE: the client was not tested in a browser: no Chromium here.\n');

describe.skipIf(!hasBrowser)('the client works in a browser', () => {
  let browser: Browser;
  let given: Given;

  beforeAll(async () => {
    given = await startRuntimeSite();
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
  });

  it.each([
    ['the origin of the server', () => given.url, true],
    ['another origin', () => otherOrigin, false],
  ])('in a page of %s', async (_name, origin, keeps) => {
    const page = await browser.newPage();
    const address = `${origin()}/page.html`;
    await page.route(address, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Page</title>' }),
    );
    await page.goto(address);
    await page.addScriptTag({ content: await bundleClient('iife') });
    expect(await page.evaluate(`(${useClient})(hcd, ${JSON.stringify(given)})`)).toEqual(expectedOf({ keeps }));
    await page.close();
  });
});
