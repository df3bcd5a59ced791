/** JSON from strangers: the same value as JSON.parse wherever a value has one meaning, a refusal everywhere else. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxJsonDepth, readStrictJson } from '../../src/http/strict-json.js';

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a value may come in: storable texts, names that reach nothing. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && !/\p{Cs}/u.test(value);
  if (Array.isArray(value)) return value.every(isPlain);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => !forbidden.has(name) && isPlain(name) && isPlain(member));
}

test('reads what JSON.stringify writes, indented or not', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const read = readStrictJson(text);
      if (isPlain(JSON.parse(text))) expect(read).toEqual({ ok: true, value: JSON.parse(text) });
      else expect(read.ok).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test('never reads a text that JSON.parse refuses', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"',
    '1',
    '-',
    '0',
    '.5',
    'e3',
    'true',
    'null',
    ' ',
    '\\',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const read = readStrictJson(text);
      if (read.ok) expect(read.value).toEqual(JSON.parse(text));
    }),
    { numRuns: 5000 },
  );
});

test.each([
  ['nothing', '', 'Malformed JSON at character 1'],
  ['blanks only', ' \n', 'Malformed JSON at character 3'],
  ['a byte order mark', '\ufeff{}', 'Malformed JSON at character 1'],
  ['more behind', '{} x', 'Malformed JSON at character 4'],
  ['a comma too many', '[1,]', 'Malformed JSON at character 4'],
  ['a name without quotes', '{a:1}', 'Malformed JSON at character 2'],
  ['a leading zero', '01', 'Malformed JSON at character 2'],
  ['a raw line break in a text', '"a\nb"', 'Malformed JSON at character 1'],
  ['the same name twice', '{"a":1,"a":1}', 'The JSON has the same name twice in one object'],
  ['a name of prototypes', '{"a":{"__proto__":1}}', 'The JSON has a name that is not accepted: __proto__'],
  ['such a name with escapes', '{"\\u005f_proto__":1}', 'The JSON has a name that is not accepted: __proto__'],
  ['NUL', '"\\u0000"', 'The JSON has a text with a NUL character'],
  ['half of a pair', '"\\ud83d x"', 'The JSON has a text with half of a surrogate pair'],
  ['an endless number', '[1e999]', 'The JSON has a number that is too large'],
])('refuses %s', (_name, text, problem) => {
  expect(readStrictJson(text)).toEqual({ ok: false, problem });
});

test('takes exactly so many levels', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(readStrictJson(nested(maxJsonDepth)).ok).toBe(true);
  expect(readStrictJson(nested(maxJsonDepth + 1))).toEqual({
    ok: false,
    problem: 'The JSON is nested deeper than 32 levels',
  });
  expect(readStrictJson(nested(1_000_000)).ok).toBe(false);
  expect(readStrictJson('"\\ud83d\\ude00"')).toEqual({ ok: true, value: '😀' });
});
