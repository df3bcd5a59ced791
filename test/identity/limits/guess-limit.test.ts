/**
 * Guesses are counted exactly, over processes and races, by the clock of the database; without the count every guess is
 * refused.
 */
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../../src/errors/app-error.js';
import { GuessLimit, passwordGuess, secretGuess } from '../../../src/identity/limits/guess-limit.js';
import type { Store } from '../../../src/store/open/open.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { migrated, openHandle } from '../keys/key-store.js';

let names = 0;
/** A user whom no other test knows, in a network of their own. */
const someUser = () => {
  names += 1;
  return { username: `someUser-${names}`, network: `10.0.${names}.0/24` };
};

/** Its clock does not move: on a slow machine the database may take longer than the limit waits for it. */
function limitOf({ own }: Pick<Store, 'own'>, clock = fakeClock()): GuessLimit {
  const limit = new GuessLimit({ own, clock, log: () => undefined });
  onTestFinished(() => limit.close());
  return limit;
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'counted',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

describeEachDatabase('the limit of guesses', (kind) => {
  let url: string;

  beforeAll(async () => {
    url = await migrated(await kind.url());
  });

  it('allows five guesses at one user from one network, then refuses more for the rest of 15 minutes', async () => {
    const store = await openHandle(url);
    const limit = limitOf(store);
    const { username, network } = someUser();
    const began = performance.now();
    for (let count = 0; count < 5; count += 1) await limit.reserve(passwordGuess({ username, network }));
    const guess = passwordGuess({ username, network });
    const refused = { code: 'rate_limited', details: { retryAfter: expect.any(Number) } };
    await expect(limit.reserve(guess)).rejects.toMatchObject(refused);
    await expect(limit.check(guess)).rejects.toMatchObject(refused);
    expect(await codeOf(limit.reserve(passwordGuess({ username, network: '192.0.2.0/24' })))).toBe('counted');
    const { details } = (await limit
      .reserve(passwordGuess({ username, network }))
      .catch((error: AppError) => error)) as AppError;
    const passed = (performance.now() - began) / 1000;
    expect(details.retryAfter).toBeGreaterThanOrEqual(Math.floor(900 - passed));
    expect(details.retryAfter).toBeLessThanOrEqual(900);
    await store.own.write((tx) => tx.run({ sql: 'UPDATE hcd_rate_counters SET ends_on = 1', params: [] }));
    expect(await codeOf(limit.check(passwordGuess({ username, network })))).toBe('counted');
    expect(await codeOf(limit.reserve(passwordGuess({ username, network })))).toBe('counted');
  });

  it('counts all spellings of a user name together', async () => {
    const limit = limitOf(await openHandle(url));
    const { network } = someUser();
    for (const username of ['Jürgen', 'JÜRGEN', 'ju\u0308rgen', ' jürgen ', 'jürgen']) {
      await limit.reserve(passwordGuess({ username, network }));
    }
    expect(await codeOf(limit.reserve(passwordGuess({ username: 'jÜrgen', network })))).toBe('rate_limited');
    expect(await codeOf(limit.reserve(passwordGuess({ username: 'jurgen', network })))).toBe('counted');
  });

  it('allows fifty guesses from one network, at any users', async () => {
    const limit = limitOf(await openHandle(url));
    const { network } = someUser();
    const outcomes: string[] = [];
    for (let count = 0; count < 52; count += 1) {
      outcomes.push(await codeOf(limit.reserve(passwordGuess({ username: someUser().username, network }))));
    }
    expect(outcomes.filter((one) => one === 'counted')).toHaveLength(50);
    expect(outcomes.slice(50)).toEqual(['rate_limited', 'rate_limited']);
    expect(await codeOf(limit.reserve(passwordGuess(someUser())))).toBe('counted');
  });

  it('does not count refused guesses: one user who is locked out does not lock out a network', async () => {
    const limit = limitOf(await openHandle(url));
    const { username, network } = someUser();
    for (let count = 0; count < 70; count += 1) await codeOf(limit.reserve(passwordGuess({ username, network })));
    expect(await codeOf(limit.reserve(passwordGuess({ username: someUser().username, network })))).toBe('counted');
  });

  it('counts exactly over two processes and twenty guesses at once', async () => {
    const [one, other] = [limitOf(await openHandle(url)), limitOf(await openHandle(url))];
    const guess = passwordGuess(someUser());
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_value, at) => codeOf((at % 2 === 0 ? one : other).reserve(guess))),
    );
    expect(outcomes.filter((outcome) => outcome === 'counted')).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === 'rate_limited')).toHaveLength(15);
  });

  it('clears the failures of a user who logs in from this network, and only this guess from the other counts', async () => {
    const store = await openHandle(url);
    const limit = limitOf(store);
    const guess = passwordGuess(someUser());
    for (let count = 0; count < 4; count += 1) await limit.reserve(guess);
    await limit.succeed(await limit.reserve(guess));
    const rows = await store.own.select({
      sql: 'SELECT bucket, hits FROM hcd_rate_counters WHERE bucket IN (?, ?, ?) ORDER BY bucket',
      params: [guess.subject, guess.address, guess.everywhere ?? ''],
    });
    expect(rows.map(([bucket, hits]) => [bucket, Number(hits)])).toEqual([
      [guess.address, 4],
      [guess.everywhere, 4],
    ]);
  });

  it('delays each answer to one user by a second more from the 51st failure on, up to 30, from any network', async () => {
    const limit = limitOf(await openHandle(url));
    const { username } = someUser();
    const delays: number[] = [];
    for (let count = 0; count < 85; count += 1) {
      const guess = passwordGuess({ username, network: `10.99.${Math.floor(count / 4)}.0/24` });
      delays.push((await limit.reserve(guess)).delaySeconds);
    }
    expect(delays).toEqual(Array.from({ length: 85 }, (_value, at) => Math.min(30, Math.max(0, at + 1 - 50))));
    expect((await limit.reserve(passwordGuess(someUser()))).delaySeconds).toBe(0);
  });

  it('subtracts a guess that was not tried, but not from a later window', async () => {
    const store = await openHandle(url);
    const limit = limitOf(store);
    const guess = passwordGuess(someUser());
    const early = await limit.reserve(guess);
    for (let count = 0; count < 5; count += 1) await limit.giveBack(await limit.reserve(guess));
    await store.own.write((tx) =>
      tx.run({ sql: 'UPDATE hcd_rate_counters SET ends_on = 1 WHERE bucket = ?', params: [guess.subject] }),
    );
    for (let count = 0; count < 5; count += 1) await limit.reserve(guess);
    await limit.giveBack(early);
    expect(await codeOf(limit.reserve(guess))).toBe('rate_limited');
  });

  it('counts failures of a client at one address, and lets the client work from another', async () => {
    const limit = limitOf(await openHandle(url));
    const { network } = someUser();
    const guess = secretGuess({ clientId: 'website', address: network });
    for (let count = 0; count < 5; count += 1) {
      await limit.check(guess);
      await limit.fail(guess);
    }
    expect(await codeOf(limit.check(guess))).toBe('rate_limited');
    expect(await codeOf(limit.check(secretGuess({ clientId: 'website', address: '192.0.2.7' })))).toBe('counted');
    expect(await codeOf(limit.check(secretGuess({ clientId: 'Website', address: network })))).toBe('counted');
  });

  it('counts clients and users separately', async () => {
    const limit = limitOf(await openHandle(url));
    const { username, network } = someUser();
    for (let count = 0; count < 50; count += 1)
      await limit.fail(secretGuess({ clientId: `c${count}`, address: network }));
    expect(await codeOf(limit.check(secretGuess({ clientId: username, address: network })))).toBe('rate_limited');
    expect(await codeOf(limit.check(passwordGuess({ username, network })))).toBe('counted');
  });

  it('stores names and addresses only as digests', async () => {
    const store = await openHandle(url);
    const limit = limitOf(store);
    await limit.reserve(passwordGuess({ username: 'grete', network: '198.51.100.0/24' }));
    await limit.fail(secretGuess({ clientId: 'secretive', address: '198.51.100.77' }));
    const rows = await store.own.select({ sql: 'SELECT bucket FROM hcd_rate_counters', params: [] });
    expect(JSON.stringify(rows)).not.toMatch(/grete|secretive|198\.51/);
    for (const [bucket] of rows) expect(String(bucket).length).toBeLessThanOrEqual(190);
  });

  it('removes counts whose time has ended, every minute', async () => {
    const store = await openHandle(url);
    const clock = fakeClock();
    const limit = limitOf(store, clock);
    const guess = passwordGuess(someUser());
    await limit.reserve(guess);
    await store.own.write((tx) => tx.run({ sql: 'UPDATE hcd_rate_counters SET ends_on = 1', params: [] }));
    await limit.purge();
    expect(await store.own.select({ sql: 'SELECT * FROM hcd_rate_counters WHERE ends_on = 1', params: [] })).toEqual(
      [],
    );
    expect(clock.pending).toBe(1);
  });

  it('refuses all callers as unavailable when the table is missing', async () => {
    const store = await openHandle(await migrated(await kind.url()));
    const limit = limitOf(store);
    await store.own.write((tx) => tx.run({ sql: 'DROP TABLE hcd_rate_counters', params: [] }));
    const guess = passwordGuess(someUser());
    const refused = { code: 'unavailable', details: { retryAfter: 5 } };
    await expect(limit.check(guess)).rejects.toMatchObject(refused);
    await expect(limit.reserve(guess)).rejects.toMatchObject(refused);
    await expect(limit.fail(guess)).rejects.toMatchObject(refused);
  });

  it('refuses all callers as unavailable when the database does not answer for two seconds', async () => {
    const store = await openHandle(url);
    const clock = fakeClock();
    const silent = new Proxy(store.own, {
      get: (target, name) =>
        name === 'write'
          ? () => new Promise(() => undefined)
          : name === 'primary'
            ? {
                dialect: target.dialect,
                select: () => new Promise(() => undefined),
                query: () => new Promise(() => undefined),
              }
            : Reflect.get(target, name, target),
    });
    const limit = limitOf({ own: silent }, clock);
    const guess = passwordGuess(someUser());
    const outcomes = Promise.all([codeOf(limit.check(guess)), codeOf(limit.reserve(guess)), codeOf(limit.fail(guess))]);
    await clock.advance(2000);
    expect(await outcomes).toEqual(['unavailable', 'unavailable', 'unavailable']);
  });
});
