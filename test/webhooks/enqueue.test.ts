/** Queueing events: in the transaction of the change, for exactly the subscriptions that want them, with their copies. */
import { expect, test } from 'vitest';
import { deactivateSubscription } from '../../src/webhooks/models/subscriptions.js';
import { enqueue } from '../../src/webhooks/queue/enqueue.js';
import { describeEachDatabase } from '../support/databases.js';
import { openOutbox, plainSecret, resourceUpdated } from './outbox-store.js';

describeEachDatabase('an event', (database) => {
  test('is queued once for each active subscription that wants it, with the same bytes', async () => {
    const { store, subscribe, deliveries } = await openOutbox(database);
    const exact = await subscribe({ events: ['resources.updated'], url: 'http://one.example/' });
    const all = await subscribe({ events: ['*'], url: 'http://two.example/' });
    await subscribe({ events: ['resources.created'] });
    await subscribe({ events: ['resources.*'] });
    await subscribe({ active: false });
    const queued = await store.own.write((tx) => enqueue(tx, resourceUpdated));
    expect(queued).toEqual({ eventId: expect.stringMatching(/^[0-9a-f]{32}$/), subscriptionIds: [exact, all] });
    const rows = await deliveries('subscription_id, event_id, event, revision, url, status, attempts');
    const common = {
      event_id: queued?.eventId,
      event: 'resources.updated',
      revision: 1,
      status: 'pending',
      attempts: 0,
    };
    expect(rows).toEqual([
      { subscription_id: exact, url: 'http://one.example/', ...common },
      { subscription_id: all, url: 'http://two.example/', ...common },
    ]);
    const [first, second] = await deliveries('body, visible_at, created_on');
    expect(first).toEqual(second);
    expect(JSON.parse(String(first?.['body']))).toMatchObject({ id: queued?.eventId, data: { id: '1', revision: 1 } });
    expect(first?.['visible_at']).toBe(first?.['created_on']);
  });

  test('stores nothing when no subscription wants it, not even a number', async () => {
    const { store, subscribe, raise, deliveries, rows } = await openOutbox(database);
    await subscribe({ events: ['resources.created'] });
    expect(await store.own.write((tx) => enqueue(tx, resourceUpdated))).toBeNull();
    expect(await deliveries('id')).toEqual([]);
    await raise(1, { action: 'created' });
    expect(await rows('hcd_webhook_deliveries', 'revision')).toEqual([{ revision: 1 }]);
  });

  test('vanishes with the change when that is rolled back, and its number is used again', async () => {
    const { store, subscribe, raise, deliveries } = await openOutbox(database);
    await subscribe();
    const refused = new Error('refused');
    const change = store.own.write(async (tx) => {
      await enqueue(tx, resourceUpdated);
      throw refused;
    });
    await expect(change).rejects.toBe(refused);
    expect(await deliveries('id')).toEqual([]);
    await raise(2);
    expect(await deliveries('revision')).toEqual([{ revision: 1 }, { revision: 2 }]);
  });

  test('is queued once per subscription however often its id comes', async () => {
    const { store, subscribe, deliveries } = await openOutbox(database);
    await subscribe();
    const eventId = 'b'.repeat(32);
    for (let turn = 0; turn < 3; turn += 1) {
      await store.own.write((tx) => enqueue(tx, resourceUpdated, { eventId }));
    }
    expect(await deliveries('event_id, revision')).toEqual([{ event_id: eventId, revision: 1 }]);
  });

  test('has a number greater than every event that was committed before it, however many write at once', async () => {
    const { store, subscribe, deliveries } = await openOutbox(database);
    await subscribe();
    await Promise.all(
      Array.from({ length: 24 }, (_, key) => store.own.write((tx) => enqueue(tx, { ...resourceUpdated, key }))),
    );
    const numbers = (await deliveries('revision')).map(({ revision }) => Number(revision));
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, at) => at + 1));
  });

  test('is seen by a subscription of a moment ago and by none that was disabled a moment ago', async () => {
    const { store, subscribe, raise, deliveries } = await openOutbox(database);
    await raise();
    const id = await subscribe();
    await raise();
    await store.own.write((tx) => deactivateSubscription(tx, id, 'by hand'));
    await raise();
    expect(await deliveries('subscription_id')).toEqual([{ subscription_id: id }]);
  });
});

describeEachDatabase('the tables of webhooks', (database) => {
  test('hold no secret that can be read', async () => {
    const { subscribe, raise, rows } = await openOutbox(database);
    await subscribe();
    await raise();
    const kept = JSON.stringify([
      await rows('hcd_webhook_subscriptions', 'secret, previous_secret, url, events'),
      await rows('hcd_webhook_deliveries', 'secrets, body, url'),
    ]);
    const raw = Buffer.from(plainSecret.slice('whsec_'.length), 'base64');
    for (const form of [plainSecret, plainSecret.slice(6), raw.toString('hex'), raw.toString('base64url')]) {
      expect(kept).not.toContain(form);
    }
  });
});
