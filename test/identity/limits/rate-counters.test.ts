/** Counts of guesses in the database: windows, names of buckets, and what is removed. */
import { expect, it } from 'vitest';
import { addRateHits, purgeRateCounters, removeEndedRateCounters } from '../../../src/identity/models/rate-counters.js';
import type { Store } from '../../../src/store/open/open.js';
import { loadSqliteDriver } from '../../../src/store/sqlite/connection.js';
import { describeEachDatabase } from '../../support/databases.js';
import { migrated, openHandle } from '../keys/key-store.js';

const minute = 60_000;

async function ask(store: Store, bucket: string, windowMs = minute) {
  const [row] = await store.own.write((tx) => addRateHits(tx, [{ bucket, windowMs, hits: 1 }]));
  if (row === undefined) throw new Error('not counted');
  return row;
}

const end = (store: Store, where = '') =>
  store.own.write((tx) => tx.run({ sql: `UPDATE hcd_rate_counters SET ends_on = 1 ${where}`, params: [] }));

/** Statements that wait for a lock of this table, on MariaDB. */
async function waiting(store: Store) {
  const sql = `SELECT COUNT(*) FROM information_schema.INNODB_TRX
    WHERE trx_state = 'LOCK WAIT' AND trx_query LIKE '%INTO _hcd_rate_counters_%'`;
  const [row] = await store.own.primary.select({ sql, params: [] });
  return Number(row?.[0]);
}

describeEachDatabase('counts in the database', (database) => {
  it('give each of 100 parallel hits of four connections a different number', async () => {
    const url = await migrated(await database.url());
    const stores: Store[] = [];
    while (stores.length < 4) stores.push(await openHandle(url));
    const counts = await Promise.all(Array.from({ length: 100 }, (_, index) => ask(stores[index % 4] as Store, 'one')));
    expect(counts.map(({ hits }) => hits).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  });

  it('add a hit that waited for the row to the window that began meanwhile', async () => {
    const url = await migrated(await database.url());
    const [store, other] = [await openHandle(url), await openHandle(url)];
    await ask(store, 'one');
    await end(store);
    let late: ReturnType<typeof ask> | undefined;
    await store.own.write(async (tx) => {
      await tx.run({ sql: 'UPDATE hcd_rate_counters SET hits = 0', params: [] });
      late = ask(other, 'one');
      if (database.name === 'mariadb') await expect.poll(() => waiting(store)).toBe(1);
      await addRateHits(tx, [{ bucket: 'one', windowMs: minute, hits: 1 }]);
    });
    expect((await late)?.hits).toBe(2);
  });

  it('compare the names of buckets byte by byte', async () => {
    const store = await openHandle(await migrated(await database.url()));
    const nul = database.name === 'mariadb' || (await loadSqliteDriver()).keepsNul ? ['key\0'] : [];
    for (const bucket of ['key', 'KEY', 'kéy', 'key ', ...nul]) expect((await ask(store, bucket)).hits).toBe(1);
  });

  it('start a new window when the old one has ended, was made shorter or is in the future', async () => {
    const store = await openHandle(await migrated(await database.url()));
    for (let asked = 0; asked < 3; asked += 1) await ask(store, 'a', 3_600_000);
    expect((await ask(store, 'a', 3_600_000)).hits).toBe(4);
    const shorter = await ask(store, 'a');
    expect([shorter.hits, shorter.leftMs > minute / 2, shorter.leftMs <= minute]).toEqual([1, true, true]);
    await end(store);
    const next = await ask(store, 'a');
    expect([next.hits, next.leftMs > minute / 2, next.leftMs <= minute]).toEqual([1, true, true]);
    const same = await ask(store, 'a');
    expect([same.hits, same.endsOn]).toEqual([2, next.endsOn]);
  });

  it('are removed once their window has ended', async () => {
    const store = await openHandle(await migrated(await database.url()));
    for (let index = 0; index < 50; index += 1) await ask(store, `b${index}`);
    await end(store, "WHERE bucket <> 'b7'");
    expect(await store.own.write((tx) => removeEndedRateCounters(tx, 20))).toBe(20);
    await purgeRateCounters(store.own);
    const left = await store.own.primary.select({ sql: 'SELECT bucket, hits FROM hcd_rate_counters', params: [] });
    expect(left).toEqual([['b7', 1]]);
  });
});
