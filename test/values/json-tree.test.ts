/** The JSON reader with places: accepts what JSON.parse accepts, and says where a text is wrong. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatProblem } from '../../src/content/objects/object-spec.js';
import { maxDepth, readJsonTree } from '../../src/values/json-tree.js';

function problemsOf(text: string): string[] {
  return readJsonTree(text, 'a.json').problems.map(formatProblem);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('a text that is not JSON is refused with line and column', () => {
  test.each([
    ['nothing', '', 'a.json:1:1: expected a value, found the end of the file'],
    ['blanks only', ' \n ', 'a.json:2:2: expected a value, found the end of the file'],
    ['text after the value', '{}\n{}', 'a.json:2:1: more text after the end of the value'],
    ['a comma before the end', '{"a": 1,\n}', 'a.json:2:1: expected a key in double quotes, found "}"'],
    ['a comma before the end of a list', '[1,]', 'a.json:1:4: expected a value, found "]"'],
    ['a missing comma', '{"a": 1\n "b": 2}', 'a.json:2:2: expected "," or "}", found "\\""'],
    ['a missing colon', '{"a" 1}', 'a.json:1:6: expected ":" after the key "a", found "1"'],
    ['an open list', '[1, 2', 'a.json:1:6: expected "," or "]", found the end of the file'],
    ['a comment', '{\n  // no\n}', 'a.json:2:3: expected a key in double quotes, found "/"'],
    ['single quotes', "{'a': 1}", 'a.json:1:2: expected a key in double quotes, found "\'"'],
    ['an unknown word', '[nil]', 'a.json:1:2: expected a value, found "n"'],
    ['a number with a leading zero', '[012]', 'a.json:1:3: expected "," or "]", found "1"'],
    ['an open text', '["abc\n"]', 'a.json:1:6: the text is not closed'],
    [
      'an unknown escape',
      '["a\\x"]',
      'a.json:1:4: unknown escape in a text; known are \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX',
    ],
    ['a tab in a text', '["a\tb"]', 'a.json:1:4: a control character in a text must be written as \\uXXXX'],
    ['a character outside the basic plane', '😀', 'a.json:1:1: expected a value, found "😀"'],
    [
      'deep nesting',
      `${'['.repeat(20)}${']'.repeat(20)}`,
      `a.json:1:${maxDepth + 2}: nested deeper than ${maxDepth} levels`,
    ],
  ])('%s', (_name, text, problem) => {
    expect(problemsOf(text)).toEqual([problem]);
    expect(readJsonTree(text, 'a.json').value).toBeUndefined();
  });
});

test('every repeated key is named with the line of the first', () => {
  expect(problemsOf('{\n "a": 1,\n "b": {"c": 1, "c": 2},\n "\\u0061": 3\n}')).toEqual([
    'a.json:3:16: b.c: is given twice, first in line 3',
    'a.json:4:2: a: is given twice, first in line 2',
  ]);
});

test('places count lines and columns from 1, after a byte order mark and with either line end', () => {
  const { placeOf } = readJsonTree('\uFEFF{"a":\r\n  ["x", {"b c": true}]}', 'a.json');
  expect([placeOf(''), placeOf('a', 'name'), placeOf('a[0]'), placeOf('a[1].b c'), placeOf('a[1].d')]).toEqual([
    { source: 'a.json', path: '', line: 1, column: 1 },
    { source: 'a.json', path: 'a', line: 1, column: 2 },
    { source: 'a.json', path: 'a[0]', line: 2, column: 4 },
    { source: 'a.json', path: 'a[1].b c', line: 2, column: 17 },
    { source: 'a.json', path: 'a[1].d', line: 2, column: 9 },
  ]);
});

test('reads every JSON text as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(0, 1, 2), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), null, indent);
      const { value, problems } = readJsonTree(text, 'a.json');
      expect(problems).toEqual([]);
      expect(value).toEqual(JSON.parse(text));
    }),
  );
});

test('refuses every text that JSON.parse refuses, and accepts no other', () => {
  const pieces = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"', '"a"', '"b"', '1', '-', '0', '.5', 'e2', 'null', ' ', '\\'],
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 9 }).map((list) => list.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const { value } = readJsonTree(text, 'a.json');
      expect(value !== undefined).toBe(isJson(text));
    }),
    { numRuns: 2000 },
  );
});
