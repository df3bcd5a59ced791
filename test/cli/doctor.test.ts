/** `hcd doctor`: every check finds what it is there for, says what to do, and changes nothing. */
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, open as openFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createProgram } from '../../commands/program.js';
import { systemClock } from '../../src/clock/clock.js';
import type { FixCommand } from '../../src/operations/doctor/check.js';
import { type CheckRow, checks } from '../../src/operations/doctor/run-checks.js';
import { readTables } from '../../src/store/base/columns.js';
import { maintenanceLimits } from '../../src/store/base/limits.js';
import { openStore, type Store } from '../../src/store/open/open.js';
import { findCycles } from '../../src/values/find-cycles.js';
import { type CliOptions, type CliOutcome, runCli } from '../support/cli.js';
import { describeEachDatabase, describeWithMariadb, freshMariadbUrl, freshSqliteUrl } from '../support/databases.js';
import { describeWithFixture, loadFixture } from '../support/fixture.js';
import { expectGolden } from '../support/golden.js';
import { migrate } from '../support/migrate.js';
import { makeTempDir } from '../support/temp-dir.js';

const opened: Store[] = [];

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

/** What the test itself asks may take as long as it needs. */
async function open(databaseUrl: string): Promise<Store> {
  const store = await openStore({ databaseUrl, prefix: 'modx_', limits: maintenanceLimits });
  opened.push(store);
  return store;
}

async function openMigrated(databaseUrl: string): Promise<Store> {
  await migrate({ databaseUrl, prefix: 'modx_' });
  return open(databaseUrl);
}

async function change(store: Store, statements: readonly string[]): Promise<void> {
  await store.content.write(async (tx) => {
    for (const sql of statements) await tx.run({ sql, params: [] });
  });
}

/** Without a root secret, or an address of the site, there is always a warning. */
const secretSet = { HCD_SECRET: 'a root secret for tests', HCD_GATEWAY_SITE_URL: 'https://example.com' };

interface Examined extends CliOutcome {
  readonly rows: readonly CheckRow[];
}

async function doctor(databaseUrl: string, options: CliOptions = {}): Promise<Examined> {
  const env = { HCD_DATABASE_URL: databaseUrl, ...options.env };
  const outcome = await runCli('doctor --json', { clock: systemClock, openStore, ...options, env });
  const { data: rows }: { readonly data: readonly CheckRow[] } = JSON.parse(outcome.stdout);
  for (const { command } of rows) if (command !== undefined) await expectOffered(command);
  return { ...outcome, rows };
}

/** Programs that offer a fix need a command that is there. */
async function expectOffered({ path, arguments: given, options }: FixCommand): Promise<void> {
  const command = await createProgram().load(path);
  const flags = Object.values(command.options).map(({ label }) => label);
  expect(Object.keys(options).filter((name) => !flags.includes(`--${name}`))).toEqual([]);
  expect(given.length).toBeLessThanOrEqual(Object.keys(command.arguments).length);
}

/** State and detail of the findings of one check. */
function found({ rows }: Examined, check: string): [string, string][] {
  return rows.filter((row) => row.check === check).map(({ state, detail }) => [state, detail]);
}

function problems({ rows }: Examined): string[] {
  return rows.filter(({ state }) => state !== 'ok').map(({ check, state, detail }) => `${state} ${check}: ${detail}`);
}

const resource = (id: number, values: Readonly<Record<string, string | number>>): string => {
  const row = { id, pagetitle: 'A page', description: '', published: 1, uri: `page-${id}.html`, ...values };
  const names = Object.keys(row).map((name) => `\`${name}\``);
  const texts = Object.values(row).map((value) =>
    typeof value === 'number' ? value : value === 'NULL' ? value : `'${value}'`,
  );
  return `INSERT INTO modx_site_content (${names.join(', ')}) VALUES (${texts.join(', ')})`;
};

const setting = (key: string, value: string): readonly string[] => [
  `DELETE FROM modx_system_settings WHERE \`key\` = '${key}'`,
  `INSERT INTO modx_system_settings (\`key\`, value) VALUES ('${key}', '${value}')`,
];

/** A key as a row; `expiresIn` is in days. */
const key = (name: string, { scopes, expiresIn, userId = null }: KeyRow): string => {
  const expires = expiresIn === null ? 'NULL' : systemClock.now() + expiresIn * 86_400_000;
  return `INSERT INTO hcd_api_keys (lookup_id, secret_hash, name, scopes, user_id, expires_on, created_on, created_by)
    VALUES ('${name.padEnd(16, '0')}', 'x', '${name}', '["${scopes}"]', ${userId ?? 'NULL'}, ${expires}, 1, 'test')`;
};

interface KeyRow {
  readonly scopes: string;
  readonly expiresIn: number | null;
  readonly userId?: number | null;
}

const client = (id: string, scope: string, revokedOn: string): string =>
  `INSERT INTO hcd_oauth_clients (client_id, secret_hash, name, scopes, grants, revoked_on, created_on, created_by)
   VALUES ('${id}', 'x', '${id}', '${scope}', 'client_credentials', ${revokedOn}, 1, 'test')`;

const user = (name: string, hashClass: string, hash: string, active = 1): string =>
  `INSERT INTO modx_users (username, hash_class, password, active) VALUES ('${name}', '${hashClass}', '${hash}', ${active})`;

/** What is in a store that is not in order, and the check that finds it. */
const ailments: readonly [name: string, check: string, statements: readonly string[]][] = [
  ['no address of the site', 'site-url', []],
  [
    'two published resources with one URI, of which the first by parent and menuindex is served',
    'duplicate-uris',
    [
      resource(1, { uri: 'same.html', menuindex: 2 }),
      resource(2, { uri: 'same.html', menuindex: 1 }),
      resource(3, { uri: 'Same.html' }),
      resource(4, { uri: 'same.html', context_key: 'mgr' }),
      resource(5, { uri: 'same.html', deleted: 1 }),
      resource(6, { uri: 'same.html', published: 0 }),
    ],
  ],
  [
    'URIs that no request can reach',
    'unreachable-uris',
    [
      ...['/slash', 'a//b', 'a?b', 'a#b', 'http://x.example/', '../up', 'a/./b'].map((uri, at) =>
        resource(at + 1, { uri }),
      ),
      resource(8, { uri: `long/${'é'.repeat(1022)}` }),
      ...[`long/${'é'.repeat(1021)}`, 'a/', 'a.b/c', 'a/.well-known', 'a/b:c', ''].map((uri, at) =>
        resource(at + 20, { uri }),
      ),
      resource(40, { uri: '/deleted', deleted: 1 }),
    ],
  ],
  [
    'pictures that are not there, beside an address and a tag',
    'pictures',
    [
      "INSERT INTO modx_site_tmplvars (id, name, type, elements) VALUES (1, 'cover', 'image', ''), (2, 'note', 'text', '')",
      ...['img/none.jpg', 'https://x.example/a.jpg', '[[*cover]]', ''].map(
        (value, at) =>
          `INSERT INTO modx_site_tmplvar_contentvalues (tmplvarid, contentid, value) VALUES (1, ${at + 1}, '${value}')`,
      ),
      "INSERT INTO modx_site_tmplvar_contentvalues (tmplvarid, contentid, value) VALUES (2, 1, 'img/none.jpg')",
    ],
  ],
  [
    'a URI that only unpublished resources have',
    'duplicate-uris',
    [resource(1, { uri: 'x', published: 0 }), resource(2, { uri: 'x', published: 0 })],
  ],
  [
    'many duplicates',
    'duplicate-uris',
    [...Array(14).keys()].map((n) => resource(n + 1, { uri: `u${String(n % 7)}` })),
  ],
  [
    'keys with every scope and no expiry, keys that expire soon, and keys of users who may not log in',
    'keys',
    [
      key('all', { scopes: '*', expiresIn: null }),
      key('year', { scopes: '*', expiresIn: 365 }),
      key('ended', { scopes: '*', expiresIn: -1 }),
      key('forever', { scopes: 'resources.read', expiresIn: null }),
      key('gone', { scopes: 'resources.read', expiresIn: null, userId: 99 }),
    ],
  ],
  [
    'OAuth clients whose tokens may do everything',
    'oauth-clients',
    [client('web', 'resources.read', 'NULL'), client('all', '*', 'NULL'), client('old', '*', '1')],
  ],
  [
    'passwords that cannot be verified, and weak ones',
    'users',
    [
      user('native', 'hashing.modNative', `$2y$10$${'a'.repeat(53)}`),
      user('locked', 'hashing.modNative', '!'),
      user('weak', 'hashing.modMD5', '0'.repeat(32)),
      user('foreign', 'hashing.acmeLdap', 'x'),
      user('inactive', 'hashing.acmeLdap', 'x', 0),
    ],
  ],
  [
    'settings that protect people and data and are off',
    'safeguards',
    [
      ...setting('gateway_csrf_enabled', '0'),
      ...setting('gateway_idempotency_enabled', '0'),
      ...setting('gateway_oauth_enabled', '1'),
      ...setting('gateway_oauth_password_grant_enabled', '1'),
    ],
  ],
  ['a parent that does not exist', 'parents', [resource(1, { parent: 99 }), resource(2, {})]],
  [
    'parents in a circle, with a branch into it',
    'tree',
    [resource(1, { parent: 2 }), resource(2, { parent: 1 }), resource(3, { parent: 1 }), resource(4, { parent: 4 })],
  ],
  [
    'published resources without URI',
    'friendly-urls',
    [resource(1, { uri: 'NULL' }), resource(2, { uri: '' }), resource(3, { uri: 'NULL', published: 0 })],
  ],
  ['friendly URLs off', 'friendly-urls', [...setting('friendly_urls', '0'), resource(1, { uri: 'NULL' })]],
  [
    'settings with refused values',
    'settings',
    [...setting('gateway_max_limit', 'many'), ...setting('banners_api_key', 'short')],
  ],
  [
    'contexts that do not exist',
    'contexts',
    [...setting('gateway_allowed_contexts', 'web,shop'), ...setting('gateway_context', 'shop')],
  ],
  [
    'a context for requests that is not allowed, and no other that exists',
    'contexts',
    setting('gateway_allowed_contexts', 'shop'),
  ],
  ['a context for requests that is not allowed and does not exist', 'contexts', setting('gateway_context', 'shop')],
  ['alias rules of an extra', 'aliases', setting('friendly_alias_translit', 'russian')],
  ['a missing table', 'tables', ['DROP TABLE modx_site_tmplvar_access']],
  ['a missing column', 'columns', ['ALTER TABLE modx_content_type DROP COLUMN icon']],
  [
    'a database that a newer program migrated',
    'migrations',
    ["INSERT INTO hcd_migrations (name, started_at, applied_at) VALUES ('2099-01-01T01-own-x', 1, 1)"],
  ],
  ['a step that is pending', 'migrations', ["DELETE FROM hcd_migrations WHERE name LIKE '%-content-seed'"]],
];

describeEachDatabase('hcd doctor', (database) => {
  it('finds a fresh store in order and names every check once', async () => {
    const url = await database.url();
    await openMigrated(url);
    const outcome = await doctor(url, { env: secretSet });
    expect([outcome.code, problems(outcome), outcome.stderr]).toEqual([0, [], 'No problems found.\n']);
    expect(outcome.rows.map(({ check }) => check)).toEqual(checks.map(({ name }) => name));
    expect(found(outcome, 'content')).toEqual([['ok', 'store made by hcd, 0 resources, prefix modx_']]);
  });

  it.each(ailments)('finds %s', async (name, check, statements) => {
    const url = await database.url();
    await change(await openMigrated(url), statements);
    const outcome = await doctor(url);
    const rows = outcome.rows.filter((row) => row.check === check);
    const lines = rows.map(({ state, detail, fix }) => `${state}: ${detail}\n  ${fix ?? 'no fix'}\n`);
    expectGolden(`cli/golden/doctor/${name.replace(/\W+/g, '-')}.txt`, `exit code ${outcome.code}\n${lines.join('')}`);
  });

  it('names keys that end within two weeks with their end, and what is in order', async () => {
    const url = await database.url();
    const store = await openMigrated(url);
    const fresh = await doctor(url);
    expect(
      ['keys', 'oauth-clients', 'users', 'safeguards', 'own-tables'].flatMap((check) => found(fresh, check)),
    ).toEqual([
      ['ok', '0 of 0 keys work'],
      ['ok', '0 clients that may get tokens'],
      ['ok', '0 of 0 active users have a password'],
      ['ok', 'cross-site requests and repeated POSTs are caught; no audit log'],
      ['ok', 'in the database of the content: a change, its events and its answer are one transaction'],
    ]);
    await change(store, [
      key('soon', { scopes: 'resources.read', expiresIn: 13 }),
      key('later', { scopes: '*', expiresIn: 15 }),
    ]);
    const [[state, text] = []] = found(await doctor(url), 'keys');
    expect([state, text?.replace(/\d{4}-.*Z/, 'TIME')]).toEqual([
      'warning',
      '1 key expires within 14 days: 1 (soon, TIME)',
    ]);
  });

  it('takes friendly URLs that are off in one context alone as meant so', async () => {
    const url = await database.url();
    const store = await openMigrated(url);
    await change(store, [
      "INSERT INTO modx_context_setting (context_key, `key`, value) VALUES ('mgr', 'friendly_urls', '0')",
      resource(1, { uri: 'NULL', context_key: 'mgr' }),
      resource(2, {}),
    ]);
    const inOrder = [['ok', 'on, but for context mgr, whose URIs stay as they are']];
    expect(found(await doctor(url), 'friendly-urls')).toEqual(inOrder);
    await change(store, [resource(3, { uri: 'NULL' })]);
    const missing = [['warning', '1 published resource has no URI: found by id only']];
    expect(found(await doctor(url), 'friendly-urls')).toEqual(missing);
  });

  it('says what a second database for its own tables cannot promise', async () => {
    const url = await database.url();
    const own = await freshSqliteUrl();
    await migrate({ databaseUrl: url, ownDatabaseUrl: own, prefix: 'modx_' });
    const outcome = await doctor(url, { env: { HCD_OWN_DATABASE_URL: own } });
    expect([outcome.code, found(outcome, 'own-tables')]).toEqual([
      0,
      [
        [
          'warning',
          'in a different database from the content, so a change needs two commits: if hcd is killed or a database fails between them, the change stays without its webhook event, other servers keep older answers for gateway_cache_ttl, and its Idempotency-Key answers 409 as long as it is kept; nothing is done twice',
        ],
      ],
    ]);
  });

  it('finds definitions of objects that a start would refuse', async () => {
    const url = await database.url();
    await openMigrated(url);
    const cwd = await makeTempDir('doctor');
    await mkdir(join(cwd, 'objects'));
    await writeFile(join(cwd, 'objects', 'shop.json'), '{"name": "shop", "table": "nowhere"}');
    const outcome = await doctor(url, { cwd });
    const [first] = found(outcome, 'objects');
    expect([outcome.code, first?.[0], first?.[1]?.startsWith('objects/shop.json')]).toEqual([1, 'error', true]);
  });

  it('says when the tables stand under another prefix', async () => {
    const url = await database.url();
    await openMigrated(url);
    const outcome = await doctor(url, { env: { HCD_CONTENT_PREFIX: 'site_' } });
    expect([outcome.code, outcome.rows.find(({ check }) => check === 'content')]).toEqual([
      1,
      {
        check: 'content',
        state: 'error',
        detail: 'no content tables with the prefix site_, but with the prefix modx_',
        fix: 'Set HCD_CONTENT_PREFIX=modx_',
      },
    ]);
    expect(found(outcome, 'tree')).toEqual([['warning', 'not checked: there are no content tables']]);
  });
});

describe('hcd doctor without a database', () => {
  it('makes no file, and everything that needs one is not checked', async () => {
    const cwd = await makeTempDir('doctor');
    const outcome = await doctor(`sqlite:${join(cwd, 'new.sqlite')}`, { cwd });
    expect([outcome.code, readdirSync(cwd)]).toEqual([0, []]);
    expect(found(outcome, 'database')).toEqual([['warning', `sqlite:${join(cwd, 'new.sqlite')} does not exist yet`]]);
    expect(found(outcome, 'tree')).toEqual([['warning', 'not checked: the database cannot be opened']]);
  });

  it('reports a server that does not answer', async () => {
    const outcome = await doctor('mariadb://hcd:geheim@127.0.0.1:1/site');
    expect(outcome.code).toBe(1);
    expect(problems(outcome)[0]).toBe(
      'error database: The database mariadb://hcd:***@127.0.0.1:1/site cannot be opened: nothing answers at 127.0.0.1:1. Start the database server, or correct host and port.',
    );
    expect(outcome.stdout).not.toContain('geheim');
    const others = outcome.rows.filter(({ detail }) => detail === 'not checked: the database cannot be opened');
    expect(others.length).toBe(checks.filter(({ needs }) => needs === 'store' || needs === 'content').length);
  });

  it('names a variable that only resembles one of ours', async () => {
    const env = { HCD_DATABSE_URL: 'x', HCD_GATEWAY_CACH_TTL: '3', HCD_ADMIN_PORT_8080_TCP: 'x', OTHER: '1' };
    const outcome = await doctor(await freshSqliteUrl(), { env });
    expect(found(outcome, 'configuration')).toEqual([
      ['warning', 'the variable HCD_DATABSE_URL is not known and has no effect'],
      ['warning', 'the variable HCD_GATEWAY_CACH_TTL is not known and has no effect'],
    ]);
  });

  it('reports a configuration that is not usable, value by value', async () => {
    const outcome = await doctor('sqlite:./x.sqlite', { env: { HCD_PORT: 'x', HCD_WORKERS: '0' } });
    expect(outcome.code).toBe(1);
    expect(found(outcome, 'configuration')).toEqual([
      ['error', 'port must be an integer from 0 to 65535, not "x" (HCD_PORT)'],
      ['error', 'workers must be an integer from 1 to 256, not "0" (HCD_WORKERS)'],
    ]);
    expect(found(outcome, 'database')).toEqual([['warning', 'not checked: the configuration is not usable']]);
    expect(found(outcome, 'node')[0]?.[0]).toBe('ok');
  });
});

describe('hcd doctor on files', () => {
  it('warns of a configuration file with a password that others may read', async () => {
    const cwd = await makeTempDir('doctor');
    const path = join(cwd, 'hcd.toml');
    await writeFile(path, 'secret = "a secret of sixteen or more"\n', { mode: 0o600 });
    const url = await freshSqliteUrl();
    expect(found(await doctor(url, { cwd }), 'configuration-file')[0]?.[0]).toBe('ok');
    await chmod(path, 0o644);
    const outcome = await doctor(url, { cwd });
    expect(outcome.rows.find(({ check }) => check === 'configuration-file')).toEqual({
      check: 'configuration-file',
      state: 'warning',
      detail: `${path} holds a password or secret and others may read it (mode 644)`,
      fix: `chmod 600 ${path}`,
    });
    await writeFile(path, 'port = 80\n');
    expect(found(await doctor(url, { cwd }), 'configuration-file')[0]?.[0]).toBe('ok');
  });

  it('warns of a database file that others may read', async () => {
    const url = await freshSqliteUrl();
    await openMigrated(url);
    const path = url.slice('sqlite:'.length);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await chmod(path, 0o640);
    expect(found(await doctor(url), 'file-permissions')).toEqual([
      ['warning', `${path} has mode 640: other users of this machine may open it`],
    ]);
  });

  it('warns of samples that make SQLite plan each statement again', async () => {
    const url = await freshSqliteUrl();
    const store = await openMigrated(url);
    const own = { sql: "SELECT sqlite_compileoption_used('ENABLE_STAT4')", params: [] };
    const [[usesSamples] = []] = await store.content.primary.select(own);
    await change(
      store,
      [...Array(30).keys()].map((n) => resource(n + 1, {})),
    );
    expect(found(await doctor(url), 'server')[0]?.[0]).toBe('ok');
    await change(store, ['ANALYZE']);
    const [[state, detail] = []] = found(await doctor(url), 'server');
    expect(state).toBe(usesSamples === 1 ? 'warning' : 'ok');
    if (usesSamples !== 1) return;
    expect(detail).toContain('plan each statement again');
    await change(store, ['DELETE FROM sqlite_stat4']);
    expect(found(await doctor(url), 'server')[0]?.[0]).toBe('ok');
  });

  it('finds a damaged file', async () => {
    const url = await freshSqliteUrl();
    const store = await openMigrated(url);
    await change(
      store,
      [...Array(60).keys()].map((n) => resource(n + 1, { introtext: 'x'.repeat(4000) })),
    );
    for (const one of opened.splice(0)) await one.close();
    const path = url.slice('sqlite:'.length);
    const file = await openFile(path, 'r+');
    // Pages of table rows stand at the end; the schema at the start stays whole.
    const { size } = await file.stat();
    await file.write(Buffer.alloc(4096 * 20, 0xab), 0, 4096 * 20, size - 4096 * 20);
    await file.close();
    const outcome = await doctor(url);
    const [finding] = found(outcome, 'integrity');
    expect([outcome.code, finding?.[0]]).toEqual([1, 'error']);
    expect(finding?.[1]).toContain(`${path} is damaged: `);
  });
});

describeWithMariadb('hcd doctor on a server', () => {
  it.each([
    ['right', 0, 'ok'],
    ['ten seconds off', 10_000, 'warning'],
    ['two minutes off', -120_000, 'error'],
  ] as const)('finds the clock %s', async (_name, offset, state) => {
    const url = await freshMariadbUrl();
    const outcome = await doctor(url, { clock: { ...systemClock, now: () => systemClock.now() + offset } });
    expect([found(outcome, 'clock')[0]?.[0], outcome.code]).toEqual([state, state === 'error' ? 1 : 0]);
  });

  it('finds tables of an old character set, and collations that do not go together', async () => {
    const url = await freshMariadbUrl();
    await change(await openMigrated(url), [
      'ALTER TABLE modx_site_htmlsnippets CONVERT TO CHARACTER SET latin1 COLLATE latin1_swedish_ci',
    ]);
    const outcome = await doctor(url);
    expect(found(outcome, 'character-sets')).toEqual([
      [
        'warning',
        'latin1 in 1 table (modx_site_htmlsnippets): characters that latin1 does not have are refused with 422',
      ],
    ]);
    const [collations] = found(outcome, 'collations');
    expect(collations?.[0]).toBe('warning');
    expect(collations?.[1]).toMatch(/^several: utf8mb4_\w+ \(\d+ columns\), latin1_swedish_ci \(\d+ columns\)\. /);
  });

  it('makes nothing in an empty database', async () => {
    const url = await freshMariadbUrl();
    const outcome = await doctor(url);
    expect(found(outcome, 'content')).toEqual([['warning', 'no content tables with the prefix modx_']]);
    expect((await readTables((await open(url)).content.primary, '')).size).toBe(0);
  });
});

describeWithFixture('hcd doctor on an existing site', () => {
  it('says what hcd finds there and what it cannot serve', async () => {
    const url = await loadFixture();
    const store = await open(url);
    const outcome = await doctor(url, { env: secretSet });
    expect(outcome.code).toBe(0);
    expect(found(outcome, 'content')).toEqual([['ok', 'MODX 3.1.0-dev site, 532 resources, prefix modx_']]);
    expect(problems(outcome).map((text) => text.replace(/: \d+ pending/, ': N pending'))).toEqual(expectedOnFixture);
    expect([...(await readTables(store.own.primary, 'hcd_')).keys()]).toEqual([]);
  });

  it('warns about a CMS older than 2.8, and promises no transaction where tables have none', async () => {
    const url = await loadFixture();
    const store = await open(url);
    await change(store, ["UPDATE modx_system_settings SET value = '2.7.3-pl' WHERE `key` = 'settings_version'"]);
    const outcome = await doctor(url);
    expect(outcome.rows.filter(({ check }) => check === 'content')).toEqual([
      {
        check: 'content',
        state: 'warning',
        detail: 'MODX 2.7.3-pl site, 532 resources, prefix modx_: hcd knows the tables and rules of MODX 2.8 to 3.1',
        fix: 'Upgrade the CMS to 2.8 or later',
      },
    ]);
    expect(found(outcome, 'own-tables')).toEqual([
      ['ok', 'in the database of the content, of which some tables have no transactions (see engines)'],
    ]);
    await change(store, ["UPDATE modx_system_settings SET value = '2.8.4-pl' WHERE `key` = 'settings_version'"]);
    expect(found(await doctor(url), 'content')).toEqual([['ok', 'MODX 2.8.4-pl site, 532 resources, prefix modx_']]);
  });

  it('names tables that keep no time of change', async () => {
    const url = await loadFixture();
    const store = await openStore({ databaseUrl: url, prefix: 'modx_' });
    opened.push(store);
    const values = 'modx_site_tmplvar_contentvalues';
    await change(store, [
      'ALTER TABLE modx_context_resource ENGINE=MEMORY',
      `RENAME TABLE ${values} TO all_values`,
      `CREATE VIEW ${values} AS SELECT * FROM all_values`,
    ]);
    expect(found(await doctor(url), 'other-writers')).toEqual([
      [
        'warning',
        `no time of change for ${values}, modx_context_resource: changes by other programs in them show within 10 seconds`,
      ],
    ]);
  });

  it('says that the tree has no lock where its rows have none and the own tables are elsewhere', async () => {
    const [databaseUrl, ownDatabaseUrl] = [await loadFixture(), await freshSqliteUrl()];
    opened.push(await openStore({ databaseUrl, ownDatabaseUrl, prefix: 'modx_' }));
    const outcome = await doctor(databaseUrl, { env: { HCD_OWN_DATABASE_URL: ownDatabaseUrl } });
    expect(outcome.rows.filter(({ check }) => check === 'own-tables')[1]).toEqual({
      check: 'own-tables',
      state: 'warning',
      detail:
        'modx_context is MyISAM and has no row locks: two changes of the tree at the same time can give two resources the same URI, or move each below the other',
      fix: 'The owner may run: ALTER TABLE modx_context ENGINE=InnoDB; or unset HCD_OWN_DATABASE_URL',
    });
  });

  it('prints the indexes that a large site lacks, and makes none', async () => {
    const url = await loadFixture();
    const store = await open(url);
    await change(store, [
      'ALTER TABLE modx_site_content DROP INDEX uri',
      "INSERT INTO modx_site_content (pagetitle, description, uri) SELECT 'x', '', CONCAT('x', seq) FROM seq_1_to_10000",
    ]);
    const outcome = await doctor(url);
    const rows = outcome.rows.filter(({ check }) => check === 'indexes');
    expect(rows).toEqual([
      {
        check: 'indexes',
        state: 'warning',
        detail:
          'modx_site_content (10532 rows) has no index on context_key, uri: every page lookup reads the whole table',
        fix: 'The owner may run: CREATE INDEX hcd_page_by_uri ON `modx_site_content` (`context_key`, `uri`(191), `published`, `deleted`);',
      },
      {
        check: 'indexes',
        state: 'warning',
        detail:
          'modx_site_content (10532 rows) has no index on context_key, published, deleted: lists and their totals read the whole table',
        fix: 'The owner may run: CREATE INDEX hcd_visible ON `modx_site_content` (`context_key`, `published`, `deleted`, `id`);',
      },
    ]);
    const before = (await readTables(store.content.primary, 'modx_site_content')).get('modx_site_content')?.indexes;
    expect(before?.some(({ name }) => name.startsWith('hcd_'))).toBe(false);
    // What is printed can be run as it stands, and ends the warning.
    await change(
      store,
      rows.map(({ fix }) => (fix ?? '').replace(/^The owner may run: /, '').replace(/;$/, '')),
    );
    expect(found(await doctor(url), 'indexes')).toEqual([['ok', 'enough for the size of the tables']]);
  });
});

const someTables =
  'modx_site_content, modx_context, modx_site_htmlsnippets, modx_site_templates, modx_site_snippets, …';

const expectedOnFixture: readonly string[] = [
  'warning migrations: N pending, from 2026-11-28T02-own-state: hcd was never set up here',
  `warning engines: 25 of 25 tables are MyISAM and have no transactions (${someTables}): a change that fails or is interrupted can stay, in whole or in part, without its webhook event, and a retry with the same Idempotency-Key can make it twice`,
  `warning character-sets: utf8mb3 in 20 tables (${someTables}): four-byte characters such as emoji are refused with 422`,
  'warning aliases: friendly_alias_translit names the table "russian" of an extra; texts are left as they are (system, context mgr)',
];

describe('the output of hcd doctor', () => {
  it('is one line per finding in a pipe', async () => {
    const url = await freshSqliteUrl();
    await openMigrated(url);
    const env = { ...secretSet, HCD_DATABASE_URL: url };
    const { stdout } = await runCli('doctor --all', { clock: systemClock, openStore, env });
    const lines = stdout.slice(0, -1).split('\n');
    expect(lines).toHaveLength(checks.length);
    expect(lines.every((line) => /^[a-z-]+\tok\t[^\t]+\t$/.test(line))).toBe(true);
  });

  it('cannot be steered by what stands in the database', async () => {
    const url = await freshSqliteUrl();
    await change(await openMigrated(url), [resource(1, { uri: 'a\u001b[2Jb' }), resource(2, { uri: 'a\u001b[2Jb' })]);
    const env = { HCD_DATABASE_URL: url, NO_COLOR: '1' };
    const { stdout, stderr } = await runCli('doctor', {
      clock: systemClock,
      openStore,
      env,
      terminal: { columns: 200 },
    });
    expect(`${stdout}${stderr}`).not.toContain('\u001b[2J');
    expect(existsSync(url.slice('sqlite:'.length))).toBe(true);
  });
});

describe('circles in a tree', () => {
  it('are found exactly where walking up from a resource comes back to it', () => {
    const parents = fc.array(fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 14 })));
    fc.assert(
      fc.property(parents, (pairs) => {
        const tree = new Map(pairs);
        const expected = [...tree.keys()].filter((start) => {
          let at = tree.get(start);
          for (let step = 0; step < 20 && at !== undefined && at !== start; step += 1) at = tree.get(at);
          return at === start;
        });
        const cycles = findCycles(tree);
        expect(cycles.flat().sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
        for (const ids of cycles) {
          ids.forEach((id, place) => {
            expect(tree.get(id)).toBe(ids[(place + 1) % ids.length]);
          });
        }
      }),
    );
  });
});
