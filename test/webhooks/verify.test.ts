/** The receiver's side of signatures: held to the public library of Standard Webhooks in both directions. */

import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createWebhookSecret } from '../../src/crypto/webhook-secret.js';
import {
  deliveryHeaders,
  type SignedHeaders,
  type Verdict,
  verifyDelivery,
} from '../../src/webhooks/rules/signatures.js';

const now = Math.floor(Date.now() / 1000);
const secret = createWebhookSecret();
const body = '{"type":"resources.updated"}';

/** The headers of a delivery of this program. */
function sent(text = body, given: { secrets?: readonly string[]; timestamp?: number } = {}): SignedHeaders {
  const { secrets = [secret], timestamp = now } = given;
  const headers = deliveryHeaders({
    eventId: 'msg_1',
    event: 'resources.updated',
    deliveryId: 7,
    body: text,
    secrets,
    timestamp,
  });
  return {
    id: headers['webhook-id'] ?? null,
    timestamp: headers['webhook-timestamp'] ?? null,
    standard: headers['webhook-signature'] ?? null,
    gateway: headers['x-gateway-signature'] ?? null,
  };
}

function verify(
  headers: SignedHeaders,
  given: { text?: string; secrets?: readonly string[]; now?: number } = {},
): Verdict {
  const { text = body, secrets = [secret] } = given;
  return verifyDelivery({ headers, body: Buffer.from(text), secrets, now: given.now ?? now });
}

const problemsOf = (verdict: Verdict): readonly string[] => (verdict.kind === 'failed' ? verdict.problems : []);

const texts = fc.oneof(
  fc.json(),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom('', '\u2028', '😀'.repeat(100)),
);

test('what this program signs is verified, and not when body, id or time is another', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const headers = sent(text);
      expect(verify(headers, { text })).toEqual({ kind: 'verified', secrets: [0] });
      expect(verify(headers, { text: `${text} ` }).kind).toBe('failed');
      expect(verify({ ...headers, id: 'msg_2' }, { text }).kind).toBe('failed');
      expect(verify({ ...headers, timestamp: String(now + 1) }, { text }).kind).toBe('failed');
    }),
    { numRuns: 100 },
  );
});

test('what the public library signs is verified, and refused when the library refuses it', () => {
  const library = new Webhook(secret);
  fc.assert(
    fc.property(texts, fc.integer({ min: -600, max: 600 }), fc.boolean(), (text, age, isChanged) => {
      // By the time of this case: on a slow machine the file was begun some seconds ago.
      const timestamp = Math.floor(Date.now() / 1000) - age;
      const standard = library.sign('msg_1', new Date(timestamp * 1000), text);
      const came = isChanged ? `${text}x` : text;
      const headers = { id: 'msg_1', timestamp: String(timestamp), standard, gateway: null };
      let accepts = true;
      try {
        const named = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(timestamp), 'webhook-signature': standard };
        library.verify(came, named, { jsonParse: false });
      } catch {
        accepts = false;
      }
      // Within two seconds of the bound the clock of the library may have moved on.
      fc.pre(Math.abs(Math.abs(age) - 300) > 2);
      expect(verify(headers, { text: came, now: Math.floor(Date.now() / 1000) }).kind).toBe(
        accepts ? 'verified' : 'failed',
      );
    }),
    { numRuns: 200 },
  );
});

test('the signature of the predecessor alone is enough', () => {
  const mac = createHmac('sha256', secret).update(`${now}.${body}`).digest('hex');
  const only = { id: null, timestamp: null, standard: null };
  expect(verify({ ...only, gateway: `t=${now},v1=${mac}` })).toEqual({ kind: 'verified', secrets: [0] });
  expect(verify({ ...only, gateway: `t=${now}, v0=abc, v1=${'0'.repeat(64)}, v1=${mac}` }).kind).toBe('verified');
  expect(verify({ ...only, gateway: `t=${now},v1=${mac.toUpperCase()}` }).kind).toBe('failed');
});

test('says which secrets signed, during a rotation both', () => {
  const [fresh, old, other] = [createWebhookSecret(), 'an old secret in words', createWebhookSecret()];
  const headers = sent(body, { secrets: [fresh, old] });
  expect(verify(headers, { secrets: [other, fresh] })).toEqual({ kind: 'verified', secrets: [1] });
  expect(verify(headers, { secrets: [old] })).toEqual({ kind: 'verified', secrets: [0] });
  expect(verify(headers, { secrets: [old, other, fresh] })).toEqual({ kind: 'verified', secrets: [0, 2] });
  expect(problemsOf(verify(headers, { secrets: [other, `${other}x`] }))).toEqual([
    'webhook-signature matches none of the secrets',
    'X-Gateway-Signature matches none of the secrets',
  ]);
});

const headers = sent();
test.each<[string, SignedHeaders, readonly string[]]>([
  [
    'no signature at all',
    { ...headers, standard: null, gateway: null },
    ['it has neither webhook-signature nor X-Gateway-Signature'],
  ],
  ['no id', { ...headers, id: null }, ['webhook-id is missing']],
  ['no time', { ...headers, timestamp: null }, ['webhook-timestamp is missing']],
  [
    'a time that is not a number of seconds',
    { ...headers, timestamp: '1e9' },
    ['webhook-timestamp is not a Unix time in seconds'],
  ],
  [
    'signatures of other versions',
    { ...headers, standard: 'v1a,xyz v2,abc' },
    ['webhook-signature has no signature of version 1'],
  ],
  [
    'a fitting signature of one kind and a wrong one of the other',
    { ...headers, gateway: `t=${now},v1=${'0'.repeat(64)}` },
    ['X-Gateway-Signature matches another secret or another body'],
  ],
  ['a signature of the predecessor without time', { ...headers, gateway: 'v1=00' }, ['X-Gateway-Signature has no t=']],
  [
    'a signature of the predecessor without version',
    { ...headers, gateway: `t=${now}` },
    ['X-Gateway-Signature has no signature of version 1'],
  ],
])('objects to %s', (_name, given, problems) => {
  expect(verify(given)).toEqual({ kind: 'failed', problems });
});

test.each([
  [300, []],
  [-300, []],
  [
    301,
    [
      'webhook-timestamp is 301 s in the past; 300 s are allowed',
      't of X-Gateway-Signature is 301 s in the past; 300 s are allowed',
    ],
  ],
  [
    -301,
    [
      'webhook-timestamp is 301 s in the future; 300 s are allowed',
      't of X-Gateway-Signature is 301 s in the future; 300 s are allowed',
    ],
  ],
])('a request that is %i seconds old', (age, problems) => {
  expect(problemsOf(verify(sent(body, { timestamp: now - age })))).toEqual(problems);
});
