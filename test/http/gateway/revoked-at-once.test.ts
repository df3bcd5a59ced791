/**
 * Credentials that another process ended are refused on the next request where the database tells of commits, and where a
 * another process says so. The clock does not move: nothing here ends by time.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { KeyVerifier } from '../../../src/identity/keys/key-verifier.js';
import { revokeKey } from '../../../src/identity/keys/manage-keys.js';
import { revokeToken } from '../../../src/identity/oauth/manage-clients.js';
import { forgetSeen, onRevocation } from '../../../src/memory/seen-memory.js';
import { issue, migrated, openHandle } from '../../identity/keys/key-store.js';
import { type CliDatabase, prepareCliDatabase } from '../../support/cli-database.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { startTestSite, type TestSite } from '../../support/site.js';

const password = 'a good Password';

describe('on SQLite the next request refuses', () => {
  let db: CliDatabase;
  let site: TestSite;

  beforeAll(async () => {
    db = await prepareCliDatabase(await freshSqliteUrl());
    const clock = fakeClock(Date.now());
    const on = { HCD_GATEWAY_OAUTH_ENABLED: '1', HCD_GATEWAY_OAUTH_PASSWORD_GRANT_ENABLED: '1' };
    site = await startTestSite({ databaseUrl: db.url, clock, env: on });
  });

  const json = async (line: string, stdin?: string) =>
    ((await db.json(line, stdin === undefined ? {} : { stdin })) as { data: Record<string, string> }).data;
  const run = (sql: string) =>
    db.change(({ content }) => content.write(async (tx) => void (await tx.run({ sql, params: [] }))));
  const addUser = (name: string) =>
    json(`user add ${name} --permissions resources.read,contexts.read --password-stdin`, `${password}\n`);
  const statusOf = (headers: Record<string, string>) => async () => (await site.get('/contexts', { headers })).status;
  const bearer = (credential: string | undefined) => statusOf({ authorization: `Bearer ${credential}` });
  const session = async (username: string) => {
    const { headers } = await site.get('/auth/session', { method: 'POST', body: { username, password } });
    return statusOf({ cookie: headers.get('set-cookie')?.split(';')[0] ?? '' });
  };
  const token = async (username?: string) => {
    const flags = '--scopes contexts.read --grants client_credentials,password';
    const { client_id, client_secret } = await json(`oauth client add app-${username ?? 'itself'} ${flags}`);
    const own = { grant_type: 'client_credentials', client_id, client_secret };
    const sent = username === undefined ? own : { ...own, grant_type: 'password', username, password };
    const { body } = await site.get('/auth/token', { method: 'POST', body: sent });
    return String(body['access_token']);
  };

  const revokedKey = async () => {
    const { key, id } = await issue(site.store, { scopes: ['contexts.read'], now: Date.now() });
    const end = () => db.change(async (store) => void (await revokeKey(store, { id }, Date.now())));
    return { ask: bearer(key), end };
  };
  const revokedToken = async () => {
    const text = await token();
    const id = text.split('_')[1] ?? '';
    return {
      ask: bearer(text),
      end: () => db.change(async (store) => void (await revokeToken(store, id, Date.now()))),
    };
  };
  const newPassword = async () => {
    await addUser('rowan');
    const end = () => db.run('user passwd rowan --password-stdin', { stdin: 'another Password\n' });
    return { ask: await session('rowan'), end };
  };
  const blocked = async () => {
    await addUser('alder');
    const user = "(SELECT id FROM modx_users WHERE username = 'alder')";
    const sql = `UPDATE modx_user_attributes SET blocked = 1 WHERE internalKey = ${user}`;
    return { ask: await session('alder'), end: () => run(sql) };
  };
  const removed = async () => {
    await addUser('hazel');
    return { ask: bearer(await token('hazel')), end: () => run("DELETE FROM modx_users WHERE username = 'hazel'") };
  };

  it.each<[name: string, make: () => Promise<{ ask: () => Promise<number>; end: () => Promise<unknown> }>]>([
    ['a key that a command revoked', revokedKey],
    ['an access token that a command revoked', revokedToken],
    ['a session whose user got another password by a command', newPassword],
    ['the session of a user whom the CMS blocked', blocked],
    ['the token of a user who was removed', removed],
  ])('%s', async (_name, make) => {
    const { ask, end } = await make();
    await site.live.refresh();
    expect([await ask(), await ask()]).toEqual([200, 200]);
    await end();
    expect(await ask()).toBe(401);
  });
});

describeEachDatabase('a key that another process revokes', (kind) => {
  it('is refused here at once, also where the database does not report commits', async () => {
    const url = await migrated(await kind.url());
    const [here, beside] = [await openHandle(url), await openHandle(url)];
    const clock = fakeClock();
    const verifier = new KeyVerifier({ store: here, clock, log: () => undefined });
    const { id, key } = await issue(here);
    const end = onRevocation(beside.own, async () => forgetSeen(here.own));
    expect(await verifier.verify(key)).not.toBeNull();
    await revokeKey(beside, { id }, clock.now());
    end();
    expect(await verifier.verify(key)).toBeNull();
    await verifier.close();
  });
});
