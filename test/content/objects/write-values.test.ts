/** Values of bodies: what each type of field accepts, how it is stored, and that the way back gives the same. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FieldDefinition } from '../../../src/content/objects/definition.js';
import {
  acceptedBy,
  decoderOf,
  parseWriteValue,
  storedValue,
  writtenValue,
} from '../../../src/content/objects/values.js';
import { accept, refuse } from '../../../src/values/checked.js';

const field = (type: FieldDefinition['type'], rest: Partial<FieldDefinition> = {}): FieldDefinition => ({
  type,
  column: 'c',
  nullable: false,
  ...rest,
});

const fields = {
  flag: field('boolean'),
  whole: field('integer'),
  small: field('integer', { range: [-128, 127] }),
  decimal: field('number'),
  text: field('string'),
  short: field('string', { maxLength: 3 }),
  bytes: field('string', { maxBytes: 6 }),
  alias: field('string', { nullIsEmpty: true }),
  optional: field('string', { nullable: true }),
  unix: field('datetime', { storage: 'unix', nullable: true }),
  dated: field('datetime', { storage: 'datetime' }),
  json: field('json', { nullable: true }),
} as const satisfies Record<string, FieldDefinition>;

type Name = keyof typeof fields;

test.each<[Name, unknown, unknown]>([
  ['flag', true, true],
  ['flag', 0, false],
  ['flag', '1', true],
  ['flag', 'false', false],
  ['whole', 7, 7],
  ['whole', '-12', -12],
  ['whole', 3.0, 3],
  ['whole', -0, 0],
  ['whole', '9007199254740991', 9_007_199_254_740_991],
  ['small', -128, -128],
  ['decimal', '12.50', 12.5],
  ['decimal', '-1e-2', -0.01],
  ['decimal', -0, 0],
  ['text', '', ''],
  ['text', 12.5, '12.5'],
  ['text', 9_007_199_254_740_991, '9007199254740991'],
  ['text', 'a\nb', 'a\nb'],
  ['short', '\u{1F600}\u{1F600}\u{1F600}', '\u{1F600}\u{1F600}\u{1F600}'],
  ['bytes', 'äöü', 'äöü'],
  ['alias', null, ''],
  ['optional', null, null],
  ['unix', null, null],
  ['unix', 0, null],
  ['unix', '1700000000', 1_700_000_000],
  ['unix', '2026-01-02T03:04:05+02:00', 1_767_315_845],
  ['unix', 2_147_483_647, 2_147_483_647],
  ['dated', 0, 0],
  ['dated', -1, -1],
  ['json', null, null],
  ['json', { a: [1, 'x', null, { b: true }] }, { a: [1, 'x', null, { b: true }] }],
])('%s takes %j', (name, value, expected) => {
  expect(parseWriteValue(fields[name], value)).toEqual(accept(expected));
});

test.each<[Name, unknown, string]>([
  ['flag', 'yes', 'must be one of: true, false, 0, 1, "0", "1", "true", "false"'],
  ['flag', 'TRUE', acceptedBy(fields.flag)],
  ['flag', 2, acceptedBy(fields.flag)],
  ['flag', null, `must not be null; it ${acceptedBy(fields.flag)}`],
  ['whole', 1.5, 'must be an integer'],
  ['whole', '1.0', 'must be an integer'],
  ['whole', ' 1', 'must be an integer'],
  ['whole', '', 'must be an integer'],
  ['whole', 2 ** 53, 'must be an integer'],
  ['whole', true, 'must be an integer'],
  ['whole', [1], 'must be an integer'],
  ['small', 128, 'must be an integer from -128 to 127'],
  ['small', '-129', 'must be an integer from -128 to 127'],
  ['decimal', 'NaN', 'must be a number'],
  ['decimal', '1e999', 'must be a number'],
  ['decimal', Number.POSITIVE_INFINITY, 'must be a number'],
  ['text', true, 'must be a text or a number'],
  ['text', {}, 'must be a text or a number'],
  ['text', 2 ** 53, 'must be sent as a text: a number of so many digits is not kept exactly'],
  ['text', -1e21, 'must be sent as a text: a number of so many digits is not kept exactly'],
  ['text', 'a\0b', 'must not contain a NUL character or half of a surrogate pair'],
  ['text', '\ud800', 'must not contain a NUL character or half of a surrogate pair'],
  ['short', 'abcd', 'must be at most 3 characters'],
  ['bytes', 'äöüß', 'must be at most 6 bytes of UTF-8'],
  ['unix', '', acceptedBy(fields.unix)],
  ['unix', '2026-02-30T00:00:00Z', acceptedBy(fields.unix)],
  ['unix', '2026-01-02T03:04:05', acceptedBy(fields.unix)],
  ['unix', -1, `${acceptedBy(fields.unix)}, and not before 1970-01-01T00:00:00Z`],
  ['unix', 2_147_483_648, acceptedBy(fields.unix)],
  ['dated', null, `must not be null; it ${acceptedBy(fields.dated)}`],
  ['json', { a: '\0' }, acceptedBy(fields.json)],
  ['json', { '\ud800': 1 }, acceptedBy(fields.json)],
])('%s refuses %j', (name, value, problem) => {
  expect(parseWriteValue(fields[name], value)).toEqual(refuse(problem));
});

test('json has a limit of depth that a body keeps to anyway', () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
  expect(parseWriteValue(fields.json, nested(64))).toEqual(accept(nested(64)));
  expect(parseWriteValue(fields.json, nested(65)).ok).toBe(false);
});

test.each<[Name, Parameters<typeof storedValue>[1], unknown]>([
  ['flag', true, 1],
  ['flag', false, 0],
  ['unix', null, 0],
  ['unix', 1_700_000_000, 1_700_000_000],
  ['dated', 1_700_000_000, '2023-11-14 22:13:20'],
  ['dated', null, null],
  ['json', { a: 1 }, '{"a":1}'],
  ['json', null, null],
  ['optional', null, null],
])('%s stores %j', (name, value, stored) => {
  expect(storedValue(fields[name], value)).toBe(stored);
});

/** Values that a body can hold: stored text has one zero. */
const someJson = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));

describe('whatever a field accepts', () => {
  const accepted = Object.entries(fields).map(([name, one]) => [name, one] as const);

  test.each(accepted)('%s gives back after it was stored', (_name, one) => {
    fc.assert(
      fc.property(fc.oneof(someJson, fc.integer(), fc.date({ noInvalidDate: true }).map(isoOf)), (value) => {
        const parsed = parseWriteValue(one, value);
        if (!parsed.ok) return;
        expect(writtenValue(one, storedValue(one, parsed.value))).toEqual(parsed.value);
        // Parsed once more it is the same, and a read shows a value that could be sent again.
        expect(parseWriteValue(one, parsed.value)).toEqual(parsed);
        expect(parseWriteValue(one, decoderOf(one)(storedValue(one, parsed.value)))).toEqual(parsed);
      }),
      { numRuns: 300 },
    );
  });
});

function isoOf(date: Date): string {
  return date.toISOString();
}
