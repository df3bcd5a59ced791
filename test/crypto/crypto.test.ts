/** Random texts and digests, the latter against published vectors. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomBase62 } from '../../src/crypto/credential-text.js';
import {
  hmacSha256Base64,
  hmacSha256Base64Url,
  hmacSha256Hex,
  isSameSecret,
  randomBase64Url,
  randomBelow,
  randomHex,
  sha256Bytes,
  sha256Hex,
} from '../../src/crypto/primitives.js';

describe('random texts', () => {
  it.each([
    ['hexadecimal', () => randomHex(16), /^[0-9a-f]{32}$/],
    ['base64url', () => randomBase64Url(32), /^[\w-]{43}$/],
    ['letters and digits', () => randomBase62(43), /^[0-9A-Za-z]{43}$/],
  ])('as %s have their form and do not repeat', (_name, make, form) => {
    const made = Array.from({ length: 200 }, make);
    for (const text of made) expect(text).toMatch(form);
    expect(new Set(made).size).toBe(200);
  });

  it('use every letter and digit about equally often', () => {
    const counts = new Map<string, number>();
    for (const letter of randomBase62(62_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 1,000 expected; a bias of the modulo would give 1,250 for the first letters. Ten standard deviations are 316.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(240);
  });

  it('stay below their bound', () => {
    const values = Array.from({ length: 300 }, () => randomBelow(3));
    expect(new Set(values)).toEqual(new Set([0, 1, 2]));
  });
});

describe('digests', () => {
  // FIPS 180-2, "abc"; RFC 4231, test case 2.
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  const hmac = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';

  it('agree with the published vectors in every form', () => {
    const [key, data] = ['Jefe', 'what do ya want for nothing?'];
    expect(sha256Hex('abc')).toBe(abc);
    expect(sha256Bytes('abc').toString('hex')).toBe(abc);
    expect(hmacSha256Hex(key, data)).toBe(hmac);
    expect(Buffer.from(hmacSha256Base64(key, data), 'base64').toString('hex')).toBe(hmac);
    expect(Buffer.from(hmacSha256Base64Url(key, data), 'base64url').toString('hex')).toBe(hmac);
  });

  it('tell equal secrets from different ones of any length', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        expect(isSameSecret(left, right)).toBe(Buffer.from(left).equals(Buffer.from(right)));
        expect(isSameSecret(left, left)).toBe(true);
      }),
    );
  });
});
