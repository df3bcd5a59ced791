/** Signatures of deliveries, verified by the public library of Standard Webhooks and by the predecessor's rule. */

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createWebhookSecret } from '../../src/crypto/webhook-secret.js';
import { deliveryHeaders } from '../../src/webhooks/rules/signatures.js';

const seconds = (): number => Math.floor(Date.now() / 1000);

function headersOf(body: string, given: { secrets?: readonly string[]; timestamp?: number } = {}) {
  const { secrets = [createWebhookSecret()], timestamp = seconds() } = given;
  return deliveryHeaders({
    eventId: 'e'.repeat(32),
    event: 'resources.updated',
    deliveryId: 42,
    body,
    secrets,
    timestamp,
  });
}

/** Whether the library accepts it. */
function verifies(secret: Webhook, body: string, headers: Readonly<Record<string, string>>): boolean {
  try {
    secret.verify(body, { ...headers }, { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}

test('the headers are exactly those of the contract', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = '{"test": 2432232314}';
  const headers = deliveryHeaders({
    eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    event: 'resources.created',
    deliveryId: 7,
    body,
    secrets: [secret],
    timestamp: 1_614_265_330,
  });
  expect(headers).toEqual({
    'content-type': 'application/json',
    'user-agent': 'hcd-Webhook/1.0',
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    // The published example of Standard Webhooks.
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    'x-gateway-event': 'resources.created',
    'x-gateway-delivery-id': '7',
    'x-gateway-signature': `t=1614265330,v1=${createHmac('sha256', secret).update(`1614265330.${body}`).digest('hex')}`,
  });
});

test('the public library verifies every body, and refuses it when one bit of body, id or time is another', () => {
  const secret = createWebhookSecret();
  const library = new Webhook(secret);
  const bodies = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom('{}', '\u2028', '😀'.repeat(100), 'x'.repeat(1_048_576)),
  );
  fc.assert(
    fc.property(bodies, (body) => {
      const headers = headersOf(body, { secrets: [secret] });
      const later = { ...headers, 'webhook-timestamp': String(seconds() + 1) };
      expect([
        verifies(library, body, headers),
        verifies(library, `${body} `, headers),
        verifies(library, body, { ...headers, 'webhook-id': `${'e'.repeat(31)}d` }),
        verifies(library, body, later),
      ]).toEqual([true, false, false, false]);
    }),
    { numRuns: 200 },
  );
});

test('the public library refuses a replay after six minutes', () => {
  const secret = createWebhookSecret();
  const library = new Webhook(secret);
  expect(verifies(library, '{}', headersOf('{}', { secrets: [secret], timestamp: seconds() - 290 }))).toBe(true);
  expect(verifies(library, '{}', headersOf('{}', { secrets: [secret], timestamp: seconds() - 360 }))).toBe(false);
});

test("a secret of one's own signs with the bytes of its text", () => {
  const secret = 'päßwort with spaces';
  const headers = headersOf('{}', { secrets: [secret] });
  expect(verifies(new Webhook(Buffer.from(secret), { format: 'raw' }), '{}', headers)).toBe(true);
});

test('during a rotation both secrets verify, and the receivers of the predecessor find both signatures', () => {
  const [fresh, old, other] = [createWebhookSecret(), createWebhookSecret(), createWebhookSecret()];
  const headers = headersOf('{"a":1}', { secrets: [fresh, old], timestamp: seconds() });
  const accepted = [fresh, old, other].map((secret) => verifies(new Webhook(secret), '{"a":1}', headers));
  expect(accepted).toEqual([true, true, false]);
  const mac = (secret: string) =>
    createHmac('sha256', secret).update(`${headers['webhook-timestamp']}.{"a":1}`).digest('hex');
  expect(headers['x-gateway-signature']).toBe(`t=${headers['webhook-timestamp']},v1=${mac(fresh)},v1=${mac(old)}`);
});
