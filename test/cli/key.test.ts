/** `hcd key`: arguments, what is shown in each form, and every refusal. That keys work is tested over HTTP. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { parseCredential } from '../../src/crypto/credential-text.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../support/databases.js';
import { seed } from '../support/seed.js';
import { makeTempDir } from '../support/temp-dir.js';
import { printed, refused } from './outcomes.js';
import { expectTranscript } from './transcript.js';

interface Made {
  readonly id: number;
  readonly key: string;
  readonly lookup_id: string;
}

const shownOnce = 'Copy the key now: it is not shown again.\n';
const tryIt = (path: string) =>
  `To try the key, with GATEWAY_KEY set to it: curl -H "Authorization: Bearer $GATEWAY_KEY" '${path}'\n`;
const local = 'http://127.0.0.1:8080/api/v1';
const start = Date.UTC(2026, 10, 21, 9, 30);
const day = 86_400_000;

const make = async (db: CliDatabase, flags = '--scopes resources.read'): Promise<Made> =>
  ((await db.json(`key create ${flags}`)) as { data: Made }).data;

describeEachDatabase('hcd key', (database) => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await database.url(), (store) =>
      seed(store, {
        users: [
          { id: 7, username: 'editor' },
          { id: 8, username: 'guest', active: 0 },
        ],
      }),
    );
  });

  test('create prints the key once, as lines of name and value, with notes', async () => {
    const { code, stdout, stderr } = await db.run('key create --scopes resources.read,preview --name "The site"');
    const [, id, key = '', lookupId] =
      /^id\t(\d+)\nname\tThe site\nkey\t(\S+)\nlookup_id\t(\S+)\nscopes\tresources.read,preview\nexpires_on\t\n$/.exec(
        stdout,
      ) ?? [];
    expect(Number(id)).toBeGreaterThan(0);
    expect(parseCredential(key)).toEqual({ lookupId, text: key });
    expect([code, stderr]).toEqual([0, shownOnce + tryIt(`${local}/resources`)]);
  });

  test('create prints one JSON object with exactly the members of the contract', async () => {
    const made = await db.json('key add --scopes chunks.read,chunks.read --expires 90d');
    expect(made).toEqual({
      data: {
        id: expect.any(Number),
        name: null,
        key: expect.stringMatching(/^gk_[0-9a-f]{16}_[0-9A-Za-z]{49}$/),
        lookup_id: expect.stringMatching(/^[0-9a-f]{16}$/),
        scopes: ['chunks.read'],
        expires_on: '2027-02-19T09:30:00Z',
      },
    });
    expect((await db.run('key create --scopes chunks.read --quiet')).stderr).toBe('');
  });

  test('create says what is special about a key', async () => {
    expect((await db.run('key create --scopes *')).stderr).toBe(
      `${shownOnce}${tryIt(`${local}/resources`)}The scope * grants everything, including deleting.\n`,
    );
    expect((await db.run('key create --scopes preview', { env: { HCD_HOST: '::' } })).stderr).toBe(
      shownOnce + tryIt('http://[::1]:8080/api/v1/'),
    );
    const off = { HCD_GATEWAY_ENABLED: '0', HCD_GATEWAY_API_PREFIX: '/content', HCD_PORT: '80' };
    expect((await db.run('key create --scopes content_types.read', { env: off })).stderr).toBe(
      `${shownOnce}${tryIt('http://127.0.0.1:80/content/v1/content_types')}The gateway is off. Turn it on: hcd setting set gateway_enabled 1\n`,
    );
  });

  test.each([
    ['a duration', '12h', '2026-11-21T21:30:00Z'],
    ['a time', '2026-12-01T00:00:00+01:00', '2026-11-30T23:00:00Z'],
    ['a date', '2027-01-01', '2027-01-01T00:00:00Z'],
    ['Unix seconds', '1893456000', '2030-01-01T00:00:00Z'],
  ])('create takes %s as the end', async (_name, text, expires_on) => {
    expect(await db.json(`key create --scopes preview --expires ${text}`)).toMatchObject({ data: { expires_on } });
  });

  test('create refuses wrong usage with the accepted values', async () => {
    await expectTranscript(db, 'refused/key-create-usage', [
      'key create',
      'key create --scopes ""',
      'key create --scopes resources.read,,preview',
      'key create --scopes "resources.read preview"',
      'key create --scopes preview --expires 90',
      'key create --scopes preview --expires 2026-11-21T09:29:59Z',
      'key create --scopes preview --expires 0s',
      'key create --scopes preview --name " "',
      ...['--rate-limit 0', '--rate-limit many', '--rate-window 0', '--rate-window 86401'].map(
        (flag) => `key create --scopes preview ${flag}`,
      ),
    ]);
  });

  const accepted =
    'Accepted scopes: resources.read, resources.create, resources.update, resources.delete, contexts.read, chunks.read, templates.read, snippets.read, tvs.read, categories.read, content_types.read, resources.static, resources.bindings, media.read, media.create, media.delete, preview, context.mgr, context.web, fields.createdby, fields.editedby, fields.deletedby, fields.publishedby, *';
  test.each([
    ['a typing error', 'resource.read', 'There is no scope resource.read; did you mean resources.read?'],
    ['an action that the object has not', 'chunks.update', 'There is no scope chunks.update.'],
    ['a context that does not exist', 'context.wep', 'There is no scope context.wep; did you mean context.web?'],
    ['a field that is not protected', 'fields.pagetitle', 'There is no scope fields.pagetitle.'],
    ['upper case', 'Preview', 'There is no scope Preview; did you mean preview?'],
    ['two at once', 'preview,zzz,__proto__', 'There is no scope zzz. There is no scope __proto__.'],
  ])('create refuses an unknown scope with the accepted ones: %s', async (_name, scopes, hint) => {
    expect(await db.run(`key create --scopes ${scopes}`)).toEqual(
      refused(`hcd: --scopes ${scopes}: ${hint} ${accepted}\n`),
    );
  });

  test('create accepts every scope that it names', async () => {
    const scopes = accepted.slice('Accepted scopes: '.length).split(', ');
    expect(await db.json(['key', 'create', '--scopes', scopes.join(',')])).toMatchObject({ data: { scopes } });
  });

  test.each([
    ['unknown', 'stranger', '--user stranger: no user has this name; hcd user list shows every user'],
    ['inactive', 'guest', 'The user guest is inactive: the key would never work'],
  ])('create refuses a user who is %s', async (_name, user, message) => {
    const { code, stdout, stderr } = await db.run(`key create --scopes preview --user ${user}`);
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([1, '', `hcd: ${message}`]);
  });

  describe('looking at keys', () => {
    let own: CliDatabase;
    const keys: Made[] = [];

    beforeAll(async () => {
      own = await prepareCliDatabase(await database.url(), (store) =>
        seed(store, { users: [{ id: 7, username: 'editor' }] }),
      );
      for (const flags of [
        '--scopes resources.read --name site',
        '--scopes resources.read,preview --expires 24d --user editor',
        '--scopes * --expires 10d',
        '--scopes chunks.read --name old',
        '--scopes chunks.read --user editor --expires 25d',
      ]) {
        keys.push(await make(own, flags));
      }
      await own.run(`key revoke ${keys[3]?.id} --yes`);
    });

    const lookup = (at: number) => keys[at]?.lookup_id ?? '';

    test('create --for build allows 6,000 requests per minute, and refuses another limit', async () => {
      const { id } = await make(db, '--scopes resources.read --for build');
      expect(await db.json(`key show ${id}`)).toMatchObject({
        data: { rate_limit_max: 6000, rate_limit_window: 60 },
      });
      for (const flag of ['--rate-limit 9', '--rate-window 9']) {
        const { code, stderr } = await db.run(`key create --scopes resources.read --for build ${flag}`);
        expect([code, stderr]).toEqual([
          2,
          expect.stringContaining(`cannot be combined with ${flag.slice(0, -2)}: build sets the rate limit`),
        ]);
      }
      const { code, stderr } = await db.run('key create --scopes resources.read --for fun');
      expect([code, stderr]).toEqual([2, expect.stringContaining('--for must be build')]);
    });

    test('show takes the id or the lookup id', async () => {
      const text = [
        'id\t4\nname\told',
        `lookup_id\t${lookup(3)}`,
        'scopes\tchunks.read\nstate\trevoked\nuser\t\nrate_limit_max\t\nrate_limit_window\t\nexpires_on\t\nlast_used_on\t',
        'created_on\t2026-11-21T09:30:00Z\ncreated_by\tcommand\nrotated_on\t\nprevious_ends_on\t',
        'revoked_on\t2026-11-21T09:30:00Z\n',
      ].join('\n');
      for (const id of ['4', lookup(3)]) expect((await own.run(`key show ${id}`)).stdout).toBe(text);
      expect((await own.run('key show 1', { terminal: { columns: 80 } })).stdout).toMatch(
        /^id {17}1\nname {15}site\n(.+\n)*revoked_on {9}-\n$/,
      );
    });
  });

  test('revoke says what it did, and a second time that it was done', async () => {
    const { id, lookup_id } = await make(db, '--scopes preview --name "old site"');
    expect(await db.run(`key revoke ${lookup_id} --yes`)).toEqual(
      printed(`Revoked key ${id} "old site" (${lookup_id}). Servers refuse it within one second.\n`),
    );
    const again = await db.run(`key revoke ${id} --yes`, { clock: fakeClock(start + day) });
    expect(again.stdout).toBe(
      `Already revoked at 2026-11-21T09:30:00Z: key ${id} "old site" (${lookup_id}). Nothing to do.\n`,
    );
    expect(await db.json(`key revoke ${id} --yes`)).toMatchObject({
      data: { id, state: 'revoked', revoked_on: '2026-11-21T09:30:00Z' },
    });
  });

  test('rotate prints a key with the same id and another secret', async () => {
    const made = await make(db, '--scopes preview --name site --expires 90d');
    const { stdout, stderr, code } = await db.run(`key rotate ${made.lookup_id} --yes`);
    const key = /\nkey\t(\S+)\n/.exec(stdout)?.[1] ?? '';
    expect(parseCredential(key)?.lookupId).toBe(made.lookup_id);
    expect(key).not.toBe(made.key);
    expect(stdout).toBe(
      `id\t${made.id}\nname\tsite\nkey\t${key}\nlookup_id\t${made.lookup_id}\nscopes\tpreview\nexpires_on\t2027-02-19T09:30:00Z\n`,
    );
    expect([code, stderr]).toEqual([0, `${shownOnce}The old secret stops working within one second.\n`]);
    expect(await db.json(`key rotate ${made.id} --yes`)).toEqual({
      data: { ...made, key: expect.stringMatching(/^gk_/) },
    });
  });

  test('rotate --overlap says until when the old secret works', async () => {
    const { id } = await make(db);
    expect((await db.run(`key rotate ${id} --overlap 7d`)).stderr).toBe(
      `${shownOnce}The old secret works until 2026-11-28T09:30:00Z.\n`,
    );
    expect(await db.json(`key show ${id}`)).toMatchObject({
      data: { rotated_on: '2026-11-21T09:30:00Z', previous_ends_on: '2026-11-28T09:30:00Z' },
    });
    expect(await db.run(`key rotate ${id} --overlap 1d`)).toEqual(
      refused(
        `hcd: The key ${id} has an old secret that works until 2026-11-28T09:30:00Z; wait, or rotate without --overlap to end both now\n`,
      ),
    );
    expect((await db.run(`key rotate ${id} --overlap 0s --yes`)).stderr).toContain('stops working within one second');
    expect(await db.json(`key show ${id}`)).toMatchObject({ data: { previous_ends_on: null } });
  });

  test('rotate refuses a key that has ended', async () => {
    const revoked = await make(db);
    await db.run(`key revoke ${revoked.id} --yes`);
    const expired = await make(db, '--scopes preview --expires 1d');
    for (const [id, how] of [
      [revoked.id, 'was revoked'],
      [expired.id, 'has expired'],
    ]) {
      expect(await db.run(`key rotate ${id} --yes`, { clock: fakeClock(start + day) })).toEqual(
        refused(`hcd: The key ${id} ${how}; make a new one: hcd key create\n`),
      );
    }
  });

  test.each(['show', 'revoke', 'rotate'])('%s refuses what names no key, and never repeats a key', async (verb) => {
    const problem = 'ID must be the id or the lookup id (16 hexadecimal digits) of a key (see hcd key list)';
    const { key } = await make(db);
    for (const id of [key, '0', 'x', '12345678901', 'ABCDEF0123456789']) {
      expect(await db.run(['key', verb, id])).toEqual(refused(`hcd: ${problem}\nSee hcd key ${verb} --help.\n`, 2));
    }
    expect(await db.run(['key', verb])).toMatchObject({ code: 2, stderr: expect.stringContaining('ID is required') });
    for (const id of ['4000000000', '0123456789abcdef']) {
      const { code, stderr } = await db.run(['key', verb, id, '--yes']);
      expect([code, stderr.split('\n')[0]]).toEqual([
        1,
        `hcd: There is no API key ${id}; hcd key list shows every key`,
      ]);
    }
    expect(await db.json(['key', verb, '4000000000', '--yes'])).toMatchObject({ error: { code: 'not_found' } });
  });
});

describe('hcd key on a site', () => {
  it('knows the scopes of extra objects, and where they are read', async () => {
    const cwd = await makeTempDir('objects');
    await mkdir(join(cwd, 'objects'));
    const definition = {
      name: 'authors',
      table: 'authors',
      primaryKey: 'id',
      fields: { id: { type: 'integer' }, title: { type: 'string', column: 'name' } },
      protected: ['title'],
      readable: true,
    };
    await writeFile(join(cwd, 'objects', 'authors.json'), JSON.stringify(definition));
    const db = await prepareCliDatabase(await freshSqliteUrl(), async ({ own }) => {
      const sql = 'CREATE TABLE modx_authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL)';
      await own.write((tx) => tx.run({ sql, params: [] }));
    });
    const { code, stderr } = await db.run('key create --scopes authors.read,authors.delete,fields.title', { cwd });
    expect([code, stderr]).toEqual([0, shownOnce + tryIt(`${local}/objects/authors`)]);
    expect((await db.run('key create --scopes authors.read')).code).toBe(1);
  });
});
