/** Numbers by name behave like a Map of texts. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NameNumbers } from '../../../src/operations/transfer/name-numbers.js';

it('gives each name its last number, whatever the names are', () => {
  const name = fc.oneof(fc.string({ unit: 'binary', maxLength: 4 }), fc.constantFrom('', '__proto__', 'a'.repeat(500)));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.nat()), { maxLength: 300 }), fc.array(name), (entries, others) => {
      const [numbers, map] = [new NameNumbers(), new Map(entries)];
      for (const [key, number] of entries) numbers.set(key, number);
      for (const key of [...map.keys(), ...others]) expect(numbers.get(key)).toBe(map.get(key));
      numbers.clear();
      for (const key of map.keys()) expect(numbers.has(key)).toBe(false);
    }),
  );
});

it('keeps all of many names', () => {
  const numbers = new NameNumbers();
  for (let at = 0; at < 20_000; at += 1) numbers.set(`name ${at}`, at);
  for (let at = 0; at < 20_000; at += 1) expect(numbers.get(`name ${at}`)).toBe(at);
  expect(numbers.has('name 20000')).toBe(false);
});
