/** Lists, counts and replays of deliveries: stretch by stretch they find what one statement over all rows would find. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore, type Store } from '../../src/store/open/open.js';
import {
  countDeliveries,
  countOfActive,
  pageOfIds,
  type RowFilter,
  replayIds,
  type Stretch,
} from '../../src/webhooks/administration/delivery-pages.js';
import { deliveryStatuses } from '../../src/webhooks/models/deliveries.js';
import { migrated, openHandle } from '../identity/keys/key-store.js';
import { describeEachDatabase } from '../support/databases.js';

interface Row {
  readonly id: number;
  readonly subscriptionId: number;
  readonly event: string;
  readonly status: string;
  readonly createdOn: number;
}

const events = ['resources.updated', 'resources.created'];

/** Two hundred rows of every mixture, whose ids have gaps; times mostly grow with them. */
function makeRows(): readonly Row[] {
  return Array.from({ length: 200 }, (_, at) => ({
    id: 900 + at + 40 * Math.floor(at / 23),
    subscriptionId: [1, 1, 1, 2, 3][(at * 7) % 5] ?? 1,
    event: events[Math.floor(at / 3) % 2] ?? '',
    status: deliveryStatuses[(at * 3 + Math.floor(at / 11)) % deliveryStatuses.length] ?? '',
    createdOn: 900 + at + (at % 13 === 0 ? 60 : 0),
  }));
}

const filters = fc.record(
  {
    statuses: fc.option(fc.subarray([...deliveryStatuses], { minLength: 1 })),
    subscriptionId: fc.option(fc.constantFrom(1, 2, 3, 4)),
    event: fc.constantFrom(...events, 'none'),
    since: fc.integer({ min: 880, max: 1500 }),
  },
  { requiredKeys: ['statuses', 'subscriptionId'] },
);
const stretches: fc.Arbitrary<Stretch> = fc.record({
  rows: fc.integer({ min: 1, max: 400 }),
  entries: fc.integer({ min: 1, max: 400 }),
});

describeEachDatabase('deliveries by the page', (database) => {
  const all = makeRows();
  let store: Store;

  beforeAll(async () => {
    store = await openStore({ databaseUrl: await migrated(await database.url()), prefix: 'modx_' });
    await store.own.write(async (tx) => {
      for (const { id, subscriptionId, event, status, createdOn } of all) {
        await tx.run({
          sql: `INSERT INTO hcd_webhook_deliveries (id, subscription_id, event_id, event, revision, body, url, secrets, status, visible_at, created_on)
            VALUES (?, ?, ?, ?, 1, '{}', 'http://192.0.2.1/', 'x', ?, ?, ?)`,
          params: [id, subscriptionId, `event ${id}`, event, status, createdOn, createdOn],
        });
      }
      for (const [id, active] of [
        [1, 1],
        [2, 0],
      ] as const) {
        await tx.run({
          sql: "INSERT INTO hcd_webhook_subscriptions (id, url, events, secret, active, created_on, updated_on, created_by) VALUES (?, 'http://192.0.2.1/', '*', 'x', ?, 1, 1, 'test')",
          params: [id, active],
        });
      }
    });
  });

  afterAll(() => store.close());

  function fitting({ statuses, subscriptionId, event, since = 0 }: RowFilter): readonly Row[] {
    return all.filter(
      (row) =>
        (statuses === null || statuses.some((status) => status === row.status)) &&
        (subscriptionId === null || row.subscriptionId === subscriptionId) &&
        (event === undefined || row.event === event) &&
        row.createdOn >= since,
    );
  }

  it('are the newest first, so many after so many, and counted', async () => {
    const pages = fc.record({ limit: fc.integer({ min: 1, max: 60 }), offset: fc.integer({ min: 0, max: 220 }) });
    await fc.assert(
      fc.asyncProperty(filters, pages, stretches, async (filter, { limit, offset }, stretch) => {
        const expected = fitting(filter).toReversed();
        const found = await pageOfIds(store.own.primary, { filter, limit, offset }, stretch);
        expect(found).toEqual(expected.slice(offset, offset + limit).map(({ id }) => id));
        expect(await countDeliveries(store.own.primary, filter, stretch)).toBe(expected.length);
      }),
      { numRuns: 60 },
    );
  });

  it('are gone through in the order of their ids, and counted where their subscription is active', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 50 }), stretches, async (filter, limit, stretch) => {
        const ids: number[] = [];
        for await (const some of replayIds(store.own.primary, { filter, limit }, stretch)) {
          expect(some.length).toBeLessThanOrEqual(limit);
          ids.push(...some);
        }
        expect(ids).toEqual(fitting(filter).map(({ id }) => id));
        const active = fitting(filter).filter(({ subscriptionId }) => subscriptionId === 1);
        expect(await countOfActive(store.own.primary, filter, stretch)).toBe(active.length);
      }),
      { numRuns: 60 },
    );
  });

  it('are none where there is no row', async () => {
    const empty = await openHandle(await migrated(await database.url()));
    const filter = { statuses: null, subscriptionId: null };
    expect(await pageOfIds(empty.own.primary, { filter, limit: 5, offset: 3 })).toEqual([]);
    expect(await countDeliveries(empty.own.primary, filter)).toBe(0);
    for await (const ids of replayIds(empty.own.primary, { filter, limit: 5 })) expect(ids).toEqual([]);
  });
});
