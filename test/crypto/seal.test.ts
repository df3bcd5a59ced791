/** Stored secrets: a sealed text opens under the same root secret and purpose only, and unchanged. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { makeSealer } from '../../src/crypto/seal.js';
import { createWebhookSecret, signingKey, webhookSecretProblem } from '../../src/crypto/webhook-secret.js';

const sealer = makeSealer({ rootSecret: 'one root secret', purpose: 'tests' });

test('every text opens again, and no two seals of it are the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const [first, second] = [sealer.seal(text), sealer.seal(text)];
      expect(first).not.toBe(second);
      expect(first).toMatch(/^[!-~]+$/);
      // Lone surrogates have no UTF-8; everything that is text survives.
      expect(sealer.unseal(first)).toEqual({ kind: 'opened', text: Buffer.from(text).toString() });
    }),
  );
});

test('another process with the same root secret and purpose opens it', () => {
  const other = makeSealer({ rootSecret: 'one root secret', purpose: 'tests' });
  expect(other.unseal(sealer.seal('hello'))).toEqual({ kind: 'opened', text: 'hello' });
});

describe('a sealed text is refused', () => {
  const sealed = sealer.seal('a secret that nobody may read');
  const flipped = (at: number): string => {
    const bytes = Buffer.from(sealed.split('.')[2] ?? '', 'base64url');
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return `${sealed.split('.').slice(0, 2).join('.')}.${bytes.toString('base64url')}`;
  };
  it.each<[string, () => unknown, string]>([
    ['under another root secret', () => makeSealer({ rootSecret: 'two', purpose: 'tests' }).unseal(sealed), 'foreign'],
    [
      'for another purpose',
      () => makeSealer({ rootSecret: 'one root secret', purpose: 'x' }).unseal(sealed),
      'foreign',
    ],
    ['with one bit of its nonce changed', () => sealer.unseal(flipped(0)), 'damaged'],
    ['with one bit of its text changed', () => sealer.unseal(flipped(14)), 'damaged'],
    ['with one bit of its tag changed', () => sealer.unseal(flipped(12 + 29 + 3)), 'damaged'],
    ['cut', () => sealer.unseal(sealed.slice(0, 20)), 'damaged'],
    ['when it was never sealed', () => sealer.unseal('whsec_plain'), 'damaged'],
    ['when it is empty', () => sealer.unseal(''), 'damaged'],
  ])('%s', (_name, open, kind) => {
    expect(open()).toEqual({ kind });
  });
});

test('a fresh webhook secret is whsec_ with the base64 of 32 bytes', () => {
  const secret = createWebhookSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(signingKey(secret).length).toBe(32);
  expect(signingKey('sixteen letters!')).toEqual(Buffer.from('sixteen letters!'));
  expect(createWebhookSecret()).not.toBe(secret);
});

describe("a webhook secret of one's own", () => {
  it.each<[string, string, string | null]>([
    ['of 16 characters', 'sixteen letters!', null],
    ['of 15 characters', 'fifteen letters', 'A secret has 16 to 255 characters'],
    ['of 16 characters beyond ASCII', '😀'.repeat(16), null],
    ['of 256 characters', 'x'.repeat(256), 'A secret has 16 to 255 characters'],
    ['with a line break', 'sixteen\nletters!!', 'A secret has no line breaks or other control characters'],
    ['in the printed form', createWebhookSecret(), null],
    [
      'in the printed form with 23 bytes',
      `whsec_${Buffer.alloc(23).toString('base64')}`,
      'A secret that begins with whsec_ goes on with base64 of 24 to 64 bytes',
    ],
    [
      'in the printed form with other letters',
      `whsec_${'*'.repeat(40)}`,
      'A secret that begins with whsec_ goes on with base64 of 24 to 64 bytes',
    ],
  ])('%s', (_name, secret, problem) => {
    expect(webhookSecretProblem(secret)).toBe(problem);
  });
});
