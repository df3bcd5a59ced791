/** JSON from strangers: the same value as JSON.parse wherever a value has one meaning, a refusal everywhere else. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultJsonLimits, readStrictJson } from '../../src/values/json-reader.js';

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
  ['the same name with escapes', '{"a":1,"\\u0061":1}', 'The JSON has the same name twice in one object'],
  ['a name of prototypes', '{"a":{"__proto__":1}}', 'The JSON has a name that is not accepted: __proto__'],
  ['a name of every object', '{"constructor":1}', 'The JSON has a name that is not accepted: constructor'],
  ['such a name with escapes', '{"\\u005f_proto__":1}', 'The JSON has a name that is not accepted: __proto__'],
  ['NUL', '"\\u0000"', 'The JSON has a text with a NUL character'],
  ['half of a pair', '"\\ud83d x"', 'The JSON has a text with half of a surrogate pair'],
  ['an endless number', '[1e999]', 'The JSON has a number that is too large'],
])('refuses %s', (_name, text, problem) => {
  expect(readStrictJson(text)).toEqual({ ok: false, problem });
});

test('takes exactly so many levels', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const { depth } = defaultJsonLimits;
  expect(readStrictJson(nested(depth)).ok).toBe(true);
  expect(readStrictJson(nested(depth + 1))).toEqual({
    ok: false,
    problem: 'The JSON is nested deeper than 64 levels',
  });
  expect(readStrictJson(nested(1_000_000)).ok).toBe(false);
  expect(readStrictJson('"\\ud83d\\ude00"')).toEqual({ ok: true, value: '😀' });
});

test('takes exactly so many members and values, wherever they are', () => {
  const object = (members: number) => `{${Array.from({ length: members }, (_, at) => `"m${at}":0`).join(',')}}`;
  const array = (items: number) => `[${'0,'.repeat(items - 1)}0]`;
  expect(readStrictJson(object(1000)).ok).toBe(true);
  expect(readStrictJson(`[[${object(1001)}]]`)).toEqual({
    ok: false,
    problem: 'The JSON has an object with more than 1000 members',
  });
  expect(readStrictJson(array(19_999)).ok).toBe(true);
  const tooMany = { ok: false, problem: 'The JSON has more than 20000 values' };
  expect(readStrictJson(array(20_000))).toEqual(tooMany);
  expect(readStrictJson(`{"a":${array(10_000)},"b":${array(10_000)}}`)).toEqual(tooMany);
  const narrow = { members: 1, values: 3, depth: 2 };
  expect(readStrictJson('{"a":[1]}', narrow).ok).toBe(true);
  expect(readStrictJson('{"a":[1,2]}', narrow).ok).toBe(false);
});

test('reads a text of five million escapes', () => {
  const escapes = '\\n'.repeat(5_000_000);
  expect(readStrictJson(`"${escapes}"`)).toEqual({ ok: true, value: '\n'.repeat(5_000_000) });
  expect(readStrictJson(`"${escapes}`).ok).toBe(false);
  expect(readStrictJson(`"${escapes}\\"`).ok).toBe(false);
});
