/** `hcd init`: questions and their flags, what it finds in a database, the file it writes, and what it leaves alone. */
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { createDeps } from '../../commands/deps.js';
import { Interrupted } from '../../commands/exit-codes.js';
import { command as init } from '../../commands/init.js';
import type { Prompt } from '../../commands/prompt.js';
import { createIo } from '../../commands/streams.js';
import { systemClock } from '../../src/clock/clock.js';
import { readSystemSettings } from '../../src/content/models/settings.js';
import { listKeys } from '../../src/identity/keys/manage-keys.js';
import { readTables } from '../../src/store/base/columns.js';
import { openStore, type Store } from '../../src/store/open/open.js';
import { type CliOptions, type CliOutcome, runCli } from '../support/cli.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { describeWithFixture, loadFixture } from '../support/fixture.js';
import { migrate } from '../support/migrate.js';
import { makeTempDir } from '../support/temp-dir.js';
import { refused } from './outcomes.js';

const opened: Store[] = [];

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function open(databaseUrl: string, prefix = 'modx_'): Promise<Store> {
  const store = await openStore({ databaseUrl, prefix });
  opened.push(store);
  return store;
}

function run(cwd: string, line: string | readonly string[], options: CliOptions = {}): Promise<CliOutcome> {
  return runCli(line, { cwd, openStore, clock: systemClock, ...options });
}

async function runtimeSettings(databaseUrl: string): Promise<Record<string, string>> {
  const rows = await readSystemSettings((await open(databaseUrl)).content, 'modx_');
  return Object.fromEntries(
    rows.filter(({ key }) => /^(?:gateway|pages|banners)_/.test(key)).map(({ key, value }) => [key, value]),
  );
}

/** Name and scopes of every key. */
async function keysOf(databaseUrl: string): Promise<[string | null, readonly string[]][]> {
  return (await listKeys(await open(databaseUrl), systemClock.now())).map(({ name, scopes }) => [name, scopes]);
}

async function configOf(cwd: string): Promise<Record<string, unknown>> {
  const { stdout } = await run(cwd, 'config show --json');
  const rows: { name: string; value: unknown; source: string }[] = JSON.parse(stdout).data;
  return Object.fromEntries(rows.filter(({ source }) => source === 'file').map(({ name, value }) => [name, value]));
}

describe('hcd init --yes', () => {
  it('writes a file that the server starts with, in an empty folder', async () => {
    const cwd = await makeTempDir('init');
    const outcome = await run(cwd, 'init --yes');
    expect({ ...outcome, stdout: outcome.stdout.replace(/gk_[0-9a-f]{16}_[0-9A-Za-z]{49}/g, 'KEY') }).toEqual({
      code: 0,
      stdout: [
        `Wrote ${cwd}/hcd.toml`,
        '# It contains a new root secret: keep a copy, because backups do not contain it.',
        '# API key with the scopes resources.read',
        'key: KEY',
        '',
        'Next:',
        '  hcd doctor  # find problems',
        '  hcd serve   # http://127.0.0.1:8080',
        '  hcd element create template NAME  # begin the content',
        'Then open: http://127.0.0.1:8080/api/v1/docs  # API reference',
        "  curl -H 'Authorization: Bearer KEY' 'http://127.0.0.1:8080/api/v1/resources?limit=3'",
        '',
      ].join('\n'),
      stderr: `New embedded database: ${cwd}/hcd.sqlite\nCopy the key now: it is not shown again.\n`,
    });
    expect((await stat(join(cwd, 'hcd.toml'))).mode & 0o777).toBe(0o600);
    expect(readdirSync(cwd).sort()).toEqual(['hcd.sqlite', 'hcd.toml']);
    expect(await configOf(cwd)).toEqual({
      database: `sqlite:${cwd}/hcd.sqlite`,
      content_prefix: 'modx_',
      host: '127.0.0.1',
      port: 8080,
      secret: '********',
    });
    expect(await readFile(join(cwd, 'hcd.toml'), 'utf8')).toMatch(/^secret = "[\w-]{43}"$/m);
    // Defaults need no rows; a new store is strict.
    const strict = { gateway_tv_validation: 'strict' };
    expect(await runtimeSettings(`sqlite:${cwd}/hcd.sqlite`)).toEqual(strict);
    const served = await run(cwd, 'serve --port 0', { stop: AbortSignal.abort(new Interrupted('SIGTERM')) });
    expect([served.code, /^listening on http:\/\/127\.0\.0\.1:\d+$/m.test(served.stderr)]).toEqual([0, true]);
    const examined = await run(cwd, 'doctor --json --database sqlite:hcd.sqlite');
    expect([examined.code, examined.stderr]).toEqual([0, '0 errors, 1 warning.\n']);
    await run(cwd, 'init --yes --force --site-url https://example.com/shop/');
    expect(await runtimeSettings(`sqlite:${cwd}/hcd.sqlite`)).toEqual({
      ...strict,
      gateway_site_url: 'https://example.com/shop',
    });
    expect((await run(cwd, 'doctor --json')).stderr).toBe('No problems found.\n');
  });

  it('keeps a root secret that is there: of the environment, of a replaced file, of the database', async () => {
    const secretIn = async (cwd: string): Promise<string | undefined> =>
      /^secret = "(.*)"$/m.exec(await readFile(join(cwd, 'hcd.toml'), 'utf8'))?.[1];
    const given = await makeTempDir('init');
    await run(given, 'init --yes', { env: { HCD_SECRET: 'a root secret for tests' } });
    expect(await secretIn(given)).toBeUndefined();

    const replaced = await makeTempDir('init');
    await run(replaced, 'init --yes');
    const first = await secretIn(replaced);
    await run(replaced, 'init --yes --force --without-key');
    expect([first?.length, await secretIn(replaced)]).toEqual([43, first]);

    const stored = await makeTempDir('init');
    const database = ['--database', `sqlite:${stored}/hcd.sqlite`].join(' ');
    await run(stored, `migrate ${database}`);
    await run(stored, `webhook add --url https://x.example/ --events resource.updated ${database}`);
    const outcome = await run(stored, 'init --yes');
    expect([outcome.code, await secretIn(stored)]).toEqual([0, undefined]);
    expect(outcome.stdout).not.toContain('root secret');
  });

  it('takes every answer from a flag and stores what it says', async () => {
    const cwd = await makeTempDir('init');
    const line = 'init --yes --json --database sqlite:./data/x.sqlite --content-prefix site_ --apis pages,banners';
    const outcome = await run(cwd, `${line} --host 0.0.0.0 --port 81`);
    const { data } = JSON.parse(outcome.stdout);
    expect(data).toEqual({
      file: `${cwd}/hcd.toml`,
      database: 'sqlite:./data/x.sqlite',
      own_database: null,
      kind: 'own',
      content_prefix: 'site_',
      apis: ['pages', 'banners'],
      host: '0.0.0.0',
      port: 81,
      demo: false,
      starter: null,
      banners_api_key: expect.stringMatching(/^[0-9a-f]{32}$/),
      // The gateway stays off.
      page_token: null,
      key: null,
      user: null,
    });
    expect(await readFile(join(cwd, 'hcd.toml'), 'utf8')).toContain('\ndatabase = "sqlite:./data/x.sqlite"\n');
    const rows = await readSystemSettings((await open(`sqlite:${cwd}/data/x.sqlite`, 'site_')).content, 'site_', [
      'gateway_enabled',
      'pages_rest_api_enabled',
      'banners_api_enabled',
      'banners_api_key',
    ]);
    expect(rows.map(({ key, value, namespace }) => [key, value, namespace])).toEqual([
      ['banners_api_enabled', '1', 'hcd_banners'],
      ['banners_api_key', data.banners_api_key, 'hcd_banners'],
      ['gateway_enabled', '0', 'hcd_gateway'],
      ['pages_rest_api_enabled', '1', 'hcd_pages'],
    ]);
    expect(outcome.stderr).toContain('To show the banner key again');
  });

  it.each(['8080', '127.0.0.1:8080', '1.2.3', 'http://site', '-site', 'a..b', 'x'.repeat(64), '', '[::1]'])(
    'refuses the host "%s"',
    async (host) => {
      const outcome = await run(await makeTempDir('init'), ['init', '--yes', `--host=${host}`]);
      expect([outcome.code, outcome.stderr]).toEqual([2, expect.stringContaining('--host must be a host name or IP')]);
    },
  );

  it('loads the sample site with --demo and prints what to try', async () => {
    const cwd = await makeTempDir('init');
    const outcome = await run(cwd, 'init --yes --demo --apis gateway');
    expect(outcome.code).toBe(0);
    expect(outcome.stdout.match(/^curl -s /gm)).toHaveLength(5);
    expect(outcome.stdout).not.toContain('banners');
    expect(outcome.stdout).toMatch(
      /^key: gk_\w+\n# User who can log in and edit\nusername: editor\npassword: \w{20}$/m,
    );
    expect(outcome.stdout).toMatch(/-H "Authorization: Bearer gk_\w+" /);
    expect(outcome.stderr).toContain('Copy the API key and the password now: they are not shown again.\n');
    expect(await keysOf(`sqlite:${cwd}/hcd.sqlite`)).toEqual([['demo', ['*']]]);
    expect(readdirSync(join(cwd, 'files')).sort()).toEqual(['documents', 'pictures']);
    expect((await run(cwd, 'doctor --json')).stdout).toContain('store made by hcd, 386 resources, prefix modx_');
  });

  it.each(['blog', 'docs', 'shop'])('begins with the files of the starter %s, which are the site', async (starter) => {
    const cwd = await makeTempDir('init');
    const outcome = await run(cwd, `init --yes --starter ${starter} --site-url https://site.example`);
    expect(outcome.code).toBe(0);
    expect(outcome.stdout).toContain(`# The site ${starter}: change its files, then hcd import .`);
    expect((await run(cwd, 'doctor')).stderr).toBe('No problems found.\n');
    expect(JSON.parse((await run(cwd, 'resource list --json')).stdout).data.length).toBeGreaterThan(7);
    expect(await run(cwd, 'diff .')).toMatchObject({ code: 0, stdout: '' });
    if (starter !== 'blog') return;
    expect((await run(cwd, 'export .')).stdout).toContain(', 0 removed.');
    expect(await readFile(join(cwd, '.gitignore'), 'utf8')).toBe('hcd.toml\nhcd.sqlite\nhcd.sqlite-*\n');
    expect(await run(cwd, 'diff .')).toMatchObject({ code: 0, stdout: '' });
    expect((await run(cwd, `init --yes --force --starter ${starter} --database sqlite:other.sqlite`)).stderr).toBe(
      `hcd: ${cwd}/.gitify already exists: a starter needs a folder without a site\n`,
    );
    await rm(join(cwd, '.gitify'));
    await rm(join(cwd, '_data'), { recursive: true });
    expect((await run(cwd, `init --yes --force --starter ${starter}`)).stderr).toContain(
      'A starter needs a database without content',
    );
  });

  it('makes a first key with the scopes of a flag, and no second one', async () => {
    const cwd = await makeTempDir('init');
    const line = 'init --yes --json --key-scopes resources.read,preview';
    const { key, user } = JSON.parse((await run(cwd, line)).stdout).data;
    expect([key, user]).toEqual([
      {
        id: 1,
        name: 'first key',
        key: expect.stringMatching(/^gk_[0-9a-f]{16}_[0-9A-Za-z]{49}$/),
        lookup_id: expect.stringMatching(/^[0-9a-f]{16}$/),
        scopes: ['resources.read', 'preview'],
        expires_on: null,
      },
      null,
    ]);
    const again = await run(cwd, 'init --yes --json --force');
    expect([again.code, JSON.parse(again.stdout).data.key]).toEqual([0, null]);
    expect(again.stderr).toBe('Found: store made by hcd, 0 resources, prefix modx_.\n');
    expect(await keysOf(`sqlite:${cwd}/hcd.sqlite`)).toEqual([['first key', ['resources.read', 'preview']]]);
  });

  it.each(['--without-key', '--apis pages'])('makes no key with %s', async (flag) => {
    const cwd = await makeTempDir('init');
    const outcome = await run(cwd, `init --yes ${flag}`);
    expect([outcome.code, outcome.stdout.includes('key:')]).toEqual([0, false]);
    expect(await keysOf(`sqlite:${cwd}/hcd.sqlite`)).toEqual([]);
  });

  it('writes no file for a scope that is not known, and can be repeated', async () => {
    const cwd = await makeTempDir('init');
    const outcome = await run(cwd, 'init --yes --key-scopes resource.read');
    expect([outcome.code, existsSync(join(cwd, 'hcd.toml'))]).toEqual([1, false]);
    expect(outcome.stderr).toContain('There is no scope resource.read; did you mean resources.read?');
    expect((await run(cwd, 'init --yes')).code).toBe(0);
  });

  it.each([
    ['the flag', '--own-database sqlite:./own.sqlite', {}],
    ['the environment', '', { HCD_OWN_DATABASE_URL: 'sqlite:./own.sqlite' }],
  ])('keeps the tables of the program in another database, named by %s', async (_name, flag, env) => {
    const cwd = await makeTempDir('init');
    const outcome = await run(cwd, `init --yes --json ${flag}`, { env });
    expect(JSON.parse(outcome.stdout).data).toMatchObject({
      own_database: `sqlite:${cwd}/own.sqlite`,
      key: { name: 'first key' },
    });
    const written = (await configOf(cwd))['own_database'];
    expect(written).toBe(flag === '' ? undefined : `sqlite:${cwd}/own.sqlite`);
    const content = await readTables((await open(`sqlite:${cwd}/hcd.sqlite`)).content.primary, '');
    expect([content.has('modx_site_content'), content.has('hcd_api_keys')]).toEqual([true, false]);
    expect(await keysOf(`sqlite:${cwd}/own.sqlite`)).toHaveLength(1);
    const served = await run(cwd, 'serve --port 0', { env, stop: AbortSignal.abort(new Interrupted('SIGTERM')) });
    expect(served.code).toBe(0);
    // What is there is seen the second time.
    const again = await run(cwd, `init --yes --json --force ${flag}`, { env });
    expect(JSON.parse(again.stdout).data.key).toBeNull();
  });

  it('keeps an existing file, whatever stands in it, and touches no database', async () => {
    const cwd = await makeTempDir('init');
    await writeFile(join(cwd, 'hcd.toml'), 'not toml');
    const outcome = await run(cwd, 'init --yes');
    expect(outcome).toEqual(refused(`hcd: ${cwd}/hcd.toml already exists. Replace it with --force\n`));
    expect([await readFile(join(cwd, 'hcd.toml'), 'utf8'), readdirSync(cwd)]).toEqual(['not toml', ['hcd.toml']]);
  });

  it('replaces it with --force, readable by its owner only', async () => {
    const cwd = await makeTempDir('init');
    await writeFile(join(cwd, 'hcd.toml'), 'not toml', { mode: 0o644 });
    expect((await run(cwd, 'init --yes --force --port 82')).code).toBe(0);
    expect((await configOf(cwd))['port']).toBe(82);
    expect((await stat(join(cwd, 'hcd.toml'))).mode & 0o777).toBe(0o600);
    expect(readdirSync(cwd).sort()).toEqual(['hcd.sqlite', 'hcd.toml']);
  });

  it('names the database absolutely in a file of another folder', async () => {
    const cwd = await makeTempDir('init');
    await mkdir(join(cwd, 'etc'));
    const outcome = await run(cwd, 'init --yes --config etc/site.toml');
    expect(outcome.stdout).toContain('  hcd serve --config etc/site.toml   # ');
    const { stdout } = await run(cwd, 'config show --json --config etc/site.toml');
    expect(JSON.parse(stdout).data[0]).toMatchObject({
      name: 'database',
      value: `sqlite:${cwd}/hcd.sqlite`,
      source: 'file',
    });
    expect(readdirSync(join(cwd, 'etc'))).toEqual(['site.toml']);
  });

  it('refuses a folder that is not there before it makes anything', async () => {
    const cwd = await makeTempDir('init');
    const outcome = await run(cwd, 'init --yes --config missing/site.toml');
    expect([outcome.code, readdirSync(cwd)]).toEqual([1, []]);
    expect(outcome.stderr).toContain('its folder is missing or not writable');
  });

  it('writes nothing when the database does not answer', async () => {
    const cwd = await makeTempDir('init');
    const outcome = await run(cwd, 'init --yes --database mariadb://hcd:geheim@127.0.0.1:1/site');
    expect([outcome.code, readdirSync(cwd)]).toEqual([3, []]);
    expect(outcome.stderr).toContain('nothing answers at 127.0.0.1:1');
    expect(outcome.stderr).not.toContain('geheim');
  });

  it('says what the environment fixes', async () => {
    const cwd = await makeTempDir('init');
    const outcome = await run(cwd, 'init --yes --apis gateway,pages', { env: { HCD_PAGES_REST_API_ENABLED: '0' } });
    expect(outcome.stderr).toContain('pages_rest_api_enabled keeps the value of HCD_');
  });

  it.each([
    ['--apis nothing', '--apis must be'],
    ['--without-key --key-scopes preview', '--without-key cannot be combined with --key-scopes'],
    ['--demo --starter blog', '--starter cannot be combined with the sample site'],
    ['--demo --key-scopes preview', '--key-scopes cannot be combined with the sample site'],
    ['--own-database x', '--own-database must be'],
    ['--port 99999', '--port must be an integer from 0 to 65535'],
    ['--content-prefix a.b', '--content-prefix must be'],
  ])('refuses %s', async (flags, message) => {
    const cwd = await makeTempDir('init');
    const outcome = await run(cwd, `init --yes ${flags}`);
    expect([outcome.code, outcome.stderr.includes(message), readdirSync(cwd)]).toEqual([2, true, []]);
  });
});

describeEachDatabase('hcd init on a database with content tables', (database) => {
  async function withTables(...prefixes: string[]): Promise<string> {
    const url = await database.url();
    const [first = 'modx_', ...others] = prefixes;
    await migrate({ databaseUrl: url, prefix: first });
    const store = await open(url, first);
    await store.content.write(async (tx) => {
      for (const prefix of others) {
        for (const name of ['site_content', 'system_settings']) {
          await tx.run({ sql: `CREATE TABLE ${prefix}${name} (id integer PRIMARY KEY)`, params: [] });
        }
      }
    });
    return url;
  }

  it('finds the prefix when there is one', async () => {
    const cwd = await makeTempDir('init');
    const outcome = await run(cwd, ['init', '--yes', '--database', await withTables('shop_')]);
    expect([outcome.code, (await configOf(cwd))['content_prefix']]).toEqual([0, 'shop_']);
    expect(outcome.stderr).toBe(
      'Found: no content tables with the prefix modx_, but with the prefix shop_.\nFound: store made by hcd, 0 resources, prefix shop_.\nCopy the key now: it is not shown again.\n',
    );
  });

  it('asks for the prefix when there are several', async () => {
    const cwd = await makeTempDir('init');
    const outcome = await run(cwd, ['init', '--yes', '--database', await withTables('shop_', 'old_')]);
    expect([outcome.code, existsSync(join(cwd, 'hcd.toml'))]).toEqual([2, false]);
    expect(outcome.stderr).toContain(
      '--content-prefix is required: the database has content tables with the prefixes ',
    );
  });
});

describeWithFixture('hcd init on an existing site', () => {
  it('says what it found and adds nothing but tables of its own', async () => {
    const cwd = await makeTempDir('init');
    const url = await loadFixture();
    const before = [...(await readTables((await open(url)).content.primary, '')).keys()];
    const outcome = await run(cwd, ['init', '--yes', '--database', url]);
    expect([outcome.code, outcome.stderr]).toEqual([
      0,
      'Found: MODX 3.1.0-dev site, 532 resources, prefix modx_.\nGuides: docs/modx.md works next to the CMS, docs/leave-modx.md leaves it.\nCopy the key now: it is not shown again.\n',
    ]);
    const after = [...(await readTables((await open(url)).content.primary, '')).keys()];
    const added = after.filter((name) => !before.includes(name));
    expect(added.length).toBeGreaterThan(0);
    expect(added.filter((name) => !name.startsWith('hcd_'))).toEqual([]);
    expect(await runtimeSettings(url)).toEqual({});
  });
});

interface Asked {
  readonly kind: string;
  readonly message: string;
  readonly flag: string;
}

/** Answers by the message of the question; a list gives one answer after the other. */
async function interview(
  cwd: string,
  answers: Readonly<Record<string, unknown>>,
  texts: Readonly<Record<string, string>> = {},
): Promise<{ asked: readonly Asked[]; said: string; data: unknown }> {
  const asked: Asked[] = [];
  const queues = new Map(Object.entries(answers).map(([message, answer]) => [message, [answer].flat(1)]));
  const answer = <T>(kind: string, question: { message: string; flag: string }): Promise<T> => {
    asked.push({ kind, message: question.message, flag: question.flag });
    const queue = queues.get(question.message);
    if (queue === undefined || queue.length === 0) throw new Error(`no answer to "${question.message}"`);
    return Promise.resolve(decode<T>(queue.shift()));
  };
  const prompt: Prompt = {
    isInteractive: true,
    text: async (question) => {
      const text = await answer<string>('text', question);
      expect([question.message, question.check?.(text) ?? null]).toEqual([question.message, null]);
      return text;
    },
    confirm: async (question) => {
      const agreed = await answer<boolean | 'default'>('confirm', question);
      return agreed === 'default' ? (question.default ?? false) : agreed;
    },
    choose: (question) => answer('choose', question),
    chooseMany: (question) => answer('chooseMany', question).then((chosen) => [chosen].flat(1) as never),
    password: (question) => answer('password', question),
  };
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const io = createIo(streams, { env: {}, noColor: true });
  const stop = new AbortController().signal;
  const host = {
    streams,
    env: {},
    cwd,
    clock: systemClock,
    openStore,
    canListen: async () => true,
    stop,
    writer: 'cli' as const,
  };
  const flags = { database: undefined, config: undefined, json: false, quiet: false, noColor: true, yes: false };
  const { deps, close } = createDeps(host, { io, flags, version: '0.0.0-test' });
  const options = new Map(Object.entries(texts).map(([name, text]) => [name, [text]]));
  try {
    const result = await init.bind(options).run({ ...deps, prompt });
    return { asked, said: String(streams.stderr.read() ?? ''), data: 'data' in result ? result.data : null };
  } finally {
    await close();
  }
}

/** The answers of a test have the types of its questions. */
function decode<T>(value: unknown): T {
  return value as T;
}

const siteUrl = 'Address of the site for its visitors, such as https://example.com (empty: not known yet)';
const beginning = 'What does the site begin with?';
const where = 'Where is the content stored?';
const embedded = 'An embedded database in a file';
const server = 'A MariaDB or MySQL server';
const address = 'Database URL (mariadb://USER@HOST:PORT/DATABASE)';

const texts = { host: '127.0.0.1', port: '84', siteUrl: 'https://example.com' };

describe('the questions of hcd init', () => {
  it('come in order, each with its flag, and their answers count', async () => {
    const cwd = await makeTempDir('init');
    const { asked, said, data } = await interview(cwd, {
      [where]: embedded,
      'Database file': 'site.sqlite',
      'Load the sample site?': false,
      [beginning]: 'nothing',
      'Which APIs do you want to turn on?': [['gateway', 'pages']],
      'Create a first API key?': 'default',
      [siteUrl]: 'https://example.com',
      'Scopes of the key, separated by commas': 'resources.read,preview',
      'Address to listen on': '::1',
      'Port to listen on': '83',
    });
    expect(asked.map(({ kind, flag }) => `${kind} ${flag}`)).toEqual([
      'choose --database',
      'text --database',
      'confirm --demo',
      'choose --starter',
      'chooseMany --apis',
      'text --site-url',
      'confirm --without-key',
      'text --key-scopes',
      'text --host',
      'text --port',
    ]);
    expect(said).toBe(`New embedded database: ${cwd}/site.sqlite\n`);
    expect(data).toMatchObject({
      database: 'sqlite:site.sqlite',
      apis: ['gateway', 'pages'],
      host: '::1',
      port: 83,
      demo: false,
      key: { name: 'first key', scopes: ['resources.read', 'preview'] },
    });
    expect(await configOf(cwd)).toMatchObject({ database: `sqlite:${cwd}/site.sqlite`, host: '::1', port: 83 });
  });

  it('are left out where a flag has answered', async () => {
    const cwd = await makeTempDir('init');
    const answers = { [where]: embedded, 'Database file': 'x.sqlite', 'Load the sample site?': true };
    const { asked, data } = await interview(cwd, answers, { ...texts, apis: 'gateway' });
    expect(asked).toHaveLength(3);
    expect(data).toMatchObject({ demo: true, apis: ['gateway'], port: 84 });
  });

  it('are asked again after a database that does not answer; the password is asked for hidden', async () => {
    const cwd = await makeTempDir('init');
    const { asked, said, data } = await interview(
      cwd,
      {
        [where]: [server, embedded],
        [address]: 'mariadb://hcd@127.0.0.1:1/site',
        'Password (empty for none)': 'p@ss/word',
        'Database file': 'x.sqlite',
        'Load the sample site?': false,
        [beginning]: 'nothing',
      },
      { ...texts, apis: 'pages' },
    );
    expect(asked.map(({ kind }) => kind)).toEqual([
      ...['choose', 'text', 'password', 'choose', 'text', 'confirm', 'choose'],
    ]);
    expect(said).toContain('The database mariadb://hcd:***@127.0.0.1:1/site cannot be opened: nothing answers');
    expect(data).toMatchObject({ database: 'sqlite:x.sqlite' });
  });
});

describeEachDatabase('the prefix question of hcd init', (database) => {
  it('offers the tables that are there', async () => {
    const cwd = await makeTempDir('init');
    const url = await database.url();
    await migrate({ databaseUrl: url, prefix: 'shop_' });
    const { said, data } = await interview(
      cwd,
      {
        [where]: database.name === 'sqlite' ? embedded : server,
        'Database file': url.replace('sqlite:', ''),
        [address]: url,
        'Password (empty for none)': '',
        'Which content tables do you want to use?': 'Existing tables with the prefix shop_',
        'Load the sample site?': false,
        [beginning]: 'nothing',
      },
      { ...texts, apis: 'pages' },
    );
    expect(said).toContain('Found: store made by hcd, 0 resources, prefix shop_.\n');
    expect(data).toMatchObject({ content_prefix: 'shop_', kind: 'own' });
  });

  it('asks for another database when the one named as a site of the CMS is none', async () => {
    const cwd = await makeTempDir('init');
    const url = await database.url();
    await open(url);
    const { said, data } = await interview(
      cwd,
      {
        [where]: ['The database of an existing MODX site', embedded],
        [address]: url,
        'Password (empty for none)': '',
        'Database file': (await freshSqliteUrl()).replace('sqlite:', ''),
        'Load the sample site?': false,
        [beginning]: 'nothing',
      },
      { ...texts, apis: 'pages' },
    );
    expect(said).toContain('This is not the database of a MODX site.\n');
    expect(data).toMatchObject({ kind: 'own' });
  });
});

describe('a folder that may not be written', () => {
  it.skipIf(process.getuid?.() === 0)('is refused before anything is asked', async () => {
    const cwd = await makeTempDir('init');
    await chmod(cwd, 0o500);
    const outcome = await run(cwd, 'init --yes');
    await chmod(cwd, 0o700);
    expect([outcome.code, readdirSync(cwd)]).toEqual([1, []]);
  });
});
