/** Servers note where they listen; what is old has ended, and the noting never hinders a server. */
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/store/base/database.js';
import type { Store } from '../../src/store/open/open.js';
import { readListeners } from '../../src/webhooks/models/listeners.js';
import { keepListener, listenerLifetimeMs } from '../../src/webhooks/worker/keep-listener.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { openMigrated } from '../support/migrate.js';
import { patientLimits } from '../support/patient-limits.js';

const one = { machine: 'a', host: '0.0.0.0', port: 8080, addresses: ['192.0.2.7', '::1'] };
const other = { ...one, port: 8081 };

describeEachDatabase('the listeners of a store', (database) => {
  let store: Store;

  beforeAll(async () => {
    store = await openMigrated({ databaseUrl: await database.url(), prefix: 'modx_', limits: patientLimits });
    return () => store.close();
  });

  const age = (ms: number) =>
    store.own.write((tx) =>
      tx.run({ sql: "UPDATE hcd_state SET updated_at = updated_at - ? WHERE `key` LIKE 'listener:%'", params: [ms] }),
    );
  const listeners = () => readListeners(store.own.primary, listenerLifetimeMs);

  it('are noted while they listen, each once, and are forgotten when they have ended', async () => {
    const clock = fakeClock();
    const deps = { own: store.own, clock, log: () => undefined };
    const first = await keepListener(deps, one);
    const worker = await keepListener(deps, one);
    expect(await listeners()).toEqual([one]);
    worker.stop();
    await age(listenerLifetimeMs);
    expect(await listeners()).toEqual([]);
    await clock.advance(20_000);
    await eventually(async () => expect(await listeners()).toEqual([one]));
    first.stop();
    await age(10 * listenerLifetimeMs + 1000);
    const last = await keepListener(deps, other);
    expect(await readListeners(store.own.primary, 1e12)).toEqual([other]);
    last.stop();
  });

  it('that cannot be noted still serve, and the log has the reason', async () => {
    const seen: unknown[] = [];
    const own: Database = { ...store.own, write: () => Promise.reject(new Error('read-only')) };
    const kept = await keepListener({ own, clock: fakeClock(), log: (fact) => seen.push(fact) }, one);
    kept.stop();
    expect(seen).toMatchObject([{ kind: 'unexpected_error', during: 'noting where the server listens' }]);
  });
});
