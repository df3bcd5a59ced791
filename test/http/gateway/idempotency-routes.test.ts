/** Idempotency-Key on the routes of the gateway: what is created once stays so whatever happened since. */
import { beforeAll, expect, test } from 'vitest';
import { buildRegistry } from '../../../src/content/objects/core-objects.js';
import { addClient } from '../../../src/identity/oauth/manage-clients.js';
import { insertSubscription } from '../../../src/webhooks/models/subscriptions.js';
import { describeEachDatabase } from '../../support/databases.js';
import type { Got, TestSite } from '../../support/site.js';
import { startWritingSite } from './writing-site.js';

describeEachDatabase('a POST with a key', (database) => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startWritingSite(database);
    const common = { name: null, url: 'https://example.com/hook', active: true, createdBy: 'test' };
    await site.store.own.write((tx) => insertSubscription(tx, { ...common, events: ['*'], secret: 'sealed' }));
  });

  const post = (path: string, key: string, { as = 'editor', body }: { as?: string; body: unknown }): Promise<Got> =>
    site.get(path, { as, method: 'POST', body, headers: { 'Idempotency-Key': key } });
  const count = async (sql: string): Promise<number> => {
    const [row] = await site.store.own.select({ sql: `SELECT COUNT(*) FROM ${sql}`, params: [] });
    return Number(row?.[0]);
  };

  test('creates a record of an extra object once', async () => {
    const asked = { as: 'shop', body: { title: 'Lamp', price: 3 } };
    const first = await post('/objects/goods', 'lamp', asked);
    const second = await post('/objects/goods', 'lamp', asked);
    expect([first.status, first.headers.get('idempotency-key')]).toEqual([201, 'lamp']);
    expect([second.status, second.text, second.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true']);
    expect(await count("shop_goods WHERE title = 'Lamp'")).toBe(1);
    // The same text on another route is another key.
    const other = await post('/objects/makers', 'lamp', { as: 'shop', body: { code: 'l', title: 'Lamp' } });
    expect(other.status).toBe(201);
  });

  test('gets its answer although the request would be refused by now', async () => {
    const asked = { as: 'shop', body: { code: 'only', title: 'Only one' } };
    const first = await post('/objects/makers', 'only', asked);
    expect(first.status).toBe(201);
    // The key of the record is taken, by the record that the first request made.
    expect((await post('/objects/makers', 'another', asked)).status).toBe(422);
    expect((await post('/objects/makers', 'only', asked)).text).toBe(first.text);
    await site.get('/objects/makers/only', { as: 'shop', method: 'DELETE' });
    expect((await post('/objects/makers', 'only', asked)).text).toBe(first.text);
    expect(await count("modx_shop_makers WHERE code = 'only'")).toBe(0);
  });

  test('raises one event', async () => {
    const asked = { body: { pagetitle: 'Heard of' } };
    const { body } = await post('/resources', 'heard', asked);
    for (let again = 0; again < 3; again += 1) await post('/resources', 'heard', asked);
    expect(body).toMatchObject({ data: { pagetitle: 'Heard of' } });
    const events = "hcd_webhook_deliveries WHERE event = 'resources.created' AND body LIKE '%heard-of%'";
    expect(await count(events)).toBe(1);
  });
});

describeEachDatabase('the token route with a key', (database) => {
  test('keeps nothing and gives a new token each time', async () => {
    const site = await startWritingSite(database, { env: { HCD_GATEWAY_OAUTH_ENABLED: '1' } });
    const { clientId, clientSecret } = await addClient(site.store, {
      ...{ registry: buildRegistry([]), clientId: 'website', name: null, createdBy: 'test', now: 1 },
      ...{ scopes: ['resources.read'], grants: ['client_credentials'], rateLimit: { max: null, windowSeconds: null } },
    });
    const tokens = new Set<unknown>();
    for (let count = 0; count < 2; count += 1) {
      const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
      const answer = await site.get('/auth/token', { method: 'POST', body, headers: { 'Idempotency-Key': 'one' } });
      expect([answer.status, answer.headers.get('idempotency-key')]).toEqual([200, null]);
      tokens.add(answer.body['access_token']);
    }
    expect(tokens.size).toBe(2);
    const rows = await site.store.own.select({ sql: 'SELECT * FROM hcd_idempotency_keys', params: [] });
    expect(rows).toEqual([]);
  });
});
