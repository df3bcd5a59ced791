/** Visitors, what is kept of their addresses, bots, and the signed name of a click. */
import { describe, expect, test } from 'vitest';
import { readClickReference, writeClickReference } from '../../../src/banners/rules/redirect-target.js';
import { isBot, truncateAddress, visitorOf } from '../../../src/banners/rules/visitor.js';
import { hmacSha256Hex, isSameSecret } from '../../../src/crypto/primitives.js';

const digest = (text: string): string => hmacSha256Hex('a key', text);

test.each([
  ['203.0.113.77', '203.0.113.0'],
  ['::ffff:203.0.113.77', '203.0.113.0'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
  ['::1', '::'],
  ['', ''],
  ['not an address', ''],
  ['1.2.3', ''],
])('of the address %j %j is kept', (ip, kept) => {
  expect(truncateAddress(ip)).toBe(kept);
});

test.each([
  { name: 'the same address', one: '203.0.113.7', other: '203.0.113.7', same: true },
  { name: 'a neighbour', one: '203.0.113.7', other: '203.0.113.8', same: false },
  { name: 'the address mapped into IPv6', one: '203.0.113.7', other: '::ffff:203.0.113.7', same: true },
  { name: 'another host of the /64', one: '2001:db8::1', other: '2001:db8::ffff:2', same: true },
  { name: 'another /64', one: '2001:db8::1', other: '2001:db8:0:1::1', same: false },
])('$name: the same visitor is $same', ({ one, other, same }) => {
  const visitor = (ip: string, day = 20261121) => visitorOf({ ip, day, digest });
  expect(visitor(one) === visitor(other)).toBe(same);
  expect(visitor(one)).toMatch(/^[0-9a-f]{16}$/);
  expect(visitor(one)).not.toBe(visitor(one, 20261122));
  expect(visitor(one)).not.toBe(
    visitorOf({ ip: one, day: 20261121, digest: (text) => hmacSha256Hex('another', text) }),
  );
});

test.each([
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
  ['curl/8.5.0', true],
  ['', true],
  ['  ', true],
  [undefined, true],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
    false,
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    false,
  ],
])('%j is a bot: %s', (userAgent, expected) => {
  expect(isBot(userAgent)).toBe(expected);
});

describe('the name of a click', () => {
  const click = { day: 20261121, ad: 7, position: 12, visitor: '00112233445566ff' };
  const read = (text: string) => readClickReference(text, { digest, isSame: isSameSecret });

  test('is read as it was written', () => {
    const text = writeClickReference(click, digest);
    expect(text).toMatch(/^20261121\.7\.12\.00112233445566ff\.[0-9a-f]{32}$/);
    expect(read(text)).toEqual(click);
  });

  test('is refused with anything changed', () => {
    const text = writeClickReference(click, digest);
    for (let at = 0; at < text.length; at += 1) {
      const changed = text.slice(0, at) + (text[at] === '1' ? '2' : '1') + text.slice(at + 1);
      expect(read(changed)).toBeNull();
    }
    for (const other of [
      '',
      '1',
      text.slice(1),
      `${text}0`,
      text.toUpperCase(),
      `0${text}`,
      text.replace('.7.', '.07.'),
    ]) {
      expect(read(other)).toBeNull();
    }
    expect(read(writeClickReference(click, (more) => hmacSha256Hex('another', more)))).toBeNull();
  });
});
