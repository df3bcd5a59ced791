/** The rules of template variables, and the patterns of their developers in linear time. */
import { describe, expect, it } from 'vitest';
import { linearPattern } from '../../../src/content/rules/linear-pattern.js';
import { serializePhpValue } from '../../../src/content/rules/php-value.js';
import { tvAccepts, tvProblem, tvRulesText } from '../../../src/content/rules/tv-rules.js';

type Properties = Readonly<Record<string, string | number | boolean>>;

const factsOf = (type: string, properties: Properties = {}, elements: string | null = null) => ({
  ...{ type, elements, inputProperties: serializePhpValue(properties) },
});

describe('a value of a template variable', () => {
  const price = factsOf('number', { minValue: '0', maxValue: 100, allowDecimals: 'true', decimalPrecision: '2' });
  const color = factsOf('option', {}, 'Red==red||Blue==blue');
  const code = factsOf('text', { regex: '^[A-Z]{2}\\d+$', regexText: 'Two letters and digits, please' });
  it.each([
    ['a number', price, '9.99', null],
    ['no number', price, 'abc', '"abc" is not accepted: must be a number from 0 to 100 with at most 2 decimals'],
    ['a number below', price, '-1', expect.stringContaining('from 0 to 100')],
    ['a number above', price, '100.5', expect.stringContaining('from 0 to 100')],
    ['too many decimals', price, '1.234', expect.stringContaining('2 decimals')],
    ['nothing where it may be', price, '', null],
    [
      'a fraction where there are none',
      factsOf('number', { allowDecimals: false }),
      '1.5',
      '"1.5" is not accepted: must be a whole number',
    ],
    [
      'a negative number where there are none',
      factsOf('number', { allowNegative: 'No' }),
      '-1',
      expect.stringContaining('of at least 0'),
    ],
    ['a choice', color, 'red', null],
    ['another choice', color, 'green', '"green" is not accepted: must be one of: red, blue'],
    ['choices', factsOf('checkbox', {}, 'a||b'), 'a||b', null],
    [
      'a wrong one among choices',
      factsOf('checkbox', {}, 'a||b'),
      'a||c',
      '"a||c" is not accepted: must be some of: a, b',
    ],
    ['choices that the CMS computes', factsOf('listbox', {}, '@SELECT a FROM b'), 'anything', null],
    ['nothing where it is required', factsOf('text', { allowBlank: 'false' }), ' ', 'must not be empty'],
    [
      'a long text',
      factsOf('text', { maxLength: '3' }),
      'four',
      '"four" is not accepted: must be a text of at most 3 characters',
    ],
    [
      'a short text',
      factsOf('textarea', { minLength: 2, maxLength: 3 }),
      'ü',
      '"ü" is not accepted: must be a text from 2 to 3 characters',
    ],
    ['a text that matches', code, 'AB1', null],
    ['a text that does not', code, 'ab1', '"ab1" is not accepted: Two letters and digits, please'],
    ['an address', factsOf('email'), 'a@b.example', null],
    ['no address', factsOf('email'), 'a@b@c', '"a@b@c" is not accepted: must be an e-mail address'],
    ['an id', factsOf('resourcelist'), '12', null],
    ['no id', factsOf('resourcelist'), 'twelve', '"twelve" is not accepted: must be the id of a resource'],
    ['no JSON', factsOf('migx'), '[{', '"[{" is not accepted: must be JSON'],
    ['a binding, which another right guards', price, '@INHERIT', null],
    ['properties that cannot be read', { ...price, inputProperties: 'a:1:{' }, '5', null],
    ['a type of an extra', factsOf('superboxselect'), 'x', null],
    ['a pattern that cannot be checked', factsOf('text', { regex: '(?=a)b' }), 'c', null],
  ])('%s', (_name, facts, text, problem) => {
    expect(tvProblem(text, facts)).toEqual(problem);
  });

  it('is described for programs and for people', () => {
    expect(tvAccepts(price)).toEqual({ required: false, minimum: 0, maximum: 100, multipleOf: 0.01 });
    expect(tvAccepts(color)).toEqual({ required: false, enum: ['red', 'blue'] });
    expect(tvAccepts(code)).toEqual({ required: false, pattern: '^[A-Z]{2}\\d+$' });
    expect([price, color, factsOf('text', { allowBlank: '0', maxLength: 9 })].map(tvRulesText)).toEqual([
      ...['A number from 0 to 100 with at most 2 decimals', null, 'A text of at most 9 characters, never empty'],
    ]);
  });
});

describe('a pattern in linear time', () => {
  const texts = [
    '',
    'a',
    'aa',
    'aaa',
    'ab',
    'abab',
    'b',
    'Ab1',
    'x-1',
    'a\nb',
    '1.5',
    'ÄÖ',
    'a]b',
    '(a)',
    'a{2}',
    '2026-11-28',
  ];
  it.each([
    ...[
      'a',
      '^a$',
      '^a*$',
      '^a+b?$',
      '^(ab)+$',
      '^(?:a|b)*$',
      '^a{2}$',
      '^a{2,}$',
      '^a{1,2}$',
      '^$',
      '',
      '.',
      '^.$',
      'a.b',
      '\\d+',
    ],
    ...[
      '[a-c]+$',
      '[^a-z]',
      '\\(a\\)',
      '^[\\w-]+$',
      '^\\d{4}-\\d{2}-\\d{2}$',
      '[\\]]',
      '^(a|ab)(b|abab)?$',
      '\\s',
      '^\\p{Lu}+$',
    ],
    ...['a*?b', '^(a?){3}$', '^(a*)*$', 'x|', '\\u0041', '\\.5$', '^[^\\]]+$'],
  ])('%s matches what the engine matches', (pattern) => {
    const engine = new RegExp(pattern, /p\{/.test(pattern) ? 'u' : '');
    const matches = linearPattern(pattern);
    expect(texts.filter((text) => matches?.(text))).toEqual(texts.filter((text) => engine.test(text)));
  });

  it('gives up before a long text costs much', () => {
    expect([999, 100_000].map((length) => linearPattern('^(a?){990}$')?.('a'.repeat(length)))).toEqual([false, false]);
    expect(linearPattern('^([a-z]+)*!$')?.(`${'a'.repeat(50_000)}!`)).toBe(true);
  });

  it('has delimiters and the flag i where they are written', () => {
    expect(['ab', 'AB', 'c'].map((text) => linearPattern('/^ab$/i')?.(text))).toEqual([true, true, false]);
  });

  it.each([
    '(a',
    'a)',
    '*a',
    '(?=a)',
    '(?<!a)',
    '(?<n>a)',
    '(a)\\1',
    '\\ba',
    '[a',
    '(a{999}){999}',
    '(?:(?:(?:){9999}){9999}){9999}',
    'a**',
    '[z-a]',
  ])('does not read %s', (pattern) => {
    expect(linearPattern(pattern)).toBeNull();
  });
});
