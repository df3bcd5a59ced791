/**
 * `npm run bench:docs-page`: how long the API reference takes in Chromium until it can be used, that is until the first
 * search has found something: by the clock, and in processor time of the thread that shows the page.
 */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { endOnSignals } from './children.js';
import { spreadOf } from './figures.js';
import { pinTo } from './find-program.js';
import { provideSite } from './generate.js';
import { readOptions } from './options.js';
import { startServerProcess } from './processes.js';
import { basePath, rootSecret, siteSettings } from './record.js';

endOnSignals();
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const { folder, rounds } = readOptions(process.argv.slice(2), 'node');
await mkdir(folder, { recursive: true });
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const databaseUrl = await provideSite({ database: 'sqlite', count: 1000, folder, serverUrl: '', say });
const server = await startServerProcess({
  command: [...pinTo(0), process.execPath, join(root, 'bin/hcd'), 'serve', '--port', '0'],
  env: { NODE_ENV: 'production', HCD_DATABASE_URL: databaseUrl, HCD_SECRET: rootSecret, ...siteSettings },
  cwd: folder,
  logFile: join(folder, 'docs-page.log'),
});
try {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const visits: Visit[] = [];
  for (let round = 0; round < rounds; round += 1) visits.push(await visit(browser));
  await browser.close();
  for (const name of ['loaded', 'usable', 'processor'] as const) {
    const { median, least, most } = spreadOf(visits.map((one) => one[name]));
    print(`${name}: ${median.toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)})`);
  }
} finally {
  await server.stop();
}

interface Visit {
  /** Milliseconds from the start of the navigation to the end of DOMContentLoaded. */
  readonly loaded: number;
  /** … until the first search has shown what it found. */
  readonly usable: number;
  /** Of the thread that shows the page, until then. */
  readonly processor: number;
}

/** A visit of a browser that has never seen the page. */
async function visit(browser: Browser): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(`http://127.0.0.1:${server.port}${basePath}/docs`, { waitUntil: 'domcontentloaded' });
  await page.getByLabel('Search').fill('content_types id');
  await page.waitForFunction("document.querySelector('#found').textContent !== ''");
  const [loaded, usable] = await page.evaluate<[number, number]>(
    "[performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd, performance.now()]",
  );
  const { metrics } = await session.send('Performance.getMetrics');
  const processor = 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  await context.close();
  return { loaded, usable, processor };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
