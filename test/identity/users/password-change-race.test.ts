/**
 * A password that is changed while a user logs in with the old one: what the log-in opens must not outlive the change.
 */
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { openSite } from '../../../src/content/live/site.js';
import { buildRegistry } from '../../../src/content/objects/core-objects.js';
import { verifyPassword } from '../../../src/crypto/password.js';
import { GuessLimit } from '../../../src/identity/limits/guess-limit.js';
import { addClient } from '../../../src/identity/oauth/manage-clients.js';
import { makeOauthService } from '../../../src/identity/oauth/oauth-service.js';
import { makeSessionService } from '../../../src/identity/sessions/session-service.js';
import { DelayedAnswers, makeLogIn } from '../../../src/identity/users/log-in.js';
import { addUser, changePassword } from '../../../src/identity/users/manage-users.js';
import type { Store } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { migrated, openHandle } from '../keys/key-store.js';

const old = 'the old password';
const registry = buildRegistry([]);
const clock = systemClock;
const log = () => undefined;
const now = clock.now();

describeEachDatabase('a log-in while the password is changed', (kind) => {
  let store: Store;

  beforeEach(async () => {
    store = await openHandle(await migrated(await kind.url()));
    const request = { username: 'rowan', password: old, fullName: '', email: '', context: 'web' };
    await addUser(store, { registry, sudo: false, permissions: [], now, ...request });
  });

  /** A log-in whose verification lasts until `meanwhile` is done. */
  function logInDuring(meanwhile: () => Promise<unknown>) {
    const guesses = new GuessLimit({ own: store.own, clock, log });
    onTestFinished(() => guesses.close());
    const verify: typeof verifyPassword = async (...asked) => {
      const isRight = await verifyPassword(...asked);
      await meanwhile();
      return isRight;
    };
    const delays = new DelayedAnswers(clock);
    const sign = (purpose: string, text: string) => `${purpose} ${text}`;
    return {
      guesses,
      logIn: makeLogIn({ store, clock, log, guesses, delays, sign, verify }),
    };
  }

  const change = () => changePassword(store, { username: 'rowan', password: 'a fresh password', now: clock.now() });
  const count = async (sql: string) => Number((await store.own.select({ sql, params: [] }))[0]?.[0]);
  const request = { network: '192.0.2.0/24', signal: new AbortController().signal, extendDeadline: () => undefined };
  const attempt = { username: 'rowan', password: old, request };

  async function sessions() {
    const { live, sign } = await openSite({ store, registry, env: {}, clock, log, secret: 'a root secret for tests' });
    return makeSessionService({ store, clock, log, live: () => live.current(), sign });
  }
  const none = { own: undefined, named: () => undefined };

  it('opens no session', async () => {
    const user = await logInDuring(change).logIn(attempt);
    await expect((await sessions()).open(user, none)).rejects.toMatchObject({ code: 'invalid_credentials' });
    expect(await count('SELECT COUNT(*) FROM hcd_sessions')).toBe(0);
  });

  it('opens a session when nothing was changed, and the change ends it', async () => {
    const service = await sessions();
    const user = await logInDuring(async () => undefined).logIn(attempt);
    const { id } = await service.open(user, none);
    expect(await service.find({ ...none, own: id })).toMatchObject({ username: 'rowan' });
    await change();
    expect(await service.find({ ...none, own: id })).toBe(null);
  });

  it('issues no token', async () => {
    const { clientId, clientSecret } = await addClient(store, {
      registry,
      clientId: 'app',
      name: null,
      scopes: ['resources.read'],
      grants: ['password'],
      rateLimit: { max: null, windowSeconds: null },
      createdBy: 'test',
      now,
    });
    const client = { clientId, secret: clientSecret, address: '192.0.2.1', isBasic: false };
    const issueDuring = (meanwhile: () => Promise<unknown>) => {
      const { guesses, logIn } = logInDuring(meanwhile);
      const oauth = makeOauthService({ store, clock, guesses, logIn, lifetime: () => 3600, knownScopes: () => [] });
      return oauth.issue({ client, grant: { type: 'password', user: attempt, request }, scopes: null });
    };
    expect(await issueDuring(async () => undefined)).toMatchObject({ lifetime: 3600 });
    await expect(issueDuring(change)).rejects.toMatchObject({
      details: { grantError: 'invalid_grant' },
      message: 'The user is unknown or may not log in, or the password is wrong',
    });
    expect(await count('SELECT COUNT(*) FROM hcd_oauth_tokens WHERE revoked_on IS NULL')).toBe(0);
  });
});
