/** The keys of late: the newest ones are always there, those that are asked for stay, and old ones make room. */
import { expect, it } from 'vitest';
import { RecentKeys } from '../../../src/banners/tracking/event-buffer.js';

it('keeps at least the newest half and never exceeds its bound', () => {
  const keys = new RecentKeys(10);
  const all = Array.from({ length: 23 }, (_none, at) => `key ${at}`);
  for (const key of all) keys.add(key);
  expect(all.slice(-5).every((key) => keys.has(key))).toBe(true);
  expect(keys.has('key 0')).toBe(false);
  expect(keys.has('another')).toBe(false);
});

it('keeps keys that are asked for repeatedly', () => {
  const keys = new RecentKeys(10);
  keys.add('kept');
  for (let at = 0; at < 100; at += 1) {
    keys.add(`key ${at}`);
    expect(keys.has('kept')).toBe(true);
  }
  expect(keys.has('key 0')).toBe(false);
});
