/** The example site in a real browser: no errors, no overflow, accessible text, and no document can run a script. */
import { readFile, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageSection } from '../../src/pages/rules/page-document.js';
import { renderSections } from '../../src/pages/rules/render.js';
import { sanitizeHtml } from '../../src/pages/rules/sanitize-html.js';
import { repository } from '../architecture/source-file.js';
import { basicSections, basicTypes, idOf, makeSection } from '../pages/rules/section-types.js';
import { hasBrowser, launchBrowser } from '../support/browser.js';
import { exampleFolders, readFolder, runExample, startExampleSite } from './example-site.js';
import { hostileMarkup, hostileTexts } from './hostile-texts.js';

if (!hasBrowser)
  process.stdout.write('\nNOTICE: the browser tests of the example site were skipped: no Chromium here.\n');

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webm': 'video/webm',
};

/** Serves a folder as any web server would. */
function serveFolder(folder: string): Server {
  return createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname);
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    const found = await stat(file).catch(() => null);
    if (found?.isDirectory()) response.writeHead(301, { Location: `${path}/` }).end();
    else if (!found) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': mediaTypes[extname(file)] ?? '' }).end(await readFile(file));
  });
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

/** Functions for inside a page, see there. */
const inBrowser = join(repository, 'test/examples/in-browser.js');

describe.skipIf(!hasBrowser)('in a browser', () => {
  let browser: Browser;
  let server: Server;
  let origin: string;
  let addresses: readonly string[];
  let files: readonly string[];

  beforeAll(async () => {
    const folders = await exampleFolders();
    const site = await startExampleSite();
    const { code, stderr } = await runExample('build', { site, folders });
    await site.close();
    if (code !== 0) throw new Error(stderr);
    files = Object.keys(await readFolder(folders.out));
    addresses = files
      .filter((name) => name.endsWith('.html'))
      .map((name) => `/${name.replace(/(^|\/)index\.html$/, '$1')}`);
    server = serveFolder(folders.out);
    origin = await listen(server);
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await new Promise((resolve) => server.close(resolve));
  });

  /** A page whose complaints are gathered: messages, errors, answers that are none, requests to elsewhere. */
  async function open(width: number): Promise<{ page: Page; complaints: string[] }> {
    const context = await browser.newContext({ viewport: { width, height: 900 } });
    await context.addInitScript({ path: inBrowser });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
    });
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== origin) complaints.push(request.url());
    });
    return { page, complaints };
  }

  test.each([1280, 390])('every page is in order at %i pixels, with every section type among them', async (width) => {
    const { page, complaints } = await open(width);
    const problems: string[] = [];
    const types = new Set<string>();
    const links = new Set<string>();
    for (const address of addresses) {
      await page.goto(`${origin}${address}`);
      await page.evaluate('openEverything()');
      const seen = await page.evaluate<string[]>('[...lookAround(), ...findFaintTexts()]');
      problems.push(...seen.map((problem) => `${address} ${problem}`));
      const [shown, led] = await Promise.all([
        page.locator('[data-section]').evaluateAll((all) => all.map((one) => String(one.getAttribute('data-section')))),
        page.locator('a').evaluateAll((all) => all.map((one) => String(Reflect.get(one, 'href')))),
      ]);
      for (const type of shown) types.add(type);
      for (const link of led) links.add(link);
    }
    expect([problems, complaints]).toEqual([[], []]);
    expect([...types].sort()).toEqual([...basicTypes.keys()].sort());
    const inside = [...links].filter((link) => link.startsWith(origin)).map((link) => new URL(link).pathname);
    const served = new Set([
      ...addresses,
      ...addresses.map((one) => one.replace(/\/$/, '')),
      ...files.map((one) => `/${one}`),
    ]);
    expect(inside.filter((path) => !served.has(path))).toEqual([]);
    await page.context().close();
  });

  test('a keyboard reaches the content, and questions open', async () => {
    const { page } = await open(390);
    await page.goto(`${origin}/repairs/`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    const question = page.locator('summary').first();
    await question.focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('details[open]').count()).toBe(1);
    await page.context().close();
  });

  test('the video plays', async () => {
    const { page, complaints } = await open(1280);
    await page.goto(`${origin}/repairs/`);
    const played = await page.evaluate(
      "(async (video) => { video.muted = true; await video.play(); return [video.videoWidth, video.videoHeight, video.error]; })(document.querySelector('video'))",
    );
    expect([played, complaints]).toEqual([[640, 360, null], []]);
    await page.context().close();
  });

  /** Shows HTML without any policy, provokes it in every way a visitor could, and says what ran or tried to leave. */
  async function provoke(html: string): Promise<string[]> {
    const context = await browser.newContext({ viewport: { width: 390, height: 900 } });
    await context.addInitScript({ path: inBrowser });
    const page = await context.newPage();
    const seen: string[] = [];
    page.on('dialog', (dialog) => {
      seen.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('popup', (popup) => seen.push(`popup: ${popup.url()}`));
    await context.route('**/*', (route) =>
      route.request().url() === 'http://hostile.example/'
        ? route.fulfill({
            contentType: 'text/html; charset=utf-8',
            body: `<!doctype html><title>t</title><main>${html}</main>`,
          })
        : route.abort(),
    );
    await page.goto('http://hostile.example/', { waitUntil: 'load' });
    seen.push(...(await page.evaluate<string[]>('provoke()')));
    await context.close();
    return seen;
  }

  test('the trap of these tests catches what runs', async () => {
    const seen = await provoke(
      '<img src=x onerror=fired(1)><p onmouseover=fired(2)>a</p><a href="javascript:fired(3)">b</a>',
    );
    expect(seen).toEqual(expect.arrayContaining(['ran 1', 'ran 2', 'A href=javascript:fired(3)']));
  });

  /** The sample with every text in it replaced, as if no reader had ever looked at it. */
  function withTexts(value: unknown, text: string): unknown {
    if (typeof value === 'string') return text;
    if (Array.isArray(value)) return value.map((one) => withTexts(one, text));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTexts(one, text)]));
  }

  test.each(basicSections.map(({ definition, sample }) => [String(definition['key']), sample] as const))(
    'no text in any field of %s runs',
    async (type, sample) => {
      const extra = type === 'video' ? { video: { url: '', poster: '', embed_url: '' } } : {};
      const sections = hostileTexts.map((text, at) => {
        const data = withTexts({ cssClass: '', ...sample, ...extra }, text) as PageSection['data'];
        return makeSection({ id: idOf(at), type, data });
      });
      const rendered = renderSections(sections, basicTypes);
      expect(rendered.filter(({ renderFailed }) => renderFailed)).toEqual([]);
      expect(await provoke(rendered.map(({ html }) => html).join('\n'))).toEqual([]);
    },
  );

  test('no rich text that got past other sanitisers runs, read once or twice', async () => {
    expect(await provoke(hostileMarkup.map((markup) => `<div>${sanitizeHtml(markup)}</div>`).join('\n'))).toEqual([]);
    const { page } = await open(390);
    await page.goto(`${origin}/`);
    const clean = hostileMarkup.map((markup) => sanitizeHtml(markup));
    const reread = await page.evaluate<string[]>(`readTwice(${JSON.stringify(clean)})`);
    // Browsers do not write the first line break of preformatted text, which they do not show either.
    const normal = (texts: readonly string[]) => texts.map((text) => text.replace(/<pre>\n+/g, '<pre>'));
    // What a browser makes of it is what was written: a second reading has nothing to change.
    expect(normal(reread.map((text) => sanitizeHtml(text)))).toEqual(normal(clean));
    await page.context().close();
  });
});
