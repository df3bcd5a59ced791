/** PHP's serialize and session formats: real data of a CMS, round trips, and damage of every kind. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type PhpValue,
  type PhpWritable,
  parsePhpArray,
  parsePhpValue,
  serializePhpValue,
} from '../../../src/content/rules/php-value.js';
import { parsePhpSession, sessionUser, sessionUsers } from '../../../src/identity/sessions/find-cms-session.js';
import { describeWithFixtureFiles, readFixtureJson } from '../../support/fixture.js';
import { dumpRows, readDump } from './sql-dump.js';

/** PHP arrays as plain values again, so that they can be compared with what was written. */
function plain(value: PhpValue): unknown {
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([key, entry]) => [String(key), plain(entry)]));
}

/** What is expected back of a written value: lists come back as records with number keys. */
function asRecord(value: PhpWritable): unknown {
  if (value === null || typeof value !== 'object') return Object.is(value, -0) ? 0 : value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, asRecord(entry)]));
}

describe('reading a serialized value', () => {
  const cases: [name: string, text: string, value: unknown][] = [
    ['null', 'N;', null],
    ['true', 'b:1;', true],
    ['a negative integer', 'i:-42;', -42],
    ['an integer beyond the safe range', 'i:9223372036854775807;', 9223372036854775807n],
    ['a float', 'd:0.1;', 0.1],
    ['a float with exponent', 'd:1.0E+25;', 1e25],
    ['infinity', 'd:-INF;', Number.NEGATIVE_INFINITY],
    ['a text counted in bytes', 's:7:"Größe";', 'Größe'],
    ['a text with quotes and semicolons', 's:5:"a";"b";', 'a";"b'],
    ['an empty array', 'a:0:{}', new Map()],
    [
      'keys that look like numbers',
      'a:3:{s:1:"5";i:1;s:2:"05";i:2;s:9:"__proto__";i:3;}',
      new Map<unknown, unknown>([
        [5, 1],
        ['05', 2],
        ['__proto__', 3],
      ]),
    ],
    ['an object as its class name', 'O:8:"stdClass":1:{s:1:"a";i:1;}', { className: 'stdClass' }],
    ['a custom object as its class name', 'C:3:"Abc":5:{x}y;z}', { className: 'Abc' }],
    ['an enumeration case', 'E:8:"Suit:Two";', { className: 'Suit:Two' }],
  ];

  test.each(cases)('%s', (_name, text, value) => {
    expect(parsePhpValue(text)).toEqual(value);
  });

  const damaged: [name: string, text: string][] = [
    ['nothing', ''],
    ['text behind the value', 'i:1;x'],
    ['a length counted in characters', 's:5:"Größe";'],
    ['a length that halves a character', 's:1:"ß";'],
    ['a length beyond the end', 's:99:"a";'],
    ['a negative count', 'a:-1:{}'],
    ['more entries than there are', 'a:2:{i:0;i:1;}'],
    ['fewer entries than there are', 'a:1:{i:0;i:1;i:1;i:2;}'],
    ['an array as key', 'a:1:{a:0:{}i:1;}'],
    ['a huge count', 'a:9999999999:{}'],
    ['a reference', 'a:2:{i:0;i:1;i:1;R:2;}'],
    ['an object reference', 'a:2:{i:0;O:1:"A":0:{}i:1;r:2;}'],
    ['an unknown type', 'x:1;'],
    ['a flag that is neither 0 nor 1', 'b:2;'],
    ['nesting beyond the limit', `${'a:1:{i:0;'.repeat(70)}i:1;${'}'.repeat(70)}`],
    ['size beyond the limit', `s:5000000:"${'a'.repeat(5_000_000)}";`],
  ];

  test.each(damaged)('%s is refused', (_name, text) => {
    expect(parsePhpValue(text)).toBeUndefined();
  });

  test('an empty column is an empty array, a value of another type is none', () => {
    expect([null, '', 'a:0:{}', 'i:1;', 'a:'].map(parsePhpArray)).toEqual([
      new Map(),
      new Map(),
      new Map(),
      undefined,
      undefined,
    ]);
  });
});

describe('properties', () => {
  const { value } = fc.letrec<{ value: PhpWritable }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constant(null),
      fc.boolean(),
      fc.maxSafeInteger(),
      fc.double({ noNaN: true }),
      fc.string({ unit: 'grapheme' }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string({ maxLength: 6 }), tie('value'), { maxKeys: 4 }) as fc.Arbitrary<PhpWritable>,
    ),
  }));

  test('a written value reads back', () => {
    fc.assert(
      fc.property(value, (written) => {
        const read = parsePhpValue(serializePhpValue(written));
        expect(read).toBeDefined();
        expect(plain(read ?? null)).toEqual(asRecord(written));
      }),
    );
  });

  test('a damaged text is a value or undefined, never an exception', () => {
    const damage = fc.tuple(value, fc.nat(), fc.string({ maxLength: 3 }));
    fc.assert(
      fc.property(damage, ([written, at, insert]) => {
        const text = serializePhpValue(written);
        const cut = at % (text.length + 1);
        expect(() => parsePhpValue(text.slice(0, cut) + insert + text.slice(cut + 1))).not.toThrow();
        expect(() => sessionUsers(`modx.user.contextTokens|${text.slice(0, cut)}`)).not.toThrow();
      }),
    );
  });
});

describe('sessions', () => {
  test('variables follow one another without separators', () => {
    expect(parsePhpSession('a.b|i:1;c|s:3:"|d|";e|a:0:{}')).toEqual(
      new Map<string, PhpValue>([
        ['a.b', 1],
        ['c', '|d|'],
        ['e', new Map()],
      ]),
    );
  });

  const noUser: [name: string, data: string | null][] = [
    ['no data', null],
    ['empty data', ''],
    ['no tokens', 'x|i:1;'],
    ['an empty list', 'modx.user.contextTokens|a:0:{}'],
    ['a token that is not a list', 'modx.user.contextTokens|i:5;'],
    ['user 0 and below', 'modx.user.contextTokens|a:2:{s:3:"web";i:0;s:3:"mgr";i:-1;}'],
    ['damage behind the tokens', 'modx.user.contextTokens|a:1:{s:3:"mgr";i:1;}x|i:'],
  ];

  test.each(noUser)('finds no user in %s', (_name, data) => {
    expect(sessionUsers(data)).toEqual(new Map());
  });

  test('a context without own login falls back to the manager', () => {
    const users = sessionUsers('modx.user.contextTokens|a:2:{s:3:"web";s:1:"2";s:3:"mgr";i:1;}');
    expect(['web', 'mgr', 'docs'].map((context) => sessionUser(users, context))).toEqual([2, 1, 1]);
    expect(sessionUser(new Map([['web', 2]]), 'docs')).toBeUndefined();
  });
});

describeWithFixtureFiles('data written by a running CMS', () => {
  test('the session samples give the expected users', async () => {
    const { sessions } = (await readFixtureJson('session-samples.json')) as {
      sessions: { id: string; data: string; context_tokens: Record<string, number> }[];
    };
    expect(sessions.map(({ id, data }) => ({ id, users: Object.fromEntries(sessionUsers(data)) }))).toEqual(
      sessions.map(({ id, context_tokens }) => ({ id, users: context_tokens })),
    );
  });

  test('every serialized column of the dump can be read and is written back byte for byte', async () => {
    const dump = await readDump();
    const columns: [table: string, column: string][] = [
      ['modx_media_sources', 'properties'],
      ['modx_site_tmplvars', 'input_properties'],
      ['modx_site_tmplvars', 'output_properties'],
      ['modx_site_snippets', 'properties'],
      ['modx_site_htmlsnippets', 'properties'],
      ['modx_content_type', 'headers'],
    ];
    const texts = columns.flatMap(([table, column]) => dumpRows(dump, table).map((row) => row[column] ?? ''));
    const filled = texts.filter((text) => text !== '');
    expect(filled.length).toBeGreaterThan(50);
    expect(filled.map((text) => rewritten(parsePhpValue(text)))).toEqual(filled);
  });
});

/** The text again, from the value with its order of keys. */
function rewritten(value: PhpValue | undefined): string | undefined {
  if (!(value instanceof Map)) return serializePhpValue((value ?? null) as PhpWritable);
  const entries = [...value].map(([key, entry]) => serializePhpValue(key) + rewritten(entry));
  return `a:${value.size}:{${entries.join('')}}`;
}
