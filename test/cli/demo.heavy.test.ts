/** `hcd demo`: the sample site is loaded once, the printed lines work, and nothing else is ever touched. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { curlLines } from '../../commands/demo/curl-lines.js';
import { startSite } from '../../commands/serve/start-site.js';
import { systemClock } from '../../src/clock/clock.js';
import { corsOriginsValue, listeningAddress } from '../../src/config/address-values.js';
import { apiNames } from '../../src/config/value-type.js';
import { readSystemSettings } from '../../src/content/models/settings.js';
import { buildRegistry } from '../../src/content/objects/core-objects.js';
import { AppError } from '../../src/errors/app-error.js';
import { listUsers } from '../../src/identity/users/user-view.js';
import { openRecorder } from '../../src/operations/processes/recorder.js';
import { sampleState } from '../../src/operations/sample/load-sample.js';
import { readTables } from '../../src/store/base/columns.js';
import { openStore, type Store } from '../../src/store/open/open.js';
import { readContentGeneration, writeState } from '../../src/store/state/state.js';
import { type CliOptions, type CliOutcome, runCli } from '../support/cli.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { describeWithFixture, loadFixture } from '../support/fixture.js';
import { migrate } from '../support/migrate.js';
import { makeTempDir } from '../support/temp-dir.js';
import { refused } from './outcomes.js';

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

async function open(databaseUrl: string): Promise<Store> {
  const store = await openStore({ databaseUrl, prefix: 'modx_' });
  opened.push(store);
  return store;
}

async function openMigrated(databaseUrl: string): Promise<Store> {
  await migrate({ databaseUrl, prefix: 'modx_' });
  return open(databaseUrl);
}

const now = systemClock.now();
/** Its time stands still: the traffic of the banners ends at the time of loading, so runs load equally many rows. */
const clock = { ...systemClock, now: () => now };

function demo(databaseUrl: string, flags = '', env: Readonly<Record<string, string>> = {}): Promise<CliOutcome> {
  return runCli(`demo ${flags}`, { env: { HCD_DATABASE_URL: databaseUrl, ...env }, clock, openStore });
}

/** Stores whose database is gone after so many writes. */
function interrupted(after: number): { readonly openStore: typeof openStore; readonly writes: () => number } {
  let count = 0;
  return {
    writes: () => count,
    async openStore(options) {
      const store = await openStore(options);
      const { own } = store;
      const write = own.write.bind(own);
      own.write = (work, how) => {
        count += 1;
        return count > after ? Promise.reject(new AppError('unavailable')) : write(work, how);
      };
      return store;
    },
  };
}

function runDemo(databaseUrl: string, open: typeof openStore): Promise<CliOutcome> {
  return runCli('demo --json', { env: { HCD_DATABASE_URL: databaseUrl }, clock, openStore: open });
}

interface DemoData {
  readonly loaded: boolean;
  readonly resources: number | null;
  readonly database: string;
  readonly pages: number | null;
  readonly banners_api_key: string | null;
  readonly page_token: string | null;
  readonly key: { readonly id: number; readonly key: string; readonly expires_on: string } | null;
  readonly user: { readonly username: string; readonly password: string } | null;
  readonly requests: readonly {
    readonly shows: string;
    readonly method: string;
    readonly url: string;
    readonly line: string;
  }[];
}

function dataOf({ stdout }: CliOutcome): DemoData {
  return JSON.parse(stdout).data;
}

async function settings(store: Store): Promise<Record<string, string>> {
  const rows = await readSystemSettings(store.content, 'modx_');
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

async function countRows(store: Store): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of (await readTables(store.content.primary, '')).keys()) {
    const [row] = await store.content.select({ sql: `SELECT COUNT(*) FROM \`${name}\``, params: [] });
    counts[name] = Number(row?.[0]);
  }
  return counts;
}

const sampleCounts = { resources: 386, pages: 19 };

describeEachDatabase('hcd demo', (database) => {
  it('loads the site, and every printed address answers at the next hcd serve', async () => {
    const url = await database.url();
    const outcome = await demo(url, '--json');
    const data = dataOf(outcome);
    expect(outcome.code).toBe(0);
    expect(data).toMatchObject({ loaded: true, ...sampleCounts, database: database.name });
    expect(data.banners_api_key).toMatch(/^[0-9a-f]{32}$/);
    expect(data.page_token).toMatch(/^pt_/);
    const store = await open(url);
    const stored = await settings(store);
    expect(stored).toMatchObject({
      ...{ pages_rest_api_enabled: '1', banners_api_enabled: '1', gateway_allowed_contexts: 'web,mgr,journal' },
      banners_api_key: data.banners_api_key,
    });
    expect(stored).not.toHaveProperty('gateway_enabled');
    expect(await readContentGeneration(store.own)).toBeGreaterThan(0);

    const site = await serve(store);
    expect(await paste(data, site)).toEqual(expectedAnswers);
    // From now on the lines have its address, and work there.
    const server = { role: 'server', apis: apiNames, version: '0.0.0-test' } as const;
    const recorder = openRecorder({ ...server, own: store.own, clock: systemClock, log: () => undefined });
    await recorder.started({ url: site, cache: () => ({ hits: 0, misses: 0 }) });
    opened.push(recorder);
    const canListen = async () => false;
    const shown = await runCli('demo --show', { env: { HCD_DATABASE_URL: url }, clock, openStore, canListen });
    expect(shown.stdout).toContain(`# API reference: ${site}/api/v1/docs\n`);
    expect(shown.stdout).not.toMatch(/hcd serve|:8080/);
    expect(shown.stderr).not.toContain('Another program listens');
    const { requests } = dataOf(await demo(url, '--json'));
    const anonymousOnes = requests.filter(({ line }) => !line.includes('$') && line.includes("curl -s '"));
    expect(anonymousOnes.length).toBeGreaterThan(2);
    for (const { url: address } of anonymousOnes)
      expect([address, (await fetch(address)).status]).toEqual([address, 200]);
  });

  it('makes a key for everything that ends, and a user who may write, and prints both once', async () => {
    const url = await database.url();
    const env = { HCD_DATABASE_URL: url };
    const atHalfPastNine = fakeClock(Date.UTC(2026, 10, 21, 9, 30));
    const data = dataOf(await runCli('demo --json', { env, clock: atHalfPastNine, openStore }));
    expect([data.key, data.user]).toEqual([
      {
        id: expect.any(Number),
        name: 'demo',
        key: expect.stringMatching(/^gk_[0-9a-f]{16}_[0-9A-Za-z]{49}$/),
        lookup_id: expect.stringMatching(/^[0-9a-f]{16}$/),
        scopes: ['*'],
        expires_on: '2026-12-21T09:30:00Z',
      },
      { username: 'editor', password: expect.stringMatching(/^[0-9A-Za-z]{20}$/) },
    ]);
    const again = dataOf(await demo(url, '--json'));
    expect([again.key, again.user, again.page_token]).toEqual([null, null, null]);
    const store = await open(url);
    const counts = await countRows(store);
    expect(counts['hcd_api_keys']).toBe(1);
    const permissions = [
      'resources.create',
      'resources.delete',
      'resources.read',
      'resources.update',
      'view_unpublished',
    ];
    const users = await listUsers(store, { context: 'web', now: systemClock.now() });
    expect(users).toContainEqual(expect.objectContaining({ username: 'editor', state: 'active', permissions }));
  });

  it('goes on where an attempt was interrupted, whatever was written by then', async () => {
    const whole = await database.url();
    const { openStore: counting, writes } = interrupted(Number.POSITIVE_INFINITY);
    expect((await runDemo(whole, counting)).code).toBe(0);
    const expected = await countRows(await open(whole));
    // The last writes are the credentials and the mark; before them come the pages, before those the rows.
    for (const left of [1, 3, 20]) {
      const url = await database.url();
      const { openStore: failing } = interrupted(writes() - left);
      const outcome = await runDemo(url, failing);
      expect([left, outcome.code]).toEqual([left, 3]);
      const again = await demo(url, '--json');
      const { loaded, key, user, page_token: token } = dataOf(again);
      const shown = { code: again.code, loaded, key: key !== null, user: user?.username, token: token !== null };
      expect(shown, `${left} left`).toEqual({ code: 0, loaded: true, key: true, user: 'editor', token: true });
      const store = await open(url);
      // An interrupted run leaves a key or a token that was made but not shown.
      const differ = { hcd_api_keys: 1, modx_system_settings: 0 };
      expect({ ...(await countRows(store)), ...differ }).toEqual({ ...expected, ...differ });
      const last = dataOf(await demo(url, '--json'));
      expect([left, last.loaded, last.key]).toEqual([left, false, null]);
    }
  });

  // What is loaded is the same on both databases; from here on it is only looked at.
  if (database.name === 'mariadb') return;

  it('leaves the loaded site alone the second time and prints the lines again, of the APIs that are on', async () => {
    const url = await database.url();
    const first = dataOf(await demo(url, '--json'));
    const store = await open(url);
    const change = "UPDATE modx_site_content SET pagetitle = 'Mine' WHERE id = 1";
    await store.content.write((tx) => tx.run({ sql: change, params: [] }));
    const before = await countRows(store);
    const again = await demo(url, '--json');
    const data = dataOf(again);
    expect([again.code, data.loaded, data.resources, data.banners_api_key]).toEqual([0, false, null, null]);
    expect(data.requests.map((line) => line.url)).toEqual(first.requests.map((line) => line.url));
    expect(data.requests.find(({ shows }) => shows === 'Banners: version and routes')?.line).toBe(
      `curl -s -H "X-API-Key: $HCD_BANNERS_API_KEY" 'http://127.0.0.1:8080/banners/api.php'`,
    );
    expect(again.stderr).toContain('The sample site is already loaded; nothing was changed.\n');
    expect(data.requests.find(({ shows }) => shows === 'Create a page')?.line).toContain(
      '-H "Authorization: Bearer $GATEWAY_KEY"',
    );
    expect(data.requests.find(({ shows }) => shows.startsWith('Log in'))?.line).toBe(
      `curl -s -X POST -c hcd-cookies.txt -H 'Content-Type: application/json' -d "{\\"username\\":\\"editor\\",\\"password\\":\\"$EDITOR_PASSWORD\\"}" 'http://127.0.0.1:8080/api/v1/auth/session'`,
    );
    expect(again.stderr).toContain('hcd setting get banners_api_key --show-secret\n');
    expect(again.stderr).toContain("hcd key create --scopes '*' --name demo --expires 30d\n");
    expect(again.stderr).toContain('hcd user passwd editor --generate\n');
    expect(await countRows(store)).toEqual(before);
    expect((await settings(store))['banners_api_key']).toBe(first.banners_api_key);
    const sql = 'SELECT pagetitle FROM modx_site_content WHERE id = 1';
    expect(await store.content.select({ sql, params: [] })).toEqual([['Mine']]);
    // The lines of the APIs that are still on.
    const off = "UPDATE modx_system_settings SET value = '0' WHERE `key` = 'pages_rest_api_enabled'";
    await store.content.write((tx) => tx.run({ sql: off, params: [] }));
    const { requests } = dataOf(await demo(url, '--json'));
    expect(requests.map(({ shows }) => shows)).not.toContain('Page delivery: its description');
    expect(requests.map(({ shows }) => shows)).toContain('Banners: version and routes');
  });

  it.each([
    ['a resource', "INSERT INTO modx_site_content (pagetitle, description) VALUES ('Mine', '')"],
    ['a chunk', "INSERT INTO modx_site_htmlsnippets (name, snippet) VALUES ('mine', '')"],
    ['a person', "INSERT INTO modx_users (username) VALUES ('somebody')"],
    ['a third context', "INSERT INTO modx_context (`key`) VALUES ('shop')"],
  ])('refuses a store that holds %s and changes nothing', async (_name, sql) => {
    const url = await database.url();
    const store = await openMigrated(url);
    await store.content.write((tx) => tx.run({ sql, params: [] }));
    const before = await countRows(store);
    const outcome = await demo(url);
    expect([outcome.code, outcome.stdout]).toEqual([1, '']);
    expect(outcome.stderr).toContain('The database contains content other than the sample site.');
    expect(await countRows(store)).toEqual(before);
  });

  it('refuses the database of something else before it makes a table there', async () => {
    const url = await database.url();
    const store = await open(url);
    await store.content.write(async (tx) => {
      await tx.run({ sql: 'CREATE TABLE shop_orders (id integer PRIMARY KEY)', params: [] });
    });
    expect((await demo(url)).code).toBe(1);
    expect([...(await readTables(store.content.primary, '')).keys()]).toEqual(['shop_orders']);
  });

  it('keeps a banner key and settings that were there before, and says what the environment fixes', async () => {
    const url = await database.url();
    const store = await openMigrated(url);
    expect(await sampleState(store)).toBe('empty');
    await store.content.write(async (tx) => {
      const sql =
        "INSERT INTO modx_system_settings (`key`, value) VALUES ('banners_api_key', 'a key of my own'), ('gateway_cache_ttl', '9')";
      await tx.run({ sql: sql.replace('a key of my own', 'a-key-of-my-own-1'), params: [] });
    });
    const outcome = await demo(url, '--json', { HCD_PAGES_REST_API_ENABLED: '0' });
    expect([outcome.code, dataOf(outcome).banners_api_key]).toEqual([0, null]);
    expect(outcome.stderr).toContain(
      'pages_rest_api_enabled keeps the value of HCD_PAGES_REST_API_ENABLED in the environment.\n',
    );
    const stored = await settings(store);
    expect([stored['banners_api_key'], stored['gateway_cache_ttl']]).toEqual(['a-key-of-my-own-1', '9']);
  });

  it('takes a store whose tables of its own are in another database', async () => {
    const url = await database.url();
    const env = { HCD_OWN_DATABASE_URL: await freshSqliteUrl() };
    expect(dataOf(await demo(url, '--json', env)).loaded).toBe(true);
    expect(dataOf(await demo(url, '--json', env)).loaded).toBe(false);
  });

  it('loads after an attempt that left only its mark', async () => {
    const url = await database.url();
    const store = await openMigrated(url);
    await store.own.write((tx) => writeState(tx, 'sample_site', '1'));
    expect(dataOf(await demo(url, '--json')).loaded).toBe(true);
  });
});

describeWithFixture('hcd demo on an existing site', () => {
  it('refuses and makes no table', async () => {
    const url = await loadFixture();
    const store = await open(url);
    const outcome = await demo(url);
    expect([outcome.code, outcome.stdout]).toEqual([1, '']);
    expect(outcome.stderr).toContain('The database belongs to an existing site, and the sample site would damage it.');
    expect([...(await readTables(store.own.primary, 'hcd_')).keys()]).toEqual([]);
  });

  it('refuses it under another prefix too', async () => {
    const url = await loadFixture();
    const outcome = await demo(url, '', { HCD_CONTENT_PREFIX: 'new_' });
    expect(outcome.code).toBe(1);
    const tables = [...(await readTables((await open(url)).content.primary, '')).keys()];
    expect(tables.filter((name) => name.startsWith('new_') || name.startsWith('hcd_'))).toEqual([]);
  });
});

describe('the output of hcd demo', () => {
  it('is lines for a shell, with the key once and advice on standard error', async () => {
    const cwd = await makeTempDir('demo');
    const { code, stdout, stderr } = await runCli(['demo', '--database', `sqlite:${join(cwd, 'demo.sqlite')}`], {
      openStore,
    });
    expect(code).toBe(0);
    const [head = '', requests = '', credentials = ''] = stdout.split(
      /\n\n(?:# Show all lines to try: hcd demo --show\n\n)?/,
    );
    const rule = `# ${'-'.repeat(70)}`;
    expect(head.split('\n')).toEqual([
      rule,
      '# The server is started by: hcd serve',
      '# API reference: http://127.0.0.1:8080/api/v1/docs',
    ]);
    expect(credentials.replace(/(?<=: )(?!editor)\w+/g, 'X')).toBe(
      [
        '# Key for the banner API',
        'banners_api_key: X',
        '# Token for the page API, expires in 30 days',
        'page_token: X',
        '# API key for the gateway (all scopes), expires in 30 days',
        'key: X',
        '# User who can log in and edit',
        'username: editor',
        'password: X',
        rule,
        '',
      ].join('\n'),
    );
    const lines = requests.trimEnd().split('\n');
    expect(lines).toHaveLength(10);
    expect(lines.filter((_, index) => index % 2 === 0).every((line) => line.startsWith('# '))).toBe(true);
    expect(lines.filter((_, index) => index % 2 === 1).every((line) => line.startsWith('curl -s '))).toBe(true);
    expect(stderr.split('\n')).toEqual([
      `Loaded the sample site: ${sampleCounts.resources} resources and ${sampleCounts.pages} page documents.`,
      expect.stringMatching(
        /^Loaded 12 banners with \d{5} impressions and \d{3,4} clicks. To see them: hcd banner stats$/,
      ),
      'To show the banner key again: hcd setting get banners_api_key --show-secret',
      'Copy the page token now: it is not shown again.',
      'Copy the API key and the password now: they are not shown again.',
      expect.stringMatching(
        /^Web pages at http:\/\/localhost and http:\/\/127\.0\.0\.1 at the ports 3000, .* can call the APIs/,
      ),
      '',
    ]);
    const every = await runCli(['demo', '--show', '--database', `sqlite:${join(cwd, 'demo.sqlite')}`], { openStore });
    expect(every.stdout.match(/^curl -s /gm)?.length).toBeGreaterThan(15);
    expect(every.stdout).not.toContain('password: ');
  });

  it('names a free port where the server could not start, before anything is loaded or printed', async () => {
    const url = await freshSqliteUrl();
    const canListen = async ({ port }: { readonly port: number }) => port > 8081;
    const run = (options: CliOptions = {}) =>
      runCli('demo', { env: { HCD_DATABASE_URL: url }, openStore, canListen, ...options });
    expect(await run()).toEqual(
      refused(
        'hcd: Port 8080 of 127.0.0.1 is in use, so the server could not start. Stop the program that listens there, or set HCD_PORT to another port (for example 8082, which is free). Nothing was loaded, and no key was created\n',
      ),
    );
    expect(existsSync(url.slice('sqlite:'.length))).toBe(false);
    expect((await run({ env: { HCD_DATABASE_URL: url, HCD_PORT: '8082' } })).code).toBe(0);
    const again = await run();
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringContaining('Another program listens on port 8080 of 127.0.0.1.'),
    ]);
  });

  it('lets web pages that are developed on this machine in', async () => {
    const url = await freshSqliteUrl();
    await demo(url, '--json');
    const stored = await settings(await open(url));
    expect(stored['gateway_cors_enabled']).toBe('1');
    for (const key of ['gateway_cors_allowed_origins', 'banners_api_cors_origin']) {
      expect(stored[key]?.split(',')).toEqual(
        expect.arrayContaining(['http://localhost:5173', 'http://127.0.0.1:3000']),
      );
      expect(corsOriginsValue.parse(stored[key] ?? '')).toMatchObject({ ok: true });
    }
  });

  it('says that port 0 is only known once the server runs', async () => {
    const { stderr } = await demo(await freshSqliteUrl(), '', { HCD_PORT: '0' });
    expect(stderr).toContain('replace 0 in the lines with the port that hcd serve prints');
  });

  it.each([
    ['127.0.0.1', 8080, 'http://127.0.0.1:8080'],
    ['0.0.0.0', 80, 'http://127.0.0.1:80'],
    ['::', 8080, 'http://[::1]:8080'],
    ['::1', 8080, 'http://[::1]:8080'],
    ['site.example', 8080, 'http://site.example:8080'],
  ])('reaches a server on %s port %i under %s', (host, port, origin) => {
    expect(listeningAddress({ host, port })).toBe(origin);
  });

  it('follows the prefix of the gateway and the APIs that are on', () => {
    const options = {
      originOf: () => 'http://127.0.0.1:1',
      prefix: '/content',
      shown: { bannersKey: null, credentials: null, pageToken: null },
    };
    const lines = curlLines({ ...options, apis: ['gateway'] });
    expect(lines.every(({ url }) => url.startsWith('http://127.0.0.1:1/content/v1/'))).toBe(true);
    expect(curlLines({ ...options, apis: ['banners'] }).map(({ url }) => url)).toEqual([
      'http://127.0.0.1:1/banners/api.php',
      'http://127.0.0.1:1/banners/api.php/ads?limit=3&fields=id,name,clicks',
      'http://127.0.0.1:1/banners/api.php/stats/top-ads?period=last_7_days&limit=3',
      'http://127.0.0.1:1/banners/api.php/slots/header?limit=2',
    ]);
  });
});

async function serve(store: Store): Promise<string> {
  const running = await startSite({
    store,
    registry: buildRegistry([]),
    env: {},
    clock: systemClock,
    log: () => undefined,
    secret: 'a root secret for tests, long enough',
    version: '0.0.0-test',
    apis: apiNames,
    host: '127.0.0.1',
    port: 0,
    limits: { announceMs: 0 },
  });
  opened.push(running);
  return `http://127.0.0.1:${running.server.port}`;
}

const run = promisify(execFile);

/** Runs every printed line in a shell, against the given server; gives what each answer is about. */
async function paste({ requests }: DemoData, site: string): Promise<Record<string, unknown>> {
  const cwd = await makeTempDir('demo');
  const answers: Record<string, unknown> = {};
  for (const { shows, line } of requests) {
    const { stdout } = await run('sh', ['-c', line.replaceAll('http://127.0.0.1:8080', site)], { cwd });
    answers[shows] = summary(JSON.parse(stdout));
  }
  return answers;
}

const expectedAnswers = {
  'Whether it is up': 'ok',
  'The newest three pages': '3 records',
  'A page by its URI': 'Corrie 2 Storm',
  'A range with what stands above and below it': 'Backpacks',
  'Template variables': 'Corrie 2 Storm',
  'Search for a word': '3 records',
  'The journal, a context of its own': '3 records',
  'With the key: what is not published': '3 records',
  'Create a page': 'Spring tour',
  'Change a page': 'Backpacks',
  'Delete a page': 'deleted',
  'Restore it': 'Corrie 2 Storm',
  'Log in, as a browser would': 'session of editor',
  'Change a page as this user, with the token of the session': 'Backpacks',
  'Page delivery: its description': 'openapi 3.1.1',
  'Published pages': '3 pages',
  'A page as HTML': 'Repairs',
  'The campaign as visitors with the poster see it': 'Winter 2026',
  'What was published or withdrawn since the beginning': '3 pages',
  'Banners: version and routes': 'Banner API',
  'Banners: three of them': '3 records',
  'Banners: the best of the week': '3 records',
  'Banners: what to show in the header now': '2 records',
};

/** What an answer is about, in a word or two; of an error its code. */
function summary(body: {
  readonly data?: unknown;
  readonly openapi?: string;
  readonly code?: string;
  readonly object?: { readonly items?: readonly unknown[]; readonly resource?: { readonly pagetitle: string } };
}): unknown {
  const { data, object } = body;
  if (object !== undefined) return object.items ? `${object.items.length} pages` : object.resource?.pagetitle;
  if (body.openapi !== undefined) return `openapi ${body.openapi}`;
  if (body.code !== undefined) return `${body.code} ${JSON.stringify(body)}`;
  if (Array.isArray(data)) return `${data.length} records`;
  const record: Record<string, unknown> = typeof data === 'object' && data !== null ? { ...data } : {};
  if (record['permanent'] === false) return 'deleted';
  if (record['csrf_token'] !== undefined) return `session of ${Object(record['user']).username}`;
  return record['pagetitle'] ?? record['status'] ?? record['name'];
}
