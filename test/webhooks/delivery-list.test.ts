/** Lists and replays of deliveries find what a look at every row would find. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore, type Store } from '../../src/store/open/open.js';
import { countReplay, listDeliveries, replayDeliveries } from '../../src/webhooks/administration/deliveries.js';
import { deliveryStatuses } from '../../src/webhooks/models/deliveries.js';
import { migrated } from '../identity/keys/key-store.js';
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

const subscriptionIds = fc.option(fc.constantFrom(1, 2, 3, 4));
const filters = fc.record(
  {
    status: fc.option(fc.constantFrom(...deliveryStatuses)),
    subscriptionId: subscriptionIds,
    event: fc.constantFrom(...events, 'none'),
  },
  { requiredKeys: ['status', 'subscriptionId'] },
);

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

  it('are the newest first, so many after so many, and counted', async () => {
    const pages = fc.record({ limit: fc.integer({ min: 1, max: 60 }), offset: fc.integer({ min: 0, max: 220 }) });
    await fc.assert(
      fc.asyncProperty(filters, pages, async (filter, { limit, offset }) => {
        const expected = all
          .filter((row) => filter.status === null || row.status === filter.status)
          .filter((row) => filter.subscriptionId === null || row.subscriptionId === filter.subscriptionId)
          .filter((row) => filter.event === undefined || row.event === filter.event)
          .map(({ id }) => id)
          .toReversed();
        const { deliveries, total } = await listDeliveries(store, { filter, limit, offset });
        expect(deliveries.map(({ id }) => id)).toEqual(expected.slice(offset, offset + limit));
        expect(total).toBe(expected.length);
      }),
      { numRuns: 60 },
    );
  });

  it('are queued again where they are finished and their subscription is active', async () => {
    const fitting = (since: number, withDelivered: boolean) =>
      all.filter(
        ({ subscriptionId, status, createdOn }) =>
          subscriptionId === 1 &&
          createdOn >= since &&
          (['failed', 'cancelled'].includes(status) || (withDelivered && status === 'delivered')),
      ).length;
    const request = { subscriptionId: null, since: 950 };
    for (const subscriptionId of [null, 1]) {
      for (const withDelivered of [false, true]) {
        const counted = await countReplay(store, { ...request, subscriptionId, withDelivered });
        expect(counted).toBe(fitting(request.since, withDelivered));
      }
    }
    expect(await countReplay(store, { ...request, subscriptionId: 2, withDelivered: true })).toBe(0);
    const replay = { ...request, withDelivered: true };
    expect(await replayDeliveries(store, replay)).toBe(fitting(request.since, true));
    expect(await countReplay(store, replay)).toBe(0);
  });
});
