/** Where clicks lead: no value of a visitor touches scheme or host, whatever the stored address is. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addUtm, fillTarget, readTarget } from '../../../src/banners/rules/redirect-target.js';

const base = 'https://site.example/';
const none = () => undefined;
const pages = new Map([[12, 'https://site.example/shop/']]);

function lead(url: string, values: Readonly<Record<string, string>> = {}): string | null {
  const known = new Map(Object.entries(values));
  const target = readTarget({ url, base, resourceUrl: (id) => pages.get(id) ?? null });
  return target === null ? null : fillTarget(target, (name) => known.get(name), null);
}

test.each<[string, string | null]>([
  ['https://shop.example', 'https://shop.example/'],
  ['http://shop.example:8080/a?b=c#d', 'http://shop.example:8080/a?b=c#d'],
  ['HTTPS://SHOP.example/Ä ö', 'https://shop.example/%C3%84%20%C3%B6'],
  ['/local', 'https://site.example/local'],
  ['[[~12]]', 'https://site.example/shop/'],
  ['[[!~12]]?a=1', 'https://site.example/shop/?a=1'],
  ['[[~12? &a=`1` &scheme=`full` &b=`x y`]]', 'https://site.example/shop/?a=1&b=x%20y'],
  ['[[~12? &a=`1`]]?b=2#c', 'https://site.example/shop/?a=1&b=2#c'],
  ['[[~13]]', null],
  ['[[~12? &a=`[[~13]]`]]', null],
  ['https://shop.example/[[++site_url]]', null],
  ['javascript:alert(1)', null],
  [' javascript:alert(1)', null],
  ['java\nscript:alert(1)', null],
  ['ftp://shop.example/', null],
  ['https://', null],
  ['https://user:secret@shop.example/', null],
  ['https://[[+a]]/', null],
  ['https://shop.example:[[+port]]/', null],
  ['[[+a]]://shop.example/', null],
  ['', null],
  ['https://shop.example/hcd-hole-0-', null],
])('%j leads to %j', (url, expected) => {
  expect(lead(url, { a: 'evil.example', port: '1' })).toBe(expected);
});

test.each<[string, Record<string, string>, string]>([
  ['[[+to]]', { to: 'https://evil.example/' }, 'https://site.example/https%3A%2F%2Fevil.example%2F'],
  ['/[[+a]]/[[+b]]', { b: 'evil.example' }, 'https://site.example//evil.example'],
  ['https://shop.example/{a}', { a: '\\evil.example' }, 'https://shop.example/%5Cevil.example'],
  ['https://shop.example/a/{x}{y}/b', { x: '.', y: '.' }, 'https://shop.example/a//b'],
  ['https://shop.example/a/%2e{x}/b', { x: '.' }, 'https://shop.example/a//b'],
  ['[[~12? &who=`{name}`]]', { name: 'a&b' }, 'https://site.example/shop/?who=a%26b'],
  ['https://shop.example/#{a}', { a: 'x' }, 'https://shop.example/#'],
])('%j filled with %j', (url, values, expected) => {
  expect(lead(url, values)).toBe(expected);
});

test('values that would make the address too long are left out', () => {
  expect(lead('https://shop.example/?a={a}&b={a}', { a: 'x'.repeat(5000) })).toBe('https://shop.example/?a=&b=');
});

test('whatever visitors send, origin and every other parameter stay, and the address is plain ASCII', () => {
  const anything = fc.string({ unit: 'binary' }).filter((text) => !/\p{Cs}/u.test(text));
  fc.assert(
    fc.property(anything, anything, (first, second) => {
      const location = lead('https://shop.example/p/[[+a]]/q?x={b}&keep=1', { a: first, b: second });
      expect(location).toMatch(/^https:\/\/shop\.example\/p\/[!-~]*$/);
      const url = new URL(location ?? '');
      expect([url.origin, url.searchParams.get('keep'), url.searchParams.get('x')]).toEqual([
        'https://shop.example',
        '1',
        second,
      ]);
      expect(url.pathname.startsWith('/p/') && url.pathname.endsWith('/q')).toBe(true);
    }),
  );
});

test('whatever address is stored, it leads to http or https or nowhere', () => {
  const pieces = fc.constantFrom(
    'https:',
    'javascript:',
    '//',
    '/',
    '\\',
    '[[+a]]',
    '{b}',
    '@',
    'x.example',
    '?',
    '#',
    ' ',
    '\t',
    '%2e',
    '..',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), fc.webUrl(), (parts, value) => {
      const url = parts.join('');
      const location = lead(url, { a: value, b: value });
      if (location === null) return;
      const plain = lead(url.replaceAll(/\[\[\+a\]\]|\{b\}/g, 'z'));
      expect(new URL(location).protocol).toMatch(/^https?:$/);
      // The same place as with a harmless value.
      if (plain !== null) expect(new URL(location).origin).toBe(new URL(plain).origin);
    }),
    { numRuns: 500 },
  );
});

test('does not replace parameters by utm parameters', () => {
  const facts = new Map<string, string | number>([
    ...Object.entries({ ad_id: 4, position_id: 5, adposition: 6, product_id: 7, order_id: 0 }),
    ['product_pagetitle', 'Boots & more'],
  ]);
  const rules = {
    banners_utm_source: 'me',
    banners_utm_medium: '',
    banners_utm_campaign: '{product_pagetitle} {product_id}',
    banners_utm_content: '{ad_id}-{position_id}-{adposition}-{order_id}',
  };
  const utm = { rules, facts };
  expect(addUtm('', utm)).toBe('?utm_source=me&utm_campaign=Boots%20%26%20more%207&utm_content=4-5-6-0');
  expect(addUtm('?utm_source=&utm%5Fcontent=x', utm)).toBe(
    '?utm_source=&utm%5Fcontent=x&utm_campaign=Boots%20%26%20more%207',
  );
  expect(addUtm('?', utm).startsWith('?utm_source=me&')).toBe(true);
  const none = { banners_utm_source: '', banners_utm_campaign: '', banners_utm_content: '' };
  expect(addUtm('?a', { rules: { ...rules, ...none }, facts })).toBe('?a');
});

test('fills a parsed target repeatedly', () => {
  const target = readTarget({ url: 'https://shop.example/{a}', base, resourceUrl: () => null });
  if (target === null) throw new Error('no target');
  expect([fillTarget(target, none, null), fillTarget(target, () => 'x', null), fillTarget(target, none, null)]).toEqual(
    ['https://shop.example/', 'https://shop.example/x', 'https://shop.example/'],
  );
});
