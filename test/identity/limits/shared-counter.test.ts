/** Counting in the database: exact over several handles, cheap in a flood, cleaned up, and safe when it is gone. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Count } from '../../../src/identity/limits/counter.js';
import { SharedCounter } from '../../../src/identity/limits/shared-counter.js';
import { addRateHits, removeEndedRateCounters } from '../../../src/identity/models/rate-counters.js';
import type { Observation } from '../../../src/log/observation.js';
import type { Database } from '../../../src/store/base/database.js';
import type { Store } from '../../../src/store/open/open.js';
import { loadSqliteDriver } from '../../../src/store/sqlite/connection.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { migrated, openHandle } from '../keys/key-store.js';

const minute = 60_000;

/** Its clock does not move: on a slow machine the database may take longer than the counter waits for it. */
function counterOf(own: Database): SharedCounter {
  const counter = new SharedCounter({ own, clock: fakeClock(), log: () => undefined });
  onTestFinished(() => counter.close());
  return counter;
}

const ask = (counter: SharedCounter, bucket: string, windowMs = minute): Promise<Count> =>
  counter.count({ bucket, windowMs, whenLost: 'refuse' });

/** The database with the number of transactions that were begun on it. */
function counting(own: Database): { readonly own: Database; readonly writes: () => number } {
  let writes = 0;
  const watched = new Proxy(own, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === 'write') writes += 1;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { own: watched, writes: () => writes };
}

const rows = (store: Store) =>
  store.own.primary.select({ sql: 'SELECT bucket, hits FROM hcd_rate_counters ORDER BY bucket', params: [] });

describeEachDatabase('the counter in the database', (database) => {
  it('gives each of 400 parallel requests through four connections a different number', async () => {
    const url = await migrated(await database.url());
    const counters: SharedCounter[] = [];
    for (let handle = 0; handle < 4; handle += 1) counters.push(counterOf((await openHandle(url)).own));
    const counts = await Promise.all(
      Array.from({ length: 400 }, (_, index) => ask(counters[index % 4] as SharedCounter, 'one')),
    );
    expect(counts.map(({ hits }) => hits).sort((a, b) => a - b)).toEqual(Array.from({ length: 400 }, (_, i) => i + 1));
    expect(new Set(counts.map(({ endsOn }) => endsOn)).size).toBe(1);
  });

  it('counts the requests that arrive meanwhile in one transaction', async () => {
    const store = await openHandle(await migrated(await database.url()));
    const { own, writes } = counting(store.own);
    const counter = counterOf(own);
    const counts = await Promise.all(Array.from({ length: 200 }, (_, index) => ask(counter, `bucket ${index % 40}`)));
    expect(writes()).toBe(2);
    const numbers = counts.map(({ hits }) => hits);
    for (const place of [1, 2, 3, 4, 5]) expect(numbers.filter((hits) => hits === place)).toHaveLength(40);
    expect(await rows(store)).toHaveLength(40);
  });

  it('compares the names of buckets byte by byte', async () => {
    const counter = counterOf((await openHandle(await migrated(await database.url()))).own);
    const nul = database.name === 'mariadb' || (await loadSqliteDriver()).keepsNul ? ['key\0'] : [];
    for (const bucket of ['key', 'KEY', 'kéy', 'key ', ...nul]) expect((await ask(counter, bucket)).hits).toBe(1);
  });

  it('starts a new window when the old one has ended, was made shorter or is in the future', async () => {
    const store = await openHandle(await migrated(await database.url()));
    const counter = counterOf(store.own);
    for (let asked = 0; asked < 3; asked += 1) await ask(counter, 'a', 3_600_000);
    expect((await ask(counter, 'a', 3_600_000)).hits).toBe(4);
    const shorter = await ask(counter, 'a', minute);
    // What is left is counted from the database's answer: under load a few milliseconds of it have passed.
    expect([shorter.hits, shorter.leftMs > minute / 2, shorter.leftMs <= minute]).toEqual([1, true, true]);
    await store.own.write((tx) => tx.run({ sql: 'UPDATE hcd_rate_counters SET ends_on = 1', params: [] }));
    const next = await ask(counter, 'a', minute);
    expect([next.hits, next.leftMs > minute / 2, next.leftMs <= minute]).toEqual([1, true, true]);
    const same = await ask(counter, 'a', minute);
    expect([same.hits, same.endsOn]).toEqual([2, next.endsOn]);
    expect(same.leftMs).toBeLessThanOrEqual(minute);
  });

  it('removes windows that have ended and keeps the others', async () => {
    const store = await openHandle(await migrated(await database.url()));
    await store.own.write((tx) =>
      addRateHits(
        tx,
        Array.from({ length: 50 }, (_, index) => ({ bucket: `b${index}`, windowMs: minute, hits: 1 })),
      ),
    );
    await store.own.write((tx) =>
      tx.run({ sql: "UPDATE hcd_rate_counters SET ends_on = 1 WHERE bucket <> 'b7'", params: [] }),
    );
    expect(await store.own.write((tx) => removeEndedRateCounters(tx, 20))).toBe(20);
    await counterOf(store.own).purge();
    expect(await rows(store)).toEqual([['b7', 1]]);
  });

  it('refuses, or lets this process count alone, while the table cannot be used; then counts again', async () => {
    const store = await openHandle(await migrated(await database.url()));
    const log: Observation[] = [];
    const clock = fakeClock();
    const counter = new SharedCounter({ own: store.own, clock, log: (fact) => log.push(fact) });
    onTestFinished(() => counter.close());
    const rename = (from: string, to: string) =>
      store.own.write((tx) => tx.run({ sql: `ALTER TABLE ${from} RENAME TO ${to}`, params: [] }));
    await rename('hcd_rate_counters', 'hcd_gone');
    const alone = () => counter.count({ bucket: 'a', windowMs: minute, whenLost: 'alone' });
    await expect(ask(counter, 'a')).rejects.toMatchObject({ code: 'unavailable', details: { retryAfter: 5 } });
    expect((await alone()).hits).toBe(1);
    expect((await alone()).hits).toBe(2);
    await expect(ask(counter, 'a')).rejects.toMatchObject({ code: 'unavailable' });
    await clock.advance(1000);
    await expect(ask(counter, 'a')).rejects.toMatchObject({ code: 'unavailable' });
    expect(log.map((fact) => fact.kind === 'unexpected_error' && fact.during)).toEqual([
      'counting requests in the database',
    ]);
    await rename('hcd_gone', 'hcd_rate_counters');
    await clock.advance(1000);
    expect((await ask(counter, 'a')).hits).toBe(1);
  });
});

describe('a database that does not answer', () => {
  it('delays a request by two seconds at most', async () => {
    const store = await openHandle(await migrated(await freshSqliteUrl()));
    const clock = fakeClock();
    const silent = new Proxy(store.own, {
      get: (target, name) =>
        name === 'write' ? () => new Promise(() => undefined) : Reflect.get(target, name, target),
    });
    const counter = new SharedCounter({ own: silent, clock, log: () => undefined });
    onTestFinished(() => counter.close());
    const refused = expect(ask(counter, 'a')).rejects.toMatchObject({ code: 'unavailable' });
    const alone = counter.count({ bucket: 'b', windowMs: minute, whenLost: 'alone' });
    await clock.advance(2000);
    await refused;
    await clock.advance(2000);
    expect((await alone).hits).toBe(1);
  });
});
