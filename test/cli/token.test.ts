/** `hcd token`: arguments, what is shown in each form, and every refusal. That tokens work is tested over HTTP. */
import { beforeAll, describe, expect, it, test } from 'vitest';
import { parseCredential } from '../../src/crypto/credential-text.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { expectGolden } from '../support/golden.js';
import { noted, printed, refused } from './outcomes.js';
import { expectTranscript } from './transcript.js';

interface Made {
  readonly id: number;
  readonly token: string;
  readonly prefix: string;
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

  it('create refuses wrong usage with the accepted values', async () => {
    await expectTranscript(db, 'refused/token-create', [
      'token create',
      'token create --scopes ""',
      'token create --scopes pages.read,*',
      'token create --scopes pages.read --expires 90',
      'token create --scopes pages.read --expires 0s',
      'token create --scopes pages.read --name " "',
    ]);
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
  it('counts them, names those that end soon, and says when none can work', async () => {
    const db = await prepareCliDatabase(await freshSqliteUrl());
    const found: string[] = [];
    const look = async (at: number) => {
      const { data } = (await db.json('doctor', { clock: fakeClock(at) })) as { data: { check: string }[] };
      found.push(
        ...data.filter(({ check }) => check === 'page-tokens').map((row) => `${JSON.stringify(row, null, 1)}\n`),
      );
    };
    await look(start);
    await make(db, '--scopes pages.read --expires 30d --name site');
    await look(start);
    await make(db);
    for (const days of [0, 20, 40]) await look(start + days * day);
    await store(db, 'site_id', '');
    await look(start);
    await store(db, 'pages_rest_tokens', '{');
    await look(start);
    expectGolden('cli/golden/doctor/page-tokens.txt', found.join(''));
  });
});
