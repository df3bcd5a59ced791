/** What is remembered while it is used, what makes room, and the callback for removed values. */
import { describe, expect, it } from 'vitest';
import { ByteLru, LruMap } from '../../src/values/kept-values.js';

describe('LruMap', () => {
  it('keeps at least the newest half of its limit, and never more than the limit', () => {
    const map = new LruMap<number, string>(10);
    for (let key = 0; key < 23; key += 1) map.set(key, `${key}`);
    expect([22, 21, 20, 19, 18].map((key) => map.get(key))).toEqual(['22', '21', '20', '19', '18']);
    expect([12, 6, 0].map((key) => map.get(key))).toEqual([undefined, undefined, undefined]);
  });

  it('keeps what is used repeatedly', () => {
    const map = new LruMap<string, string>(10);
    map.set('used', 'kept');
    for (let key = 0; key < 200; key += 1) {
      map.set(`${key}`, 'other');
      if (key % 4 === 0) expect(map.get('used')).toBe('kept');
    }
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
    expect(map.get('one')).toBe(2);
    map.clear();
    expect(map.get('one')).toBeUndefined();
  });

  it('makes no room for a value that it replaces', () => {
    const map = new LruMap<string, number>(4);
    for (const [at, key] of ['first', 'again', 'again', 'third', 'fourth'].entries()) map.set(key, at);
    expect(map.get('first')).toBe(0);
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
