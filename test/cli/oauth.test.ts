/** `hcd oauth`: arguments, what is shown in each form, and every refusal. That clients and tokens work is tested over HTTP. */
import { beforeAll, expect, test } from 'vitest';
import { createCredential, credentialHash } from '../../src/crypto/credential-text.js';
import { type OauthTokenRow, oauthTokens } from '../../src/identity/models/oauth.js';
import { passwordMark } from '../../src/identity/users/user-standing.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase } from '../support/databases.js';
import { seed } from '../support/seed.js';
import { refused } from './outcomes.js';
import { expectTranscript } from './transcript.js';

const start = Date.UTC(2026, 10, 21, 9, 30);
const hour = 3_600_000;
const shownOnce = 'Copy the secret now: it is not shown again.\n';
const exchange = 'The client gets tokens at POST /api/v1/auth/token with grant_type=client_credentials.\n';
const off = 'OAuth is off. Turn it on: hcd setting set gateway_oauth_enabled 1\n';
const passwordOff = 'The grant password is off. Turn it on: hcd setting set gateway_oauth_password_grant_enabled 1\n';
const secretForm = /^gs_[0-9A-Za-z]{43}$/;

describeEachDatabase('hcd oauth', (database) => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await database.url());
  });

  /** A token of a client as the server would issue it; gives its id. */
  async function issue(
    clientId: string,
    endsOn: number,
    { userId = null, passwordMark = null }: Partial<Pick<OauthTokenRow, 'userId' | 'passwordMark'>> = {},
  ): Promise<string> {
    const credential = createCredential('gt');
    const row = {
      tokenHash: credentialHash(credential),
      tokenId: credential.lookupId,
      clientId,
      userId,
      passwordMark,
      scopes: ['chunks.read'],
      issuedOn: start - hour,
      expiresOn: endsOn,
    };
    await db.change(async ({ own }) => void (await own.write((tx) => oauthTokens.on(tx).create(row))));
    return credential.lookupId;
  }

  test('client add prints the secret once, as lines of name and value, with notes', async () => {
    const { code, stdout, stderr } = await db.run('oauth client add site-1 --scopes resources.read,preview');
    const [, secret] =
      /^client_id\tsite-1\nclient_secret\t(\S+)\nname\tsite-1\nscopes\tresources.read,preview\ngrants\tclient_credentials\n$/.exec(
        stdout,
      ) ?? [];
    expect(secret).toMatch(secretForm);
    expect([code, stderr]).toEqual([0, shownOnce + exchange + off]);
  });

  test('client create prints one JSON object with exactly the members of the contract', async () => {
    const words = ['oauth', 'client', 'create', 'My site: 2', '--scopes', '*,*', '--name', 'Two', '--grants'];
    expect(await db.json([...words, 'client_credentials,password'])).toEqual({
      data: {
        client_id: 'My site: 2',
        client_secret: expect.stringMatching(secretForm),
        name: 'Two',
        scopes: ['*'],
        grants: ['client_credentials', 'password'],
      },
    });
    const { stderr } = await db.run('oauth client add site-3 --scopes * --grants password', {
      env: { HCD_GATEWAY_OAUTH_ENABLED: '1', HCD_GATEWAY_API_PREFIX: '/content' },
    });
    expect(stderr).toBe(
      `${shownOnce}${exchange.replace('/api', '/content').replace('client_credentials', 'password')}${passwordOff}The scope * grants everything, including deleting.\n`,
    );
    const both = await db.run('oauth client add site-3b --scopes preview --grants client_credentials,password', {
      env: { HCD_GATEWAY_OAUTH_ENABLED: '1', HCD_GATEWAY_OAUTH_PASSWORD_GRANT_ENABLED: '1' },
    });
    expect(both.stderr).toBe(shownOnce + exchange.replace('.\n', ' or password.\n'));
  });

  test('client add refuses wrong usage with the accepted values', async () => {
    await expectTranscript(db, 'refused/oauth-client-add', [
      ['oauth', 'client', 'add', 'x'],
      ['oauth', 'client', 'add', '', '--scopes', 'preview'],
      ['oauth', 'client', 'add', 'x'.repeat(65), '--scopes', 'preview'],
      ['oauth', 'client', 'add', 'x ', '--scopes', 'preview'],
      ['oauth', 'client', 'add', 'a\nb', '--scopes', 'preview'],
      ['oauth', 'client', 'add', 'x', '--scopes', 'preview', '--grants', 'implicit'],
      ['oauth', 'client', 'add', 'x', '--scopes', 'preview', '--rate-limit', '0'],
      ['oauth', 'client', 'add', 'x', '--scopes', 'preview', '--rate-window', '172800'],
    ]);
  });

  test('client add refuses unknown scopes and an id that is taken', async () => {
    const unknown = await db.run('oauth client add site-4 --scopes resource.read');
    expect([unknown.code, unknown.stdout]).toEqual([1, '']);
    expect(unknown.stderr).toContain('There is no scope resource.read; did you mean resources.read?');
    await db.run('oauth client add site-5 --scopes preview');
    expect(await db.run('oauth client add site-5 --scopes preview')).toEqual(
      refused('hcd: The OAuth client id site-5 is already in use (revoked clients count); choose another id\n'),
    );
    expect((await db.run('oauth client add Site-5 --scopes preview')).code).toBe(0);
  });

  test('client show and list tell everything but the secret', async () => {
    await db.run('oauth client add site-6 --scopes chunks.read --name Six --rate-limit 20 --rate-window 30');
    await issue('site-6', start + hour);
    await issue('site-6', start - 1);
    await expectTranscript(db, 'oauth-client-show', ['oauth client show site-6 --json']);
    const { data: shown } = (await db.json('oauth client show site-6')) as { data: unknown };
    const { data } = (await db.json('oauth client list')) as { data: { client_id: string }[] };
    expect(data.find(({ client_id }) => client_id === 'site-6')).toEqual(shown);
    expect(await db.run('oauth client show nobody')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no OAuth client nobody; hcd oauth client list shows every client'),
    });
  });

  test('client revoke ends it, says how many tokens live on, and ends them when asked to', async () => {
    await db.run('oauth client add site-7 --scopes chunks.read');
    await issue('site-7', start + hour);
    expect((await db.run('oauth client revoke site-7 --yes')).stdout).toBe(
      'Revoked client site-7. It gets no new tokens. Tokens that still work until they expire: 1.\n',
    );
    expect((await db.run('oauth client revoke site-7 --with-tokens --yes')).stdout).toBe(
      'Already revoked at 2026-11-21T09:30:00Z: client site-7. Revoked tokens: 1.\n',
    );
    const later = await db.json('oauth client revoke site-7 --yes', { clock: fakeClock(start + hour) });
    expect(later).toMatchObject({ data: { state: 'revoked', live_tokens: 0, revoked_on: '2026-11-21T09:30:00Z' } });
    const { data } = (await db.json('oauth client list --usable')) as { data: { client_id: string }[] };
    expect(data.map(({ client_id }) => client_id)).not.toContain('site-7');
    expect(await db.run('oauth client rotate-secret site-7 --yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The OAuth client site-7 was revoked; make a new one: hcd oauth client add'),
    });
  });

  test('client rotate-secret prints the new secret and the end of the old one', async () => {
    await db.run('oauth client add site-8 --scopes chunks.read');
    const { stdout, stderr } = await db.run('oauth client rotate-secret site-8 --overlap 7d');
    expect(stdout).toMatch(/^client_id\tsite-8\nclient_secret\tgs_\S{43}\nname\tsite-8\n/);
    expect(stderr).toBe(`${shownOnce}The old secret works until 2026-11-28T09:30:00Z.\n`);
    expect((await db.run('oauth client rotate-secret site-8 --overlap 1h')).stderr).toContain(
      'has an old secret that works until 2026-11-28T09:30:00Z; wait, or rotate without --overlap to end both now',
    );
    expect((await db.run('oauth client rotate-secret site-8 --yes')).stderr).toBe(
      `${shownOnce}The old secret no longer works.\n`,
    );
  });

  test('token list shows the user, and whether the user is inactive or has a new password', async () => {
    await db.change((store) =>
      seed(store, {
        users: [
          { id: 7, username: 'editor', password: 'hash' },
          { id: 8, username: 'guest', active: 0 },
        ],
      }),
    );
    await db.run('oauth client add site-10 --scopes chunks.read --grants password');
    for (const userId of [7, 8, 9]) await issue('site-10', start + hour + userId, { userId });
    const marks = { kept: passwordMark('hash'), changed: passwordMark('another hash') };
    await issue('site-10', start + hour + 10, { userId: 7, passwordMark: marks.kept });
    await issue('site-10', start + hour + 11, { userId: 7, passwordMark: marks.changed });
    const { data } = (await db.json('oauth token list --client site-10')) as { data: unknown[] };
    expect(data).toMatchObject([
      { user: 'editor', state: 'active' },
      { user: 'guest', state: 'user_inactive' },
      { user: '#9', state: 'user_inactive' },
      { user: 'editor', state: 'active' },
      { user: 'editor', state: 'password_changed' },
    ]);
  });

  test('token list, revoke and prune', async () => {
    await db.run('oauth client add site-9 --scopes chunks.read');
    const live = await issue('site-9', start + hour);
    const ended = await issue('site-9', start - 1);
    const record = {
      token_id: live,
      client_id: 'site-9',
      user: null,
      scopes: ['chunks.read'],
      state: 'active',
      issued_on: '2026-11-21T08:30:00Z',
      expires_on: '2026-11-21T10:30:00Z',
      revoked_on: null,
    };
    const list = 'oauth token list --client site-9';
    expect(await db.json(list)).toEqual({ data: [record], meta: { total: 1 } });
    expect(await db.json(`${list} --all`)).toMatchObject({ data: [{ token_id: ended, state: 'expired' }, record] });
    expect((await db.run('oauth token list --client nobody')).code).toBe(1);

    expect((await db.run(`oauth token revoke ${live} --yes`)).stdout).toBe(
      `Revoked the token ${live}. Servers refuse it within one second.\n`,
    );
    for (const id of [live, ended]) {
      expect((await db.run(`oauth token revoke ${id} --yes`)).stdout).toBe(
        `The token ${id} was already expired or revoked; nothing to do.\n`,
      );
    }
    expect((await db.run('oauth token revoke 0123456789abcdef --yes')).code).toBe(1);
    const pasted = await db.run(`oauth token revoke ${createCredential('gt').text}`);
    expect([pasted.code, pasted.stderr.includes('gt_')]).toEqual([2, false]);

    const { data } = (await db.json('oauth token prune --yes')) as { data: { removed: number } };
    expect(data.removed).toBeGreaterThan(0);
    expect((await db.run('oauth token prune --yes')).stdout).toBe('Removed expired access tokens: 0.\n');
    expect(await db.json(`${list} --all`)).toMatchObject({ data: [{ token_id: live, state: 'revoked' }] });
  });
});
