/** Log-ins: who gets in, one answer and one amount of work for all refusals, guesses over races and processes. */
import { hash } from '@node-rs/bcrypt';
import { beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import type { Clock } from '../../../src/clock/clock.js';
import { hashPassword, type StoredPassword, verifyPassword } from '../../../src/crypto/password.js';
import { sha256Hex } from '../../../src/crypto/primitives.js';
import { AppError } from '../../../src/errors/app-error.js';
import { GuessLimit, passwordSubject } from '../../../src/identity/limits/guess-limit.js';
import { addRateHits, readRateCounters } from '../../../src/identity/models/rate-counters.js';
import { removeEndedLoginNetworks } from '../../../src/identity/models/users.js';
import {
  DelayedAnswers,
  type LogIn,
  type LogInAttempt,
  type LogInDeps,
  makeLogIn,
} from '../../../src/identity/users/log-in.js';
import type { Param } from '../../../src/store/base/database.js';
import { openStore, type Store } from '../../../src/store/open/open.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { eventually } from '../../support/eventually.js';
import { seed } from '../../support/seed.js';
import { migrated, openHandle } from '../keys/key-store.js';

const password = 'a right Password';
const start = Date.UTC(2026, 10, 21, 9, 30);
const now = start / 1000;

interface Tried {
  readonly stored: StoredPassword | null;
  readonly decoys: readonly string[];
}

interface Process {
  readonly logIn: LogIn;
  /** What the verification was asked, in order. */
  readonly tried: Tried[];
  readonly log: unknown[];
}

/** The parts of one server process. */
function processOn(store: Store, given: Partial<LogInDeps> = {}): Process {
  const clock: Clock = given.clock ?? fakeClock(start);
  const tried: Tried[] = [];
  const log: unknown[] = [];
  const guesses = new GuessLimit({ own: store.own, clock, log: () => undefined });
  onTestFinished(() => guesses.close());
  const logIn = makeLogIn({
    store,
    clock,
    log: (fact) => log.push(fact),
    guesses,
    delays: new DelayedAnswers(clock),
    sign: (purpose, text) => sha256Hex(`${purpose} ${text}`),
    verify(text, asked) {
      tried.push(asked);
      return verifyPassword(text, asked);
    },
    ...given,
  });
  return { logIn, tried, log };
}

let networks = 0;
/** From a network that no other test uses. */
const attempt = (username: string, given: Partial<LogInAttempt> = {}): LogInAttempt => {
  networks += 1;
  return { username, password, request: from(`10.${Math.floor(networks / 250)}.${networks % 250}.0/24`), ...given };
};

function from(network: string, signal = new AbortController().signal) {
  return { network, signal, extendDeadline: () => undefined };
}

const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) =>
    error instanceof AppError ? { code: error.code, message: error.message, details: error.details } : error,
  );

const mark = expect.stringMatching(/^[0-9a-f]{64}$/);
const refused = { code: 'invalid_credentials', message: 'User name or password is wrong', details: {} };

const people: readonly (readonly [name: string, user: Record<string, Param>, profile: Record<string, Param> | null])[] =
  [
    ['plain', {}, {}],
    ['without.profile', {}, null],
    ['inactive', { active: 0 }, {}],
    ['blocked', {}, { blocked: 1 }],
    ['blocked.until.later', {}, { blockeduntil: now + 60 }],
    ['blocked.until.passed', {}, { blockeduntil: now - 60 }],
    ['ended', {}, { blockedafter: now - 1 }],
    ['ending', {}, { blockedafter: now + 60 }],
    ['locked', { password: '!' }, {}],
    ['Jürgen Ångström', {}, {}],
    ['🧀'.repeat(60), {}, {}],
  ];

describeEachDatabase('a log-in', (kind) => {
  let url: string;
  let store: Store;

  beforeAll(async () => {
    url = await migrated(await kind.url());
    // The lowest cost, so that tests are quick.
    const real = await hash(password, 4);
    const before = await openStore({ databaseUrl: url, prefix: 'modx_' });
    await seed(before, {
      users: people.map(([username, user], at) => ({
        id: at + 10,
        username,
        password: real,
        ...user,
      })),
      user_attributes: people.flatMap(([, , profile], at) =>
        profile === null ? [] : [{ internalKey: at + 10, address: '', comment: '', thislogin: 77, ...profile }],
      ),
    });
    await before.close();
  });

  /** No user has failed yet: names of other tests fold to the same. */
  const open = async (): Promise<Store> => {
    store = await openHandle(url);
    await store.own.write((tx) => tx.run({ sql: 'DELETE FROM hcd_rate_counters', params: [] }));
    return store;
  };

  test.each([
    ['plain', true],
    ['without.profile', true],
    ['inactive', false],
    ['blocked', false],
    ['blocked.until.later', false],
    ['blocked.until.passed', true],
    ['ended', false],
    ['ending', true],
    ['locked', false],
    ['Jürgen Ångström', true],
    ['🧀'.repeat(60), true],
    ['nobody', false],
    ['PLAIN', false],
    ['plain ', false],
    ['plaïn', false],
  ])('of %s with the right password: %s', async (username, isIn) => {
    const { logIn, tried } = processOn(await open());
    const at = people.findIndex(([name]) => name === username);
    expect(await outcomeOf(logIn(attempt(username)))).toEqual(isIn ? { userId: at + 10, username, mark } : refused);
    expect(await outcomeOf(logIn(attempt(username, { password: `${password}!` })))).toEqual(refused);
    // One verification for each user, and the same work where there is nothing to verify.
    expect(tried.map(({ decoys }) => decoys)).toEqual(Array.from({ length: 2 }, () => [`$2b$04$${'.'.repeat(53)}`]));
    expect(tried.map(({ stored }) => stored !== null)).toEqual([at >= 0, at >= 0]);
  });

  test.each([
    ['no name', { username: '' }],
    ['a name that no table holds', { username: 'x'.repeat(101) }],
    ['no password', { password: '' }],
    ['a password of more than a kibibyte', { password: 'x'.repeat(1025) }],
  ])('with %s is refused without counting or hashing', async (_name, given) => {
    const { logIn, tried } = processOn(await open());
    const before = await store.own.select({ sql: 'SELECT COUNT(*) FROM hcd_rate_counters', params: [] });
    expect(await outcomeOf(logIn(attempt('plain', given)))).toEqual(refused);
    expect(tried).toEqual([]);
    expect(await store.own.select({ sql: 'SELECT COUNT(*) FROM hcd_rate_counters', params: [] })).toEqual(before);
  });

  it('is written to the profile as the CMS does, and succeeds when that fails', async () => {
    const { logIn, log } = processOn(await open());
    await logIn(attempt('ending'));
    const sql = 'SELECT logincount, lastlogin, thislogin FROM modx_user_attributes WHERE internalKey = 17';
    const [row = []] = await store.content.primary.select({ sql, params: [] });
    expect(row.map(Number).slice(2)).toEqual([now]);
    const broken = new Proxy(store.content, {
      get: (target, name) =>
        name === 'write' ? () => Promise.reject(new Error('read only')) : Reflect.get(target, name, target),
    });
    const other = processOn({ ...store, content: broken, own: store.own });
    expect(await other.logIn(attempt('ending'))).toEqual({ userId: 17, username: 'ending', mark });
    expect([log, other.log]).toEqual([
      [],
      [expect.objectContaining({ during: 'noting a log-in in the profile of the user' })],
    ]);
  });

  it('ends a block whose time has passed, refuses this once, and lets the next one in', async () => {
    const { logIn } = processOn(await open());
    const sql = `UPDATE modx_user_attributes SET blocked = 1, blockeduntil = ${now - 5} WHERE internalKey = 15`;
    await store.content.write((tx) => tx.run({ sql, params: [] }));
    expect(await outcomeOf(logIn(attempt('blocked.until.passed', { password: 'wrong Password' })))).toEqual(refused);
    expect(await outcomeOf(logIn(attempt('blocked.until.passed')))).toEqual(refused);
    expect(await outcomeOf(logIn(attempt('blocked.until.passed')))).toMatchObject({ userId: 15 });
  });

  describe('after fifty failures from all networks', () => {
    /** One process on a database in which so many guesses at the user have failed. */
    async function afterGuesses(username: string, failures: number, given: Partial<LogInDeps> = {}) {
      const slept: number[] = [];
      const delays = new DelayedAnswers({ sleep: async (ms) => void slept.push(ms) });
      const handle = await open();
      const made = processOn(handle, { delays, ...given });
      const hit = { bucket: passwordSubject(username), windowMs: 900_000, hits: failures };
      await handle.own.write((tx) => addRateHits(tx, [hit]));
      return { ...made, slept };
    }

    /** The outcome of a log-in, and the seconds that its answer was held back. */
    async function timed({ logIn, slept }: Awaited<ReturnType<typeof afterGuesses>>, given: LogInAttempt) {
      slept.length = 0;
      const outcome = await outcomeOf(logIn(given));
      return [outcome, slept.reduce((sum, ms) => sum + ms, 0) / 1000];
    }

    test.each([
      [49, 0],
      [50, 1],
      [51, 2],
      [79, 30],
      [200, 30],
    ])('the answer after %i failures comes %i s later, right or wrong, user or none', async (failures, seconds) => {
      for (const username of ['plain', 'nobody']) {
        const made = await afterGuesses(username, failures);
        expect(await timed(made, attempt(username, { password: 'a guess' }))).toEqual([refused, seconds]);
      }
      const made = await afterGuesses('plain', failures);
      expect(await timed(made, attempt('plain'))).toEqual([{ userId: 10, username: 'plain', mark }, seconds]);
    });

    it('does not delay a network from which this user logged in, until 30 days later', async () => {
      const made = await afterGuesses('plain', 0);
      const request = from('198.51.100.0/24');
      expect(await timed(made, attempt('plain', { request }))).toEqual([expect.objectContaining({ userId: 10 }), 0]);
      const later = await afterGuesses('plain', 70);
      const wrong = { password: 'a guess', request };
      expect(await timed(later, attempt('plain', wrong))).toEqual([refused, 0]);
      expect((await timed(later, attempt('PLAIN', wrong)))[1]).toBe(0);
      expect((await timed(later, attempt('plain', { password: 'a guess' })))[1]).toBe(23);
      expect((await timed(later, attempt('ending', { request })))[1]).toBe(0);
      const rows = await store.own.select({ sql: 'SELECT pair_hash, ends_on FROM hcd_login_networks', params: [] });
      expect(JSON.stringify(rows)).not.toMatch(/plain|198\.51/);
      await store.own.write((tx) => tx.run({ sql: 'UPDATE hcd_login_networks SET ends_on = 1', params: [] }));
      expect((await timed(later, attempt('plain', wrong)))[1]).toBe(24);
      while ((await store.own.write((tx) => removeEndedLoginNetworks(tx, 1))) === 1);
      expect(await store.own.select({ sql: 'SELECT * FROM hcd_login_networks WHERE ends_on = 1', params: [] })).toEqual(
        [],
      );
    });

    it('bounds delayed answers, which take no place of the hashing: the next one gets 429 and is not counted', async () => {
      const delays = new DelayedAnswers(fakeClock(start), { most: 3 });
      const made = await afterGuesses('plain', 60, { delays, hashing: { places: 1, mostWaiting: 1 } });
      const waiting: Promise<unknown>[] = [];
      for (let count = 1; count <= 3; count += 1) {
        waiting.push(outcomeOf(made.logIn(attempt('plain', { password: 'a guess' }))));
        await eventually(() => expect([delays.size, made.tried.length]).toEqual([count, count]));
      }
      expect(await outcomeOf(made.logIn(attempt('plain')))).toMatchObject({
        code: 'rate_limited',
        details: { retryAfter: 14 },
      });
      expect(await outcomeOf(made.logIn(attempt('ending')))).toMatchObject({ userId: 17 });
      const [row] = await readRateCounters(store.own.primary, [passwordSubject('plain')]);
      expect([row?.hits, made.tried.length]).toEqual([63, 4]);
      delays.close();
      expect(await Promise.all(waiting)).toEqual([refused, refused, refused]);
      expect(delays.size).toBe(0);
    });

    it('frees the place of an answer whose client has left, counts a failure and opens nothing', async () => {
      const delays = new DelayedAnswers(fakeClock(start));
      const made = await afterGuesses('plain', 60, { delays });
      const gone = new AbortController();
      const outcome = outcomeOf(made.logIn(attempt('plain', { request: from('203.0.113.0/24', gone.signal) })));
      await eventually(() => expect([delays.size, made.tried.length]).toEqual([1, 1]));
      gone.abort();
      expect([await outcome, delays.size]).toEqual([refused, 0]);
      const [row] = await readRateCounters(store.own.primary, [passwordSubject('plain')]);
      expect(row?.hits).toBe(61);
    });
  });

  it('accepts the right password twenty times at once: a log-in uses no guesses', async () => {
    const { logIn } = processOn(await open());
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(logIn(attempt('plain')))));
    expect(outcomes).toEqual(Array.from({ length: 20 }, () => ({ userId: 10, username: 'plain', mark })));
  });

  it('uses no guess when the database fails in between', async () => {
    const healthy = await open();
    const failing = processOn(healthy, { verify: () => Promise.reject(new AppError('unavailable')) });
    for (let count = 0; count < 8; count += 1) {
      expect(await outcomeOf(failing.logIn(attempt('Jürgen Ångström')))).toMatchObject({ code: 'unavailable' });
    }
    expect(await outcomeOf(processOn(healthy).logIn(attempt('Jürgen Ångström')))).toMatchObject({ userId: 19 });
  });
});

describeEachDatabase('the hashing for an unknown user', (kind) => {
  it('has each cost that users of the site have and that can be computed', async () => {
    const clock = fakeClock(start);
    const store = await openHandle(await migrated(await kind.url()));
    const rest = `${'A'.repeat(22)}$${'A'.repeat(43)}`;
    const passwords = [
      `$2y$05$${'.'.repeat(53)}`,
      `$2y$31$${'.'.repeat(53)}`,
      `$2y$07$${'.'.repeat(53)}`,
      '$2y$15$short',
      `$argon2id$v=19$m=4194304000,t=1,p=1$${rest}`,
      `$argon2id$v=19$m=64,t=2,p=1$${rest}`,
      `$argon2i$v=19$m=64,t=2,p=1$${rest}`,
      `$argon2d$m=8,t=1,p=1$${rest}`,
      '5f4dcc3b5aa765d61d8327deb882cf99',
      '!',
    ];
    const users = passwords.map((text, at) => ({ id: at + 1, username: `user ${at}`, password: text }));
    await seed(store, { users });
    const { logIn, tried } = processOn(store, { clock });
    const expected = [
      `$2b$05$${'.'.repeat(53)}`,
      `$2b$07$${'.'.repeat(53)}`,
      `$argon2d$m=8,t=1,p=1$${rest}`,
      `$argon2i$v=19$m=64,t=2,p=1$${rest}`,
      `$argon2id$v=19$m=64,t=2,p=1$${rest}`,
    ];
    for (const username of [...users.map((one) => one.username), 'nobody']) {
      expect(await outcomeOf(logIn(attempt(username)))).toEqual(refused);
    }
    expect(new Set(tried.map(({ decoys }) => decoys.join(' ')))).toEqual(new Set([expected.join(' ')]));
    // The CMS gives a user another password: within a minute and a log-in its cost counts for every attempt.
    await store.content.write((tx) =>
      tx.run({ sql: 'UPDATE modx_users SET password = ? WHERE id = 1', params: [`$2y$08$${'.'.repeat(53)}`] }),
    );
    await clock.advance(60_000);
    await eventually(async () => {
      await logIn(attempt('nobody')).catch(() => undefined);
      expect(tried.at(-1)?.decoys[1]).toBe(`$2b$08$${'.'.repeat(53)}`);
    });
  });
});

describe('the hashing for an unknown user of a site without users', () => {
  it('is argon2id', async () => {
    const { logIn, tried } = processOn(await openHandle(await migrated(await freshSqliteUrl())));
    expect(await outcomeOf(logIn(attempt('nobody')))).toEqual(refused);
    expect(tried[0]?.decoys).toEqual([expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)]);
    expect(await hashPassword('x', 'argon2id')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});
