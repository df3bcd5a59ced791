/** `hcd token`: arguments, what is shown in each form, and every refusal. That tokens work is tested over HTTP. */
import { beforeAll, describe, expect, it, test } from 'vitest';
import { parseCredential } from '../../src/crypto/credential-text.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { noted, printed, refused } from './outcomes.js';

interface Made {
  readonly id: number;
  readonly token: string;
  readonly prefix: string;
}

interface Row {
  readonly check: string;
  readonly state: string;
  readonly detail: string;
  readonly fix: string | null;
}

const start = Date.UTC(2026, 10, 21, 9, 30);
const day = 86_400_000;
const shownOnce = 'Copy the token now: it is not shown again.\n';
const tryIt = (route: string, origin = 'http://127.0.0.1:8080') =>
  `To try the token, with PAGES_TOKEN set to it: curl -H "Authorization: Bearer $PAGES_TOKEN" '${origin}/pages/api/v1.php?path=${route}'\n`;
const switchedOff = 'The page delivery API is off. Turn it on: hcd setting set pages_rest_api_enabled 1\n';

const make = async (db: CliDatabase, flags = '--scopes pages.read'): Promise<Made> =>
  ((await db.json(`token create ${flags}`)) as { data: Made }).data;

const store = (db: CliDatabase, key: string, value: string) =>
  db.change(({ content }) =>
    content.write(async (tx) => {
      await tx.run({ sql: 'DELETE FROM modx_system_settings WHERE `key` = ?', params: [key] });
      await tx.run({
        sql: 'INSERT INTO modx_system_settings (`key`, `value`) VALUES (?, ?)',
        params: [key, value],
      });
    }),
  );

describeEachDatabase('hcd token', (database) => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await database.url());
  });

  test('create prints the token once, as lines of name and value, with notes', async () => {
    const { code, stdout, stderr } = await db.run('token create --scopes pages.read,catalog.read --name "The site"');
    const [, id, token = '', prefix] =
      /^id\t(\d+)\nname\tThe site\ntoken\t(\S+)\nprefix\t(\S+)\nscopes\tpages.read,catalog.read\nexpires\t\n$/.exec(
        stdout,
      ) ?? [];
    expect(Number(id)).toBeGreaterThan(0);
    expect(parseCredential(token, 'pt')?.lookupId).toBe(prefix?.slice(3));
    expect([code, stderr]).toEqual([0, shownOnce + tryIt('/health') + switchedOff]);
  });

  test('create prints one JSON object with exactly the members of the contract', async () => {
    expect(await db.json('token add --scopes pages.read,pages.read --expires 90d')).toEqual({
      data: {
        id: expect.any(Number),
        name: null,
        token: expect.stringMatching(/^pt_[0-9a-f]{8}_[0-9A-Za-z]{49}$/),
        prefix: expect.stringMatching(/^pt_[0-9a-f]{8}$/),
        scopes: ['pages.read'],
        expires: '2027-02-19T09:30:00Z',
      },
    });
    const env = { HCD_PAGES_REST_API_ENABLED: '1', HCD_HOST: '::', HCD_PORT: '80' };
    expect((await db.run('token create --scopes pages.read', { env })).stderr).toBe(
      shownOnce + tryIt('/openapi.json', 'http://[::1]:80'),
    );
    expect((await db.run('token create --scopes pages.read --quiet')).stderr).toBe('');
  });

  test('revoke says what it did, and a second time that it was done', async () => {
    const { id, prefix } = await make(db, '--scopes pages.read --name "old site"');
    expect(await db.run(`token revoke ${prefix} --yes`)).toEqual(
      printed(`Revoked token ${id} "old site" (${prefix}). Servers refuse it from the next request on.\n`),
    );
    const again = await db.run(`token revoke ${id} --yes`, { clock: fakeClock(start + day) });
    expect(again.stdout).toBe(
      `Already revoked at 2026-11-21T09:30:00Z: token ${id} "old site" (${prefix}). Nothing to do.\n`,
    );
    expect(await db.json(`token revoke ${id} --yes`)).toEqual({
      data: {
        id,
        name: 'old site',
        prefix,
        scopes: ['pages.read'],
        state: 'revoked',
        created: '2026-11-21T09:30:00Z',
        expires: null,
        revoked: '2026-11-21T09:30:00Z',
        lastUsed: null,
      },
    });
  });

  test('the list stands masked among the settings, and hcd setting does not change it', async () => {
    const own = await prepareCliDatabase(await database.url());
    expect(await own.json('setting get pages_rest_tokens')).toMatchObject({ data: { value: '[]', source: 'default' } });
    const { prefix } = await make(own);
    expect(await own.json('setting get pages_rest_tokens')).toMatchObject({
      data: { value: '********', source: 'database' },
    });
    const listed = (await own.run('setting list --api pages')).stdout;
    expect(listed).not.toContain(prefix);
    for (const line of ['setting set pages_rest_tokens []', 'setting unset pages_rest_tokens']) {
      expect(await own.run(line)).toMatchObject(refused('hcd: pages_rest_tokens is changed by hcd token only\n'));
    }
    expect(await own.json('token list --usable')).toMatchObject({ data: [{ prefix }] });
  });

  test('keeps an unreadable list until it is removed', async () => {
    const own = await prepareCliDatabase(await database.url());
    await store(own, 'pages_rest_tokens', 'broken');
    const message =
      'hcd: The setting pages_rest_tokens is not the list that hcd token writes, and no token works. Restore it from a backup, or start again without tokens: hcd setting unset pages_rest_tokens\n';
    for (const line of ['token create --scopes pages.read', 'token list', 'token revoke 1 --yes']) {
      expect(await own.run(line)).toEqual(refused(message));
    }
    expect((await own.run('setting unset pages_rest_tokens')).code).toBe(0);
    expect((await make(own)).id).toBe(1);
  });
});

describe('hcd token, refused', () => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await freshSqliteUrl());
  });

  it.each([
    ['no scopes', '', '--scopes is required'],
    ['an empty list', '--scopes ""', '--scopes must be a comma list of pages.read and catalog.read, not ""'],
    [
      'an unknown scope',
      '--scopes pages.read,*',
      '--scopes must be a comma list of pages.read and catalog.read, not "*"',
    ],
    [
      'a bare number as the end',
      '--scopes pages.read --expires 90',
      '--expires must be a duration such as 90s, 15m, 12h or 90d, or a time as ISO 8601 with Z or an offset (2026-11-21T09:30:00Z), a date, or Unix seconds, not "90"',
    ],
    ['an end that is now', '--scopes pages.read --expires 0s', '--expires must be in the future'],
    [
      'a blank name',
      '--scopes pages.read --name " "',
      '--name must be a text of 1 to 100 characters without line breaks and other controls, not " "',
    ],
  ])('create refuses %s as wrong usage', async (_name, flags, message) => {
    expect(await db.run(`token create ${flags}`)).toEqual(
      refused(`hcd: ${message}\nSee hcd token create --help.\n`, 2),
    );
  });

  it('revoke refuses an invalid token name and does not repeat it', async () => {
    const { token } = await make(db);
    for (const given of [token, 'site', '0', 'pt_1']) {
      expect(await db.run(['token', 'revoke', given])).toEqual(
        refused(
          'hcd: ID must be the id or the prefix (pt_ and 8 hexadecimal digits) of a token (see hcd token list)\nSee hcd token revoke --help.\n',
          2,
        ),
      );
    }
  });

  it.each([
    ['an id', '99'],
    ['a prefix', 'pt_00000000'],
  ])('revoke refuses %s that no token has', async (_name, given) => {
    expect(await db.run(`token revoke ${given} --yes`)).toEqual(
      refused(`hcd: There is no page token ${given}; hcd token list shows every token\n`),
    );
    expect(await db.json(`token revoke ${given} --yes`)).toMatchObject({ error: { code: 'not_found' } });
  });

  it('says that the environment gives the list', async () => {
    const env = { HCD_PAGES_REST_TOKENS: '[]' };
    const problem =
      'hcd: HCD_PAGES_REST_TOKENS is set in this environment and wins over the stored tokens: unset it first\n';
    for (const line of ['token create --scopes pages.read', 'token revoke 1 --yes']) {
      expect(await db.run(line, { env })).toEqual(refused(problem));
    }
    expect(await db.run('token list', { env })).toMatchObject(
      noted(
        expect.stringContaining('HCD_PAGES_REST_TOKENS is set in this environment and overrides the stored tokens.\n'),
      ),
    );
  });
});

describe('hcd doctor about page tokens', () => {
  const find = async (db: CliDatabase, at: number): Promise<Omit<Row, 'check'>[]> => {
    const { data } = (await db.json('doctor', { clock: fakeClock(at) })) as { data: Row[] };
    return data.filter(({ check }) => check === 'page-tokens').map(({ check: _check, ...rest }) => rest);
  };

  it('counts them, names those that end soon, and says when none can work', async () => {
    const db = await prepareCliDatabase(await freshSqliteUrl());
    const ok = (detail: string) => [{ state: 'ok', detail, fix: null }];
    expect(await find(db, start)).toEqual(ok('0 of 0 page tokens work'));
    await make(db, '--scopes pages.read --expires 30d --name site');
    expect(await find(db, start)).toEqual(ok('1 of 1 page token works'));
    await make(db);
    expect(await find(db, start)).toEqual(ok('2 of 2 page tokens work, 1 without an expiry'));
    expect(await find(db, start + 20 * day)).toEqual([
      {
        state: 'warning',
        detail: '1 page token expires within 14 days: 1 (site, 2026-12-21T09:30:00Z)',
        fix: 'Create new tokens in time: hcd token list shows scopes and expiry times, hcd token create --expires 90d creates a token',
        command: { path: 'token create', arguments: [], options: { scopes: null, expires: '90d' } },
      },
    ]);
    expect(await find(db, start + 40 * day)).toEqual(ok('1 of 2 page tokens work, 1 without an expiry'));
    await store(db, 'site_id', '');
    expect(await find(db, start)).toEqual([
      {
        state: 'error',
        detail: 'neither a pepper nor a site id is set, so every page token is refused',
        fix: 'Restore the setting site_id or pages_rest_token_pepper, or make new tokens: hcd token create',
      },
    ]);
    await store(db, 'pages_rest_tokens', '{');
    expect(await find(db, start)).toEqual([
      {
        state: 'error',
        detail: 'pages_rest_tokens must be the list of page tokens as hcd token writes it: no token works',
        fix: 'Restore pages_rest_tokens from a backup, or start again without tokens: hcd setting unset pages_rest_tokens',
      },
    ]);
  });
});
