/** What is remembered while it is used, what makes room, and the callback for removed values. */
import { describe, expect, it } from 'vitest';
import { ByteLru, LruMap } from '../../src/values/kept-values.js';

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

function setUp(maxBytes: number) {
  const gone: string[] = [];
  const memory = new ByteLru<string>(maxBytes, (key) => gone.push(key));
  const put = (...keys: readonly string[]) => {
    for (const key of keys) memory.set(key, key.toUpperCase(), 10);
  };
  return { memory, gone, put };
}

const letters = [...'abcdefgh'];

describe('a memory that is full', () => {
  it('gives up what came first', () => {
    const { memory, gone, put } = setUp(80);
    put(...letters, 'i', 'j');
    expect(gone).toEqual(['a', 'b']);
    expect(memory.get('c')).toBe('C');
    expect([memory.size, memory.bytes]).toEqual([8, 80]);
  });

  it('keeps what was used since it was looked at last, once for each time', () => {
    const { memory, gone, put } = setUp(80);
    put(...letters);
    memory.get('a');
    memory.get('b');
    put('i');
    expect(gone).toEqual(['c']);
    put('j', 'k', 'l', 'm', 'n');
    expect(gone).toEqual(['c', 'd', 'e', 'f', 'g', 'h']);
    expect(memory.get('b')).toBe('B');
    put('o', 'p');
    expect(gone).toEqual(['c', 'd', 'e', 'f', 'g', 'h', 'a', 'i']);
    expect(memory.get('b')).toBe('B');
  });

  it('makes room even where everything was used', () => {
    const { memory, gone, put } = setUp(80);
    put(...letters);
    for (const key of letters) memory.get(key);
    put('i');
    expect(gone).toEqual(['a']);
    expect(memory.bytes).toBe(80);
  });
});

it('does not keep what is larger than an eighth of it, and forgets what had the key before', () => {
  const { memory, gone, put } = setUp(80);
  put('a');
  expect(memory.set('a', 'larger', 11)).toBe(false);
  expect(memory.get('a')).toBeUndefined();
  expect(gone).toEqual(['a']);
  expect(memory.bytes).toBe(0);
});

it('counts a value that takes the place of another one once', () => {
  const { memory, put } = setUp(80);
  put('a', 'a');
  expect([memory.size, memory.bytes]).toEqual([1, 10]);
  memory.clear();
  expect([memory.size, memory.bytes]).toEqual([0, 0]);
});
