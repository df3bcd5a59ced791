/** The sample site behind the compiled server, and runs of the example against it as processes of their own. */
import { type ChildProcessWithoutNullStreams, execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { openStore } from '../../src/store/open/open.js';
import { repository } from '../architecture/source-file.js';
import { runCli, startCli } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import { makeTempDir } from '../support/temp-dir.js';

export interface ExampleSite {
  readonly url: string;
  /** Address of the page API. */
  readonly api: string;
  /** API key that may do everything. */
  readonly key: string;
  readonly token: string;
  /** Runs a command on the site's database; throws when it fails. */
  command(line: string): Promise<string>;
  /** What the server has logged. */
  log(): string;
  close(): Promise<void>;
}

/** Waits until the process says that it serves; throws what it said when it ends instead. */
export async function untilSaid(running: ChildProcessWithoutNullStreams, words: string): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const look = (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes(words)) resolve();
    };
    running.stdout.on('data', look);
    running.stderr.on('data', look);
    running.once('exit', () => reject(new Error(said)));
  });
}

/** Opens a page on a phone, and fails where it complains or is wider than the screen. */
export async function visitPage(browser: Browser, address: string, look: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  // A visitor who goes on before a picture is there ends its request: that is no fault of the page.
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(request.url());
  });
  await page.goto(address, { waitUntil: 'load' });
  await look(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  expect(complaints.filter((line) => !line.includes('status of 404'))).toEqual([]);
  await context.close();
}

/** A key for builds, which may ask much more often than other callers. */
export async function buildKey({ command }: Pick<ExampleSite, 'command'>): Promise<string> {
  const made = await command('key create --scopes resources.read --for build --json');
  return (JSON.parse(made) as { data: { key: string } }).data.key;
}

/** Loads the sample and serves it on a free port. `npm run build` must have run. */
export async function startExampleSite(): Promise<ExampleSite> {
  const cwd = await makeTempDir('example-site');
  const env = {
    // Whatever listens on the usual port of this machine.
    HCD_PORT: '0',
    HCD_DATABASE_URL: `sqlite:${join(cwd, 'site.sqlite')}`,
    // Many builds in one minute.
    HCD_PAGES_REST_THROTTLE_PER_MINUTE: '0',
  };
  const command = async (line: string): Promise<string> => {
    const { code, stdout, stderr } = await runCli(line, { cwd, env, openStore, clock: systemClock });
    if (code !== 0) throw new Error(`hcd ${line}: ${stderr}`);
    return stdout;
  };
  const { data }: { data: { page_token: string; key: { key: string } } } = JSON.parse(await command('demo --json'));
  const port = await freePort();
  await command(`setting set media_public_url http://127.0.0.1:${port}`);
  const server = startCli(`serve --port ${port}`, { cwd, env });
  await server.waitForStderr('listening on http://');
  return {
    url: `http://127.0.0.1:${port}`,
    key: data.key.key,
    api: `http://127.0.0.1:${port}/pages/api/v1.php`,
    token: data.page_token,
    command,
    log: () => server.said(),
    close: async () => {
      server.kill('SIGTERM');
      await server.outcome;
    },
  };
}

export interface ExampleRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ExampleFolders {
  readonly out: string;
  readonly state: string;
}

export async function exampleFolders(): Promise<ExampleFolders> {
  const folder = await makeTempDir('example');
  return { out: join(folder, 'out'), state: join(folder, 'state') };
}

/** Runs `build.mjs` or `refresh.mjs` and gives what it said. */
export function runExample(
  script: 'build' | 'refresh',
  {
    site,
    folders,
    env = {},
  }: {
    readonly site: Pick<ExampleSite, 'api' | 'token'>;
    readonly folders: ExampleFolders;
    readonly env?: Readonly<Record<string, string>>;
  },
): Promise<ExampleRun> {
  const path = join(repository, 'examples/static-site', `${script}.mjs`);
  const own = { PAGES_API_URL: site.api, PAGES_TOKEN: site.token, ...env };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [path, '--out', folders.out, '--state', folders.state],
      { env: own },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/** Contents of all files of a folder by their names; of one that is not there, none. */
export async function readFolder(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const pairs = files.sort().map(async (path) => [relative(folder, path), await readFile(path, 'latin1')] as const);
  return Object.fromEntries(await Promise.all(pairs));
}
