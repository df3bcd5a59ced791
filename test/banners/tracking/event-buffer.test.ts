/** Events on their way into the store: gathered, bounded, waited for where that is asked, and never lost in silence. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { EventBuffer, type TrackedEvent } from '../../../src/banners/tracking/event-buffer.js';
import { AppError } from '../../../src/errors/app-error.js';
import type { Observation } from '../../../src/log/observation.js';
import type { Database } from '../../../src/store/base/database.js';
import type { Store } from '../../../src/store/open/open.js';
import { migrated, openHandle } from '../../identity/keys/key-store.js';
import { type FakeClock, fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { deferred } from '../../support/deferred.js';
import { execute } from '../../support/execute.js';

type Fault = 'none' | 'unavailable' | 'bug' | 'answer lost';

const silent = { wants: () => false, queue: async () => undefined };

function event(n: number, more: Partial<TrackedEvent> = {}): TrackedEvent {
  return {
    kind: 'clicks',
    adposition: 1,
    ad: 1,
    position: 1,
    at: Date.UTC(2026, 10, 21, 9, 30),
    day: 20261121,
    visitor: n.toString(16).padStart(16, '0'),
    ip: '',
    referrer: '',
    target: '',
    ...more,
  };
}

describeEachDatabase('the buffer of events', (kind) => {
  let url: string;
  let clock: FakeClock;
  let log: Observation[];
  let fault: Fault;
  let writes: number;
  let hold: Promise<void> | null;
  let own: Database;
  let store: Store;

  beforeAll(async () => {
    url = await migrated(await kind.url());
  });

  beforeEach(async () => {
    store = await openHandle(url);
    await execute(
      store.own,
      ...['hcd_ad_clicks', 'hcd_ad_impressions', 'hcd_ad_days'].map((table) => `DELETE FROM ${table}`),
    );
    clock = fakeClock();
    log = [];
    fault = 'none';
    writes = 0;
    hold = null;
    const write: Database['write'] = async (work, options) => {
      writes += 1;
      if (hold !== null) await hold;
      if (fault === 'unavailable') throw new AppError('unavailable');
      if (fault === 'bug') throw new TypeError('a fault of the program');
      const result = await store.own.write(work, options);
      if (fault === 'answer lost') throw new AppError('unavailable');
      return result;
    };
    own = Object.assign(Object.create(store.own), { write });
  });

  const open = (most?: number) =>
    new EventBuffer({ own, clock, log: (fact) => log.push(fact), messages: silent, ...(most ? { most } : {}) });
  const counts = async () => {
    const rows = await store.own.select({
      sql: 'SELECT COALESCE(SUM(clicks), 0), COALESCE(SUM(impressions), 0), (SELECT COUNT(*) FROM hcd_ad_clicks), (SELECT COUNT(*) FROM hcd_ad_impressions) FROM hcd_ad_days',
      params: [],
    });
    return rows[0]?.map(Number);
  };

  test('resolves waiting callers after the commit and writes later events in one further commit', async () => {
    const buffer = open();
    const gate = deferred<void>();
    hold = gate.promise;
    const first = buffer.noteDurably(event(1));
    const others = Array.from({ length: 30 }, (_, n) => buffer.noteDurably(event(n % 10)));
    const told: string[] = [];
    void first.then(() => told.push('first'));
    await clock.advance(0);
    expect(told).toEqual([]);
    hold = null;
    gate.resolve();
    await Promise.all([first, ...others]);
    expect([writes, await counts()]).toEqual([2, [10, 0, 10, 0]]);
  });

  test('rejects waiting callers while the database is away, and writes the events when it is back', async () => {
    const buffer = open();
    fault = 'unavailable';
    buffer.note(event(1));
    await expect(buffer.noteDurably(event(2))).rejects.toMatchObject({ code: 'unavailable' });
    await clock.advance(3000);
    await buffer.flush();
    expect(log.map(({ kind: what }) => what)).toEqual(['unexpected_error']);
    fault = 'none';
    await clock.advance(1000);
    await buffer.flush();
    expect(await counts()).toEqual([2, 0, 2, 0]);
  });

  test('records an event once when an answer was lost', async () => {
    const buffer = open();
    fault = 'answer lost';
    for (let n = 0; n < 20; n += 1) buffer.note(event(n));
    await buffer.flush();
    fault = 'none';
    await clock.advance(1000);
    await buffer.flush();
    expect(await counts()).toEqual([20, 0, 20, 0]);
  });

  test('is bounded: counts and logs events that do not fit, and keeps the waiting ones', async () => {
    const buffer = open(100);
    fault = 'unavailable';
    for (let n = 0; n < 250; n += 1) buffer.note(event(n));
    for (let n = 0; n < 30; n += 1) buffer.note(event(n, { kind: 'impressions' }));
    await expect(buffer.noteDurably(event(999))).rejects.toMatchObject({ code: 'unavailable' });
    await buffer.flush();
    fault = 'none';
    await clock.advance(2000);
    await buffer.flush();
    expect(await counts()).toEqual([100, 0, 100, 0]);
    const lost = log.flatMap((fact) => (fact.kind === 'banner_events_lost' ? [[fact.clicks, fact.impressions]] : []));
    expect(
      lost.reduce(([clicks, impressions], [c = 0, i = 0]) => [(clicks ?? 0) + c, (impressions ?? 0) + i], [0, 0]),
    ).toEqual([151, 30]);
  });

  test('loses and logs only the batch that meets a program error', async () => {
    const buffer = open();
    fault = 'bug';
    buffer.note(event(1));
    await buffer.flush();
    fault = 'none';
    buffer.note(event(2));
    await buffer.close();
    expect(await counts()).toEqual([1, 0, 1, 0]);
    expect(log).toContainEqual({ kind: 'banner_events_lost', clicks: 1, impressions: 0 });
  });

  test('writes waiting events on close, also those that arrive during the last write', async () => {
    const buffer = open();
    const gate = deferred<void>();
    hold = gate.promise;
    for (let n = 0; n < 20; n += 1) buffer.note(event(n));
    const flushed = buffer.flush();
    for (let n = 20; n < 40; n += 1) buffer.note(event(n, { kind: 'impressions' }));
    const closed = buffer.close();
    hold = null;
    gate.resolve();
    await Promise.all([flushed, closed]);
    expect([await counts(), log]).toEqual([[20, 20, 20, 20], []]);
  });
});
