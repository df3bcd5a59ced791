/** The check of deliveries: what the server and the library of Standard Webhooks sign, and nothing else. */
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../client/src/webhooks.js';
import { createWebhookSecret } from '../../src/crypto/webhook-secret.js';
import { deliveryHeaders } from '../../src/webhooks/rules/signatures.js';

const secret = createWebhookSecret();
const event = { id: 'e1', type: 'resources.updated', created_at: '2026-11-24T00:00:00Z', data: { id: '42' } };
const body = JSON.stringify(event);
const now = 1_795_478_400;

function delivered(secrets: readonly string[] = [secret], text = body) {
  return deliveryHeaders({
    ...{ eventId: 'e1', event: 'resources.updated', deliveryId: 7, body: text, secrets, timestamp: now },
  });
}

describe('a delivery', () => {
  it.each([
    ['of the server', delivered(), secret],
    ['with a secret of one’s own', delivered(['a secret of our own']), 'a secret of our own'],
    ['while the secret is rotated', delivered([createWebhookSecret(), secret]), secret],
    ['for a receiver that knows two secrets', delivered(), [createWebhookSecret(), secret]],
    [
      'of the library of Standard Webhooks',
      {
        'Webhook-Id': 'e1',
        'Webhook-Timestamp': String(now),
        'Webhook-Signature': new Webhook(secret).sign('e1', new Date(now * 1000), body),
      },
      secret,
    ],
  ])('%s is genuine', async (_name, headers, known) => {
    expect(await verifyWebhook({ headers, body }, known, { now })).toEqual(event);
  });

  it('is read from a request, from text and from bytes', async () => {
    const headers = delivered();
    const text = JSON.stringify({ ...event, data: { title: 'Größe ✓' } });
    const request = new Request('https://www.example/hook', {
      method: 'POST',
      headers: delivered([secret], text),
      body: text,
    });
    expect((await verifyWebhook(request, secret, { now })).data).toEqual({ title: 'Größe ✓' });
    for (const bytes of [new TextEncoder().encode(body), Buffer.from(body)])
      expect(await verifyWebhook({ headers: new Headers(headers), body: bytes }, secret, { now })).toEqual(event);
  });

  it('of the server is genuine for the library of Standard Webhooks', () => {
    const current = Math.floor(Date.now() / 1000);
    const headers = deliveryHeaders({
      ...{ eventId: 'e1', event: 'resources.updated', deliveryId: 7, body, secrets: [secret], timestamp: current },
    });
    expect(new Webhook(secret).verify(body, { ...headers })).toEqual(event);
  });

  it.each([
    ['with another body', delivered(), `${body} `, secret, now],
    ['with another secret', delivered(), body, createWebhookSecret(), now],
    ['with another id', { ...delivered(), 'webhook-id': 'e2' }, body, secret, now],
    ['with another time', { ...delivered(), 'webhook-timestamp': String(now + 1) }, body, secret, now],
    ['without a signature', { ...delivered(), 'webhook-signature': '' }, body, secret, now],
    ['with a signature of another kind', { ...delivered(), 'webhook-signature': 'v2,AAAA v1,*' }, body, secret, now],
    ['without headers', {}, body, secret, now],
    ['that is too old', delivered(), body, secret, now + 301],
    ['of the future', delivered(), body, secret, now - 301],
    ['with a time that is none', { ...delivered(), 'webhook-timestamp': '1e9' }, body, secret, now],
    ['for an empty secret', delivered(), body, '', now],
    ['for a secret that is not base64', delivered(), body, 'whsec_***', now],
  ])('%s is refused', async (_name, headers, text, known, time) => {
    await expect(verifyWebhook({ headers, body: text }, known, { now: time })).rejects.toMatchObject({
      name: 'WebhookError',
    });
  });
});
