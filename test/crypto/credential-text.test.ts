/** Texts of credentials: their strict form, the checksum against typing errors, and the randomness of the secret. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createCredential, credentialHash, parseCredential } from '../../src/crypto/credential-text.js';

const form = /^gk_[0-9a-f]{16}_[0-9A-Za-z]{49}$/;
const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Computed once with another implementation of CRC-32 (that of Python). */
const published = 'gk_0123456789abcdef_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg1bry4K';

describe('a credential', () => {
  it('has its form and is read back', () => {
    const credential = createCredential('gk');
    expect(credential.text).toMatch(form);
    expect(credential.text.slice(3, 19)).toBe(credential.lookupId);
    expect(parseCredential(credential.text)).toEqual(credential);
  });

  it('has the checksum that other programs compute', () => {
    expect(parseCredential(published)).toEqual({ lookupId: '0123456789abcdef', text: published });
  });

  it('of the page delivery API has eight digits, and no kind passes for another', () => {
    const token = createCredential('pt');
    expect(token.text).toMatch(/^pt_[0-9a-f]{8}_[0-9A-Za-z]{49}$/);
    expect(parseCredential(token.text, 'pt')).toEqual(token);
    expect(parseCredential(token.text)).toBeNull();
    expect(parseCredential(createCredential('pt', '0123456789abcdef').text, 'pt')).toBeNull();
    expect(parseCredential(createCredential('gk', '01234567').text, 'gk')).toBeNull();
  });

  it('can be made again for a known lookup id', () => {
    const before = createCredential('gk');
    const after = createCredential('gk', before.lookupId);
    expect(after.lookupId).toBe(before.lookupId);
    expect(after.text).not.toBe(before.text);
  });

  it('is stored as the SHA-256 of its whole text', () => {
    expect(credentialHash({ text: published })).toBe(
      '28d82825d018025c9ebc75de73f2bc4c46958dae089655e1493df0a0c6e78818',
    );
  });

  test.each([
    ['empty', ''],
    ['the prefix alone', 'gk_'],
    ['no secret', published.slice(0, 20)],
    ['one letter short', published.slice(0, -1)],
    ['one letter long', `${published}0`],
    ['another prefix', `gt${published.slice(2)}`],
    ['prefix in upper case', `GK${published.slice(2)}`],
    ['lookup id in upper case', published.replace('abcdef', 'ABCDEF')],
    ['a line break behind', `${published}\n`],
    ['a space before', ` ${published}`],
    ['a letter outside the alphabet', published.replace('Z', 'Ž')],
    ['a lookup id that is no hexadecimal number', published.replace('0123456789abcdef', '0123456789abcdeg')],
    ['another lookup id', published.replace('0123456789abcdef', '0123456789abcdee')],
  ])('is refused when it is %s', (_name, text) => {
    expect(parseCredential(text)).toBeNull();
  });

  it('is refused with any letter mistyped or any two neighbours swapped', () => {
    const { text } = createCredential('gk');
    const wrong: string[] = [];
    for (let at = 0; at < text.length; at += 1) {
      for (const letter of letters) {
        if (letter !== text[at]) wrong.push(text.slice(0, at) + letter + text.slice(at + 1));
      }
      const swapped = text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2);
      if (swapped !== text) wrong.push(swapped);
    }
    expect(wrong.length).toBeGreaterThan(4000);
    expect(wrong.filter((one) => parseCredential(one) !== null)).toEqual([]);
  });

  it('is never read out of other text, and reading never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ minLength: 69, maxLength: 69 })),
        (text) => {
          expect(parseCredential(text)).toBeNull();
        },
      ),
      { numRuns: 2000 },
    );
  });
});

it('makes 100,000 secrets that are well-formed, distinct and even in their letters', () => {
  const texts = Array.from({ length: 100_000 }, () => createCredential('gk').text);
  expect(texts.filter((text) => !form.test(text) || parseCredential(text) === null)).toEqual([]);
  expect(new Set(texts.map((text) => text.slice(20))).size).toBe(100_000);
  expect(new Set(texts.map((text) => text.slice(3, 19))).size).toBe(100_000);
  const counts = new Map<string, number>();
  // Without the checksum: 43 random letters, each of which carries log2(62) bits.
  for (const text of texts) for (const letter of text.slice(20, 63)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  expect([...counts.keys()].sort().join('')).toBe(letters);
  expect(43 * Math.log2(62)).toBeGreaterThan(256);
  // Even letters give a chi-square of about 61 with a standard deviation of 11; one letter favoured by 2 % gives 90 more.
  const expected = (100_000 * 43) / 62;
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  expect(chiSquare).toBeLessThan(61 + 8 * 11);
});
