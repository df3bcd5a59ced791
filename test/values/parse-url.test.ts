/** Addresses are read alike however often that was done before. */
import { expect, test } from 'vitest';
import { parseUrl } from '../../src/values/text.js';

test('reads addresses with letters of every language, also when the code is hot', () => {
  const addresses = ['https://münchen.example/ä', 'https://例え.example/', 'https://a.example/?q=é'];
  const failed = Array.from({ length: 20_000 }, () => addresses.filter((one) => parseUrl(one) === null)).flat();
  expect(failed).toEqual([]);
});

test('gives null for a text that is not a URL', () => {
  expect(['', 'a', '//a', 'http://', 'https://[::1', 'http://a b'].map((one) => parseUrl(one))).toEqual(
    Array<null>(6).fill(null),
  );
  expect(parseUrl('/a', 'https://a.example')?.href).toBe('https://a.example/a');
});
