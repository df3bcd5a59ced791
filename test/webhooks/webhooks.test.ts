/** Subscriptions and deliveries as commands manage them, on both databases. */
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { effectiveSettings, type Settings } from '../../src/config/settings.js';
import { knownEvents } from '../../src/content/administration/event-samples.js';
import { buildRegistry } from '../../src/content/objects/core-objects.js';
import type { Sealer } from '../../src/crypto/seal.js';
import { AppError } from '../../src/errors/app-error.js';
import type { Tx } from '../../src/store/base/database.js';
import type { Store } from '../../src/store/open/open.js';
import {
  listDeliveries,
  replayDeliveries,
  retryDelivery,
  showDelivery,
  testSubscription,
} from '../../src/webhooks/administration/deliveries.js';
import { isReadableSecret, openWebhookSealer, rotateWebhookSecret } from '../../src/webhooks/administration/secrets.js';
import {
  type AddedSubscription,
  addSubscription,
  disableSubscription,
  listSubscriptions,
  removeSubscription,
  type SubscriptionRequest,
  updateSubscription,
} from '../../src/webhooks/administration/subscriptions.js';
import type { OutboundRequest } from '../../src/webhooks/client/outbound.js';
import { subscriptions as subscriptionRows } from '../../src/webhooks/models/subscriptions.js';
import { describeEachDatabase } from '../support/databases.js';
import { answer, type Outbox, openOutbox, type Send } from './outbox-store.js';

const known = knownEvents(buildRegistry([]));
const settings: Settings = effectiveSettings([], {}).values;
const places = { ownListeners: [], ownAddresses: [] };
const all = { status: null, subscriptionId: null } as const;

function add({ store, sealer }: Outbox, given: Partial<SubscriptionRequest> = {}): Promise<AddedSubscription> {
  return addSubscription(store, {
    known,
    settings,
    places,
    sealer,
    url: 'https://hooks.example.com/cms',
    events: ['resources.updated'],
    name: 'site builder',
    secret: null,
    active: true,
    createdBy: 'tester',
    ...given,
  });
}

async function fieldsOf(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof AppError ? (error.details.fields ?? `${error.code}: ${error.message}`) : error;
}

async function statuses({ store }: Outbox): Promise<string[]> {
  const { deliveries } = await listDeliveries(store, { filter: all, limit: 100, offset: 0 });
  return deliveries.map(({ status }) => status).reverse();
}

const fine: Send = async () => answer(200);
const broken: Send = async () => answer(500);

describeEachDatabase('webhook subscriptions', (database) => {
  test('are refused with every problem at once', async () => {
    const outbox = await openOutbox(database);
    const problems = fieldsOf(
      add(outbox, { url: 'ftp://x.example/', events: ['resource.updated'], secret: 'short', name: 'n'.repeat(101) }),
    );
    expect(await problems).toEqual({
      url: ['The URL must begin with http:// or https:// and a host'],
      events: [expect.stringMatching(/^There is no event resource\.updated; did you mean resources\.updated\?/)],
      name: ['A name has at most 100 characters'],
      secret: ['A secret has 16 to 255 characters'],
    });
    expect(await listSubscriptions(outbox.store)).toEqual([]);
    const strict = { ...settings, gateway_webhook_https_only: true };
    expect(await fieldsOf(add(outbox, { url: 'http://hooks.example.com/', settings: strict }))).toHaveProperty('url');
    expect(await fieldsOf(add(outbox, { url: 'http://127.0.0.1/' }))).toHaveProperty('url');
    const open = { ...settings, gateway_webhook_allow_private_urls: true };
    expect(await add(outbox, { url: 'http://127.0.0.1:8080/', settings: open })).toMatchObject({
      url: 'http://127.0.0.1:8080/',
    });
  });

  test('cancel all that waits, whatever else changes meanwhile', async () => {
    const outbox = await openOutbox(database);
    const { id } = await add(outbox, { events: ['*'] });
    await outbox.raise(501);
    const { own } = outbox.store;
    let isFirst = true;
    const store: Store = { ...outbox.store, own: Object.create(own, { primary: { value: own.primary } }) };
    // Of the first five hundred that wait one is settled by another worker at this moment.
    store.own.write = (work, options) =>
      own.write((tx) => {
        const select: Tx['select'] = async (statement) => {
          const rows = await tx.select(statement);
          if (!isFirst || rows.length < 500) return rows;
          isFirst = false;
          return rows.slice(1);
        };
        return work({
          dialect: tx.dialect,
          select,
          run: (statement) => tx.run(statement),
          query: (table, model) => tx.query(table, model),
        });
      }, options);
    expect(await disableSubscription(store, id)).toMatchObject({ cancelled: 501 });
    const cancelled = Array.from({ length: 501 }, () => ({ status: 'cancelled' }));
    expect(await outbox.deliveries('status')).toEqual(cancelled);
  });

  test('that are disabled while a delivery is under way have its outcome change nothing', async () => {
    const outbox = await openOutbox(database);
    const { id } = await add(outbox);
    await outbox.raise();
    const send: Send = async () => {
      await disableSubscription(outbox.store, id);
      return answer(200);
    };
    expect(await outbox.once(send)).toMatchObject({ delivered: 0, lost: 1 });
    expect(await statuses(outbox)).toEqual(['cancelled']);
  });

  test('cancel what waits when they are removed, and leave what is finished to be looked at', async () => {
    const outbox = await openOutbox(database);
    const { id } = await add(outbox);
    await outbox.raise();
    await outbox.once(fine);
    await outbox.raise();
    expect(await removeSubscription(outbox.store, id)).toMatchObject({ cancelled: 1, subscription: { id } });
    expect(await statuses(outbox)).toEqual(['delivered', 'cancelled']);
    expect(await fieldsOf(removeSubscription(outbox.store, id))).toMatch(/^not_found/);
    expect(await replayDeliveries(outbox.store, { since: 0, subscriptionId: null, withDelivered: true })).toBe(0);
    expect(await fieldsOf(retryDelivery(outbox.store, 1))).toBe(
      'refused: The subscription 1 of the delivery 1 was removed',
    );
  });

  test('rotate: queued before verifies with the old secret, in the overlap with both, after it with the new one', async () => {
    const outbox = await openOutbox(database);
    const { id, secret: old } = await add(outbox);
    await outbox.raise(3);
    const rotation = await rotateWebhookSecret(outbox.store, {
      id,
      sealer: outbox.sealer,
      secret: null,
      overlap: 3_600_000,
    });
    expect(rotation).toMatchObject({ id, name: 'site builder', open: 3, previousEndsOn: expect.any(Number) });
    await outbox.raise(3);
    const again = rotateWebhookSecret(outbox.store, { id, sealer: outbox.sealer, secret: null, overlap: 1000 });
    expect(await fieldsOf(again)).toMatch(/^refused: The subscription 1 has an old secret that still signs/);
    await outbox.run('UPDATE `hcd_webhook_subscriptions` SET `previous_ends_on` = 1');
    await outbox.raise(3);
    const requests: OutboundRequest[] = [];
    const time = Math.floor(Date.now() / 1000);
    await outbox.once(async (request) => {
      requests.push(request);
      return answer(200);
    });
    // The clock of the test runs ahead by two minutes only, so the library takes the signatures for fresh.
    expect(Math.abs(Number(requests[0]?.headers['webhook-timestamp']) - time)).toBeLessThan(200);
    const verifies = (secret: string, { body, headers }: OutboundRequest): boolean => {
      try {
        new Webhook(secret).verify(String(body), { ...headers });
        return true;
      } catch {
        return false;
      }
    };
    const byId = requests.sort(
      (a, b) => Number(a.headers['x-gateway-delivery-id']) - Number(b.headers['x-gateway-delivery-id']),
    );
    expect(byId.map((request) => [verifies(old, request), verifies(rotation.secret, request)])).toEqual([
      [true, false],
      [true, false],
      [true, false],
      [true, true],
      [true, true],
      [true, true],
      [false, true],
      [false, true],
      [false, true],
    ]);
    const own = await rotateWebhookSecret(outbox.store, {
      id,
      sealer: outbox.sealer,
      secret: 'a secret of my own',
      overlap: 0,
    });
    expect([own.secret, own.previousEndsOn]).toEqual(['a secret of my own', null]);
  });

  test('whose secret was stored under another root secret cannot be read until it is rotated', async () => {
    const outbox = await openOutbox(database);
    const { id } = await add(outbox);
    const kept = await openWebhookSealer(outbox.store, null);
    await add({ ...outbox, sealer: kept });
    const readable = async (sealer: Sealer) =>
      (await subscriptionRows.on(outbox.store.own.primary).findAll()).map((row) => isReadableSecret(sealer, row));
    expect(await readable(await openWebhookSealer(outbox.store, null))).toEqual([false, true]);
    expect(await readable(await openWebhookSealer(outbox.store, 'a configured one'))).toEqual([false, false]);
    // In an overlap nothing could be signed, since both secrets sign.
    const overlapping = rotateWebhookSecret(outbox.store, { id, sealer: kept, secret: null, overlap: 1000 });
    expect(await fieldsOf(overlapping)).toBe(
      'refused: The secret of the subscription 1 cannot be read, so nothing could be signed with both: set HCD_SECRET as it was, or rotate without --overlap',
    );
    await rotateWebhookSecret(outbox.store, { id, sealer: kept, secret: null, overlap: 0 });
    expect(await readable(kept)).toEqual([true, true]);
  });

  test('that move forget the failures of their former address, and only then', async () => {
    const outbox = await openOutbox(database);
    const { id } = await add(outbox);
    const failures = async () => outbox.rows('hcd_webhook_subscriptions', 'failures, first_failure_on, warnings');
    const change = (url: string) =>
      updateSubscription(outbox.store, { id, known, settings, places, changes: { url, name: 'x' } });
    await outbox.run('UPDATE `hcd_webhook_subscriptions` SET `failures` = 9, `first_failure_on` = 5, `warnings` = 1');
    await change('https://hooks.example.com/cms');
    expect(await failures()).toEqual([{ failures: 9, first_failure_on: 5, warnings: 1 }]);
    await change('https://hooks.example.com/');
    expect(await failures()).toEqual([{ failures: 0, first_failure_on: null, warnings: 0 }]);
  });

  test('are tested with an event of their own, whatever they list', async () => {
    const outbox = await openOutbox(database);
    const { id } = await add(outbox, { events: ['resources.deleted'] });
    await add(outbox, { events: ['*'] });
    const queued = await testSubscription(outbox.store, id);
    expect(queued).toMatchObject({ id: 1, subscriptionId: id, event: 'webhook.test', status: 'pending' });
    expect(await outbox.deliveries('subscription_id')).toEqual([{ subscription_id: id }]);
    const shown = await showDelivery(outbox.store, 1);
    expect(JSON.parse(shown.body)).toEqual({
      id: queued.eventId,
      type: 'webhook.test',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      data: { object: 'webhook', action: 'test', id: String(id), revision: 1 },
      meta: { revalidate: [], source: 'hcd' },
    });
    await disableSubscription(outbox.store, id);
    expect(await fieldsOf(testSubscription(outbox.store, id))).toBe(
      `refused: The subscription ${id} is inactive; turn it on: hcd webhook enable ${id}`,
    );
    expect(await fieldsOf(testSubscription(outbox.store, 99))).toMatch(/^not_found/);
  });
});

describeEachDatabase('deliveries', (database) => {
  test.each([200, 503])('keep nothing of an answer %i unless a setting allows it', async (status) => {
    const outbox = await openOutbox(database);
    await add(outbox);
    await outbox.raise(1);
    const send: Send = async () => ({ ...answer(status), bodyStart: 'internal secret' });
    const quiet = { ...outbox.options(send, {}).settings(), gateway_webhook_keep_answers: false };
    await outbox.once(send, { settings: () => quiet });
    const { attemptList } = await showDelivery(outbox.store, 1);
    expect(attemptList).toMatchObject([{ status, answer: null }]);
    expect(JSON.stringify([attemptList, outbox.log])).not.toContain('internal secret');
  });

  test('keep the answer of the receiver once, also when they are queued again', async () => {
    const outbox = await openOutbox(database);
    await add(outbox);
    await outbox.raise(2);
    await outbox.once(async ({ headers }) => ({
      ...answer(200),
      bodyStart: headers['x-gateway-delivery-id'] === '1' ? 'thank you'.repeat(200) : '',
    }));
    const took = { number: 1, outcome: 'delivered', status: 200, error: null };
    const times = { startedOn: outbox.clock.now(), endedOn: outbox.clock.now() };
    const attempt = { ...took, answer: 'thank you'.repeat(200).slice(0, 1000), ...times };
    expect((await showDelivery(outbox.store, 1)).attemptList).toEqual([attempt]);
    expect((await showDelivery(outbox.store, 2)).attemptList).toEqual([{ ...attempt, answer: null }]);
    await Promise.allSettled([retryDelivery(outbox.store, 1), retryDelivery(outbox.store, 1)]);
    expect((await showDelivery(outbox.store, 1)).attemptList).toEqual([attempt]);
  });

  test('are sent again by hand: at once when they wait, once more when they are finished', async () => {
    const outbox = await openOutbox(database);
    const { id } = await add(outbox);
    await outbox.raise();
    await outbox.once(broken);
    expect((await outbox.once(fine)).claimed).toBe(0);
    expect(await retryDelivery(outbox.store, 1)).toMatchObject({ status: 'pending', attempts: 1 });
    expect(await outbox.once(fine)).toMatchObject({ delivered: 1 });
    await updateSubscription(outbox.store, {
      id,
      known,
      settings,
      places,
      changes: { url: 'https://new.example.com/' },
    });
    expect(await retryDelivery(outbox.store, 1)).toMatchObject({
      status: 'pending',
      attempts: 0,
      url: 'https://new.example.com/',
      doneOn: null,
      lastStatus: null,
    });
    const urls: string[] = [];
    await outbox.once(async (request) => {
      urls.push(request.url);
      await expect(retryDelivery(outbox.store, 1)).rejects.toMatchObject({ message: 'The delivery 1 is in progress' });
      return answer(200);
    });
    expect(urls).toEqual(['https://new.example.com/']);
    const all = (await showDelivery(outbox.store, 1)).attemptList.map(({ number, outcome }) => [number, outcome]);
    expect(all).toEqual([
      [1, 'server_error'],
      [2, 'delivered'],
      [1, 'delivered'],
    ]);
    await disableSubscription(outbox.store, id);
    expect(await fieldsOf(retryDelivery(outbox.store, 1))).toMatch(/^refused: The subscription 1 is inactive/);
  });

  test('are replayed from a time on, with those that arrived only when that is asked for, one thousand and more', async () => {
    const outbox = await openOutbox(database);
    const { id } = await add(outbox);
    for (let part = 0; part < 11; part += 1) await outbox.raise(100);
    await outbox.run(
      "UPDATE `hcd_webhook_deliveries` SET `status` = 'failed', `visible_at` = 5, `created_on` = 10 + `id`",
    );
    await outbox.run("UPDATE `hcd_webhook_deliveries` SET `status` = 'delivered' WHERE `id` > 1090");
    const replay = (since: number, withDelivered: boolean) =>
      replayDeliveries(outbox.store, { since, subscriptionId: id, withDelivered });
    expect(await replay(10 + 1091, false)).toBe(0);
    expect(await replay(10 + 1091, true)).toBe(10);
    expect(await replay(10 + 41, false)).toBe(1050);
    expect((await statuses(outbox)).filter((status) => status === 'failed')).toEqual([]);
    expect(
      (await listDeliveries(outbox.store, { filter: { status: 'failed', subscriptionId: null }, limit: 1, offset: 0 }))
        .total,
    ).toBe(40);
    expect(
      await fieldsOf(replayDeliveries(outbox.store, { since: 0, subscriptionId: 99, withDelivered: false })),
    ).toMatch(/^not_found/);
  });
});
