/** The list of page tokens as text: what is accepted, and that nothing is lost on the way there and back. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  decodePageTokens,
  formatPageTokens,
  type PageToken,
  pageTokensValue,
} from '../../src/config/pages-settings.js';

const record = {
  id: 1,
  name: null,
  prefix: 'pt_0123abcd',
  hash: 'a'.repeat(64),
  scopes: ['pages.read'],
  created: '2026-11-21T09:30:00Z',
  expires: null,
  revoked: null,
  lastUsed: null,
};
const decoded: PageToken = { ...record, created: Date.UTC(2026, 10, 21, 9, 30) / 1000 };

const without = (name: keyof typeof record) =>
  Object.fromEntries(Object.entries(record).filter(([member]) => member !== name));

describe('the list of page tokens', () => {
  test.each<[name: string, text: string, tokens: readonly PageToken[]]>([
    ['the empty list', '[]', []],
    ['an empty text', ' ', []],
    ['a record', JSON.stringify([record]), [decoded]],
    ['members that are left out', JSON.stringify([without('expires')]), [decoded]],
    ['members of another version', JSON.stringify([{ ...record, note: 1 }]), [decoded]],
    [
      'a scope of another version',
      JSON.stringify([{ ...record, scopes: ['feed.read'] }]),
      [{ ...decoded, scopes: ['feed.read'] }],
    ],
  ])('may be %s', (_name, text, tokens) => {
    expect(decodePageTokens(text)).toEqual(tokens);
    expect(pageTokensValue.parse(text)).toEqual({ ok: true, value: text });
  });

  test.each<[name: string, value: unknown]>([
    ['an object', {}],
    ['null', null],
    ['null in a list', [null]],
    ['an id of 0', [{ ...record, id: 0 }]],
    ['an id as text', [{ ...record, id: '1' }]],
    ['a name that is a number', [{ ...record, name: 1 }]],
    ['a prefix of another kind', [{ ...record, prefix: 'gk_0123abcd' }]],
    ['a prefix with the secret', [{ ...record, prefix: 'pt_0123abcd_x' }]],
    ['no digest', [without('hash')]],
    ['an empty digest', [{ ...record, hash: '' }]],
    ['no scopes', [{ ...record, scopes: [] }]],
    ['scopes as text', [{ ...record, scopes: 'pages.read' }]],
    ['the scope for everything', [{ ...record, scopes: ['*'] }]],
    ['no time of creation', [without('created')]],
    ['an end that is no time', [{ ...record, expires: 'never' }]],
    ['an end that is a number', [{ ...record, expires: 1 }]],
    ['a revocation that is a flag', [{ ...record, revoked: true }]],
    ['two records with one id', [record, { ...record, prefix: 'pt_00000000' }]],
    ['two records with one prefix', [record, { ...record, id: 2 }]],
    ['one good and one bad record', [record, { ...record, id: 2, prefix: '' }]],
  ])('may not be %s', (_name, value) => {
    const text = JSON.stringify(value);
    expect(decodePageTokens(text)).toBeNull();
    expect(pageTokensValue.parse(text)).toEqual({
      ok: false,
      problem: 'must be the list of page tokens as hcd token writes it',
    });
  });

  const time = fc.integer({ min: 100_000, max: 4_000_000_000 });
  const hex = (length: number) =>
    fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
  const token = fc.record<PageToken>({
    id: fc.integer({ min: 1, max: 1_000_000_000 }),
    name: fc.option(fc.string({ unit: 'grapheme' })),
    prefix: hex(8).map((digits) => `pt_${digits}`),
    hash: hex(64),
    scopes: fc.subarray(['pages.read', 'catalog.read'], { minLength: 1 }),
    created: time,
    expires: fc.option(time),
    revoked: fc.option(time),
    lastUsed: fc.option(time),
  });

  it('comes back whole from its text, which is ASCII', () => {
    const lists = fc.uniqueArray(token, { selector: ({ id }) => id, maxLength: 5 });
    fc.assert(
      fc.property(lists, (tokens) => {
        fc.pre(new Set(tokens.map(({ prefix }) => prefix)).size === tokens.length);
        const text = formatPageTokens(tokens);
        expect(text).toMatch(/^[ -~]*$/);
        expect(decodePageTokens(text)).toEqual(tokens);
      }),
    );
  });

  it('is decoded or refused, whatever the text is', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(() => decodePageTokens(text)).not.toThrow();
      }),
    );
  });
});
