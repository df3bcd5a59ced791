/** What is remembered while it is used, and what makes room. */
import { describe, expect, it } from 'vitest';
import { LruMap } from '../../src/values/lru-map.js';

describe('LruMap', () => {
  it('keeps at most its limit, without the oldest entries', () => {
    const map = new LruMap<number, string>(3);
    for (let key = 0; key < 10; key += 1) map.set(key, `${key}`);
    expect(map.size).toBe(3);
    expect([0, 6, 7, 8, 9].map((key) => map.get(key))).toEqual([undefined, undefined, '7', '8', '9']);
  });

  it('keeps what was used since the last half of its limit was added', () => {
    const map = new LruMap<string, string>(10);
    map.set('used', 'kept');
    for (let key = 0; key < 200; key += 1) {
      map.set(`${key}`, 'other');
      if (key % 5 === 0) expect(map.get('used')).toBe('kept');
    }
    expect(map.size).toBe(10);
  });

  it('removes what is not used', () => {
    const map = new LruMap<string, string>(10);
    map.set('unused', 'gone');
    for (let key = 0; key < 10; key += 1) map.set(`${key}`, 'other');
    expect(map.get('unused')).toBeUndefined();
  });

  it('replaces values and forgets all', () => {
    const map = new LruMap<string, number>(2);
    map.set('one', 1);
    map.set('one', 2);
    expect([map.size, map.get('one')]).toEqual([1, 2]);
    map.clear();
    expect([map.size, map.get('one')]).toEqual([0, undefined]);
  });
});
