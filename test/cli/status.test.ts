/** `hcd status`: one screen of what runs, on both databases, in terminals of any width and as JSON. */
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { failureLines } from '../../commands/status/screen.js';
import { watchKeys } from '../../commands/status.js';
import { systemClock } from '../../src/clock/clock.js';
import { openRecorder } from '../../src/operations/processes/recorder.js';
import { openStore } from '../../src/store/open/open.js';
import { migrated, openHandle } from '../identity/keys/key-store.js';
import { type CliOptions, runCli } from '../support/cli.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';

const optionsFor = (url: string): CliOptions => ({ env: { HCD_DATABASE_URL: url }, clock: systemClock, openStore });

/** A store with a server that has answered requests, a worker, and a key that expires soon. */
async function busySite(url: string): Promise<void> {
  const { own } = await openHandle(url);
  const shared = { own, clock: systemClock, log: () => undefined, version: '1.2.3' };
  const server = openRecorder({ ...shared, role: 'server', apis: ['gateway', 'pages'] });
  const worker = openRecorder({ ...shared, role: 'worker', apis: [] });
  onTestFinished(async () => {
    await server.close();
    await worker.close();
  });
  for (const status of [200, 429, 503]) {
    server.log({
      ...{ kind: 'request_finished', requestId: 'request-1', api: 'gateway', method: 'GET', route: '/resources' },
      ...{ status, durationMs: 1, identity: 'anonymous' },
    });
  }
  await server.started({ url: 'http://127.0.0.1:8080', cache: () => ({ hits: 9, misses: 1 }) });
  worker.passed();
  await worker.started();
  await runCli('key create --scopes resources.read --name website --expires 130h --yes', optionsFor(url));
}

describeEachDatabase('hcd status', (database) => {
  it('has every member as JSON, for a site where nothing has run', async () => {
    const url = await migrated(await database.url());
    const { code, stdout } = await runCli('status --json', optionsFor(url));
    const none = { requests: 0, errors: 0, limited: 0 };
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      data: {
        version: expect.any(String),
        database: expect.objectContaining({ version: expect.any(String), replicas: [], galera: null }),
        servers: [],
        apis: { gateway: expect.any(Boolean), pages: expect.any(Boolean), banners: expect.any(Boolean) },
        requests: { gateway: none, pages: none, banners: none },
        cache: { hits: 0, misses: 0 },
        outbox: { pending: 0, oldest_age_s: 0, failing: 0 },
        worker: { last_pass_on: null },
        disk: url.startsWith('sqlite:') ? { used_bytes: expect.any(Number), free_bytes: expect.any(Number) } : null,
        keys_ending: [],
      },
    });
  });

  it('shows what servers and workers wrote, and keys that expire soon', async () => {
    const url = await migrated(await database.url());
    await busySite(url);
    const { data } = JSON.parse((await runCli('status --json', optionsFor(url))).stdout);
    expect(data).toMatchObject({
      servers: [
        {
          pid: process.pid,
          url: 'http://127.0.0.1:8080',
          apis: ['gateway', 'pages'],
          started_on: expect.stringMatching(/Z$/),
          rss_bytes: expect.any(Number),
        },
      ],
      requests: { gateway: { requests: 3, errors: 1, limited: 1 } },
      cache: { hits: 9, misses: 1 },
      worker: { last_pass_on: expect.stringMatching(/Z$/) },
      keys_ending: [{ kind: 'key', id: 1, name: 'website', ends_on: expect.stringMatching(/Z$/) }],
    });
    expect(JSON.stringify(data)).not.toMatch(/:[^/@"]+@/);
    const piped = (await runCli('status', optionsFor(url))).stdout;
    expect(piped.split('\n')[0]).toMatch(/^version\t/);
    for (const columns of [80, 40, 20]) {
      const screen = (await runCli('status --no-color', { ...optionsFor(url), terminal: { columns } })).stdout;
      expect(Math.max(...screen.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
      expect(screen).toContain('SERVERS');
    }
    const screen = (await runCli('status --no-color', { ...optionsFor(url), terminal: { columns: 80 } })).stdout;
    expect(screen).toMatch(/^gateway +(on|off) +3 requests +1 error +1 over a limit$/m);
    expect(screen).toMatch(/^cache +90 % +9 hits +1 miss$/m);
    expect(screen).toMatch(/^API key +1 +website +in 5 d$/m);
  });
});

it('hcd status --watch --json prints a line for each state until it is stopped', async () => {
  const stop = new AbortController();
  let waits = 0;
  const clock = {
    ...systemClock,
    async sleep() {
      waits += 1;
      if (waits === 3) stop.abort();
    },
  };
  const url = await migrated(await freshSqliteUrl());
  const { code, stdout } = await runCli('status --watch --json', { ...optionsFor(url), clock, stop: stop.signal });
  const lines = stdout.trimEnd().split('\n');
  expect({ code, count: lines.length }).toEqual({ code: 0, count: 3 });
  expect(lines.every((line) => 'servers' in JSON.parse(line).data)).toBe(true);
});

it('hcd status --watch draws the screen until q is typed, and gives the terminal back', async () => {
  const url = await migrated(await freshSqliteUrl());
  const options = { ...optionsFor(url), terminal: { columns: 80 }, stdin: '' };
  const stop = new AbortController();
  const clock = { ...systemClock, sleep: async () => stop.abort() };
  const { code, stdout } = await runCli('status --watch --no-color', { ...options, clock, stop: stop.signal });
  expect(code).toBe(0);
  expect(stdout.startsWith('\u001b[?1049h')).toBe(true);
  expect(stdout).toContain('No server is running.');
  expect(stdout.trimEnd().endsWith('\u001b[?1049l')).toBe(true);

  const stream = new PassThrough();
  const keys = watchKeys({ isTerminal: true, stream, readAll: async () => Buffer.alloc(0) });
  stream.write('xq');
  await expect.poll(() => keys.ended.aborted).toBe(true);
  keys.close();
  expect(stream.listenerCount('data')).toBe(0);
});

it('hcd status --watch names the database that does not answer, and what to do', () => {
  const database = 'mariadb://hcd@db.example/site';
  const output = { hasColour: false };
  const lines = failureLines('It is away.', { version: '1.2.3', database, now: 0, columns: 40, output });
  expect(lines).toEqual([
    ...['hcd 1.2.3  00:00:00 UTC', database, '', 'It is away.'],
    ...['It is asked again every 2 seconds. hcd', 'doctor shows what fails.'],
  ]);
});

it('hcd status --watch without a terminal or --json is wrong usage', async () => {
  const url = await migrated(await freshSqliteUrl());
  const { code, stderr } = await runCli('status --watch', optionsFor(url));
  expect(code).toBe(2);
  expect(stderr).toContain('--watch needs a terminal');
});
