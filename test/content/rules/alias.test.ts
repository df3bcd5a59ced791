/** Alias cleaning against results of the running CMS, and the parts that those vectors do not reach. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanAlias, loadTransliteration, readAliasOptions } from '../../../src/content/rules/alias.js';
import type { ContentSettings } from '../../../src/content/rules/settings.js';
import { describeWithFixtureFiles, readFixtureJson } from '../../support/fixture.js';
import { processorSeconds } from '../../support/processor-time.js';

interface Vector {
  readonly variant: string;
  readonly options: Record<string, unknown>;
  readonly input: string;
  readonly output: string;
}

interface VectorFile {
  readonly base_options: Record<string, unknown>;
  readonly vectors: readonly Vector[];
}

/** What the CMS's installer stores as pattern. */
const installerPattern = '/[\\0\\x0B\\t\\n\\r\\f\\a&=+%#<>"~:`@\\?\\[\\]\\{\\}\\|\\^\'\\\\]/';

const installer: ContentSettings = new Map([
  ['use_multibyte', '1'],
  ['friendly_alias_restrict_chars_pattern', installerPattern],
]);

function clean(text: string, changes: Record<string, string> = {}): string {
  return cleanAlias(text, readAliasOptions(new Map([...installer, ...Object.entries(changes)])).options);
}

function asSettings(options: Record<string, unknown>): ContentSettings {
  const text = (value: unknown): string => (typeof value === 'boolean' ? (value ? '1' : '') : String(value));
  return new Map(Object.entries(options).map(([key, value]) => [key, text(value)]));
}

describeWithFixtureFiles('the vectors of the running CMS', () => {
  test('all 272 inputs give exactly the recorded alias', async () => {
    const file = (await readFixtureJson('alias-vectors.json')) as VectorFile;
    const computed = file.vectors.map((vector) => {
      const reading = readAliasOptions(asSettings({ ...file.base_options, ...vector.options }));
      expect(reading.problems).toEqual([]);
      return { ...vector, output: cleanAlias(vector.input, reading.options) };
    });
    expect(computed).toEqual(file.vectors);
    expect(computed).toHaveLength(272);
  });
});

describe('cleaning an alias', () => {
  const cases: readonly [name: string, input: string, output: string, changes?: Record<string, string>][] = [
    ['decodes hexadecimal references', '&#xe9;t&#XE9;', 'été'],
    ['removes decimal references, as the CMS does with element tags', 'a&#233;b', 'ab'],
    [
      'decodes decimal references when element tags are kept',
      'a&#233;b',
      'aéb',
      { friendly_alias_strip_element_tags: '0' },
    ],
    ['decodes HTML 4 names', 'caf&eacute; &mdash; &Omega;', 'café-—-ω'],
    ['leaves HTML 5 names, so that their ampersand becomes a word', '&apos;x', 'and-apos;x'],
    ['leaves a reference to a surrogate', 'x&#xD800;y', 'x-and-xd800;y'],
    ['removes nested element tags', 'a [[!Snippet? &x=`[[*id]]`]] b', 'a-b'],
    ['removes left-over double brackets', 'a ]] b [[ c', 'a-b-c'],
    [
      'keeps the text of element tags when told so',
      'a [[*id]] b',
      'a-*id-b',
      { friendly_alias_strip_element_tags: '0' },
    ],
    ['keeps a bare less-than sign for the restriction to remove', 'a < b', 'a-b'],
    ['drops everything behind an unfinished tag', 'price <b 10', 'price'],
    ['drops comments with tags in them', 'a<!-- <b>x</b> -->c', 'ac'],
    ['does not end a tag inside a quoted attribute', 'a<i title="x>y">b</i>c', 'abc'],
    ['drops processing instructions', 'a<?php if ($x > (1)) { echo 2; } ?>b', 'ab'],
    ['treats a no-break space as white space', 'a\u00a0b\u3000c', 'a-b-c'],
    ['keeps a zero-width no-break space, which is no white space to PCRE', 'a\ufeffb', 'a\ufeffb'],
    [
      'counts a bar as delimiter when the pattern leaves it',
      'a||b',
      'a-b',
      { friendly_alias_restrict_chars_pattern: '/[x]/' },
    ],
    ['uses a delimiter of several characters', 'a b', 'a__b', { friendly_alias_word_delimiter: '__' }],
    ['inserts a delimiter with a dollar sign as it is', 'a b', 'a$&b', { friendly_alias_word_delimiter: '$&' }],
    ['trims ranges', 'abcXcba', 'x', { friendly_alias_trim_chars: 'a..c' }],
    ['has no restriction with an empty pattern', 'a?b', 'a?b', { friendly_alias_restrict_chars_pattern: '' }],
    ['counts bytes without multibyte support', 'äääää', 'ää', { use_multibyte: '0', friendly_alias_max_length: '5' }],
    ['does not halve a character at the cut', 'abäää-cdefgh', 'abä', { friendly_alias_max_length: '5' }],
    ['trims again after the cut', 'abcd-efgh', 'abcd', { friendly_alias_max_length: '5' }],
    ['reads a limit with trailing text as PHP does', 'abcdef', 'abc', { friendly_alias_max_length: '3px' }],
    ['transliterates to ASCII', 'Größe Øre €', 'grosse-ore-eur', { friendly_alias_translit: 'iconv_ascii' }],
    ['drops what has no ASCII form', 'Привет x', 'x', { friendly_alias_translit: 'iconv_ascii' }],
  ];

  test.each(cases)('%s', (_name, input, output, changes) => {
    expect(clean(input, changes)).toBe(output);
  });

  const inAscii: readonly [input: string, output: string][] = [
    ['Über Größe – Café Ångström', 'uber-grosse-cafe-angstrom'],
    ['Łódź, “Øre” & Þórsmörk’s', 'lodz,-ore-and-thorsmorks'],
    ['Eider −10', 'eider-10'],
    ['Привет, мир: Щука', 'privet,-mir-shchuka'],
    ['Θεσσαλονίκη', 'thessaloniki'],
    ['½ price', '1-2-price'],
    ['cafe\u0301', 'cafe'],
    ['a/b', 'a/b'],
    ['北京', 'beijing'],
    ['\u0301\u200b', ''],
  ];

  test.each(inAscii)('in ASCII: %s', async (input, output) => {
    await loadTransliteration();
    expect(clean(input, { friendly_alias_translit: 'ascii' })).toBe(output);
  });

  test('in ASCII leaves nothing else, whatever the text', async () => {
    await loadTransliteration();
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const alias = clean(text, { friendly_alias_translit: 'ascii' });
        expect(alias).not.toMatch(/[^\p{ASCII}]/u);
        fc.pre(!/[&;[\]<>]/.test(text));
        expect(clean(alias, { friendly_alias_translit: 'ascii' })).toBe(alias);
      }),
      { numRuns: 300 },
    );
  });

  test('is stable: cleaning a clean alias changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const alias = clean(text);
        // An entity can hide behind an entity (&amp;amp;): only the second pass sees it.
        fc.pre(!/[&;]/.test(text));
        expect(clean(alias)).toBe(alias);
      }),
    );
  });

  test('makes the same of a plain text whether or not it needed a look at its parts', () => {
    const plain = fc.array(fc.constantFrom('ab', '0', 'x9', '-', 'foo'), { minLength: 1, maxLength: 8 });
    const changes = fc.record({
      friendly_alias_word_delimiter: fc.constantFrom('-', '_', ''),
      friendly_alias_word_delimiters: fc.constantFrom('-_', '-', 'x', ''),
      friendly_alias_trim_chars: fc.constantFrom('/.-_', 'a..c', '0', ''),
      friendly_alias_max_length: fc.constantFrom('0', '5'),
      friendly_alias_restrict_chars: fc.constantFrom('pattern', 'alpha'),
      friendly_alias_restrict_chars_pattern: fc.constantFrom(installerPattern, '/[fo]/', '/[0-9]/'),
    });
    fc.assert(
      fc.property(plain, changes, (parts, set) => {
        const text = parts.join('');
        expect(clean(text, set)).toBe(clean(`<i></i>${text}`, set));
      }),
      { numRuns: 300 },
    );
  });

  test('takes time in proportion to the text', () => {
    const parts = ['<', '[[', '&', '&#', '-', ' ', '"', '<!--', '[[[', '&amp'];
    const seconds = parts.map((part) => processorSeconds(() => void clean(part.repeat(200_000))));
    expect(Math.max(...seconds)).toBeLessThan(5);
  });
});

describe('the restriction pattern of a setting', () => {
  const pattern = (text: string) => ({ friendly_alias_restrict_chars_pattern: text });
  const usable: readonly [name: string, pattern: string, input: string, output: string][] = [
    ['a negated class without u works on bytes', '/[^a-z0-9-]/', 'aäb9', 'ab9'],
    ['a class of high bytes removes every character outside ASCII', '/[\\x80-\\xff]+/', 'xäя€😀y', 'xy'],
    ['a class with u names characters', '/[äöü]/u', 'xäzé', 'xzé'],
    ['case is ignored with i, for ASCII letters only without u', '/[x-z]/i', 'aXyZÄ', 'aÄ'],
    ['case is ignored with iu for all letters', '/[ä]/iu', 'aÄä', 'a'],
    ['properties need u', '/[^\\p{L}\\p{Nd}-]/u', 'aя9!?', 'aя9'],
    ['case is ignored with i and no u for a range of ASCII letters in a class of bytes', '/[^x-zä]/i', 'aXzäÄ', 'Xzä'],
    ['a script is a property', '/[\\p{Cyrillic}]+/u', 'abявc', 'abc'],
    ['a negated property', '/[\\P{L}]/u', 'a1я', 'aя'],
    ['shorthand classes are ASCII without u', '/[\\W]/', 'aя!9', 'a9'],
    ['shorthand classes know letters with u', '/[^\\w-]/u', 'aя!9-b', 'aя9-b'],
    ['a hyphen behind a shorthand class is a plain character', '/[\\d-x]/', '1-wx', 'w'],
    ['other delimiters', '#[q/]#', 'aq/b', 'ab'],
    ['octal and hexadecimal escapes', '/[\\0\\012\\x41\\x{42}]/', 'ABC\n', 'C'],
    ['a repeated class', '/[0-9]+/', 'a12b', 'ab'],
  ];

  test.each(usable)('%s', (_name, text, input, output) => {
    const reading = readAliasOptions(new Map(Object.entries({ ...pattern(text), friendly_alias_lowercase_only: '0' })));
    expect({ alias: cleanAlias(input, reading.options), problems: reading.problems }).toEqual({
      alias: output,
      problems: [],
    });
  });

  const noClass = 'is not one class of plain characters such as /[^a-z0-9-]/, which is not supported';
  const unusable: readonly [name: string, pattern: string, problem: string][] = [
    ['nested quantifiers', '/(a+)+$/', noClass],
    ['two classes', '/[a]+[b]+/', noClass],
    ['an anchor', '/^[a]/', noClass],
    ['a back reference', '/a\\1/', noClass],
    ['alternatives', '/[a]|[b]/', noClass],
    ['a word', '/foo/', noClass],
    ['a property without a class', '/\\p{L}/u', noClass],
    ['a possessive quantifier', '/[a]++/', noClass],
    ['a class of POSIX', '/[[:punct:]]/', noClass],
    ['a class of POSIX beside a character', '/[[:punct:]x]/', noClass],
    ['a bracket that is first in a class', '/[]x]/', noClass],
    ['an empty class', '/[^]/', noClass],
    ['the modifier of evaluation', '/[a]/e', 'uses the modifier "e", which is not supported'],
    ['no delimiters', 'abc', 'has no delimiters'],
    ['nothing but a delimiter', '/', 'has no delimiters'],
    ['a missing end delimiter', '/[abc]', 'has no delimiters'],
    ['an escaped end delimiter', '/[abc]\\/', noClass],
    ['a delimiter that is not escaped', '/[a/b]/', 'has no delimiters'],
    ['brackets as delimiters', '{[q]}', 'has no delimiters'],
    ['a class without end', '/[abc/', noClass],
    ['a range out of order', '/[z-a]/', 'names a range or property that does not exist'],
    ['an unknown script', '/[\\p{Nonsense}]/u', 'names a range or property that does not exist'],
    ['a property without u', '/[\\p{L}]/', noClass],
    ['a code point beyond a byte without u', '/[\\x{2014}]/', noClass],
    ['an escape of a letter', '/[\\Q]/', noClass],
    ['a huge pattern', `/${'a'.repeat(1001)}/`, 'is longer than 1000 characters'],
  ];

  test.each(unusable)('%s: the pattern of a new installation is used, and it is reported', (_name, text, problem) => {
    const reading = readAliasOptions(new Map(Object.entries(pattern(text))));
    expect({ alias: cleanAlias('a: b?', reading.options), problems: reading.problems }).toEqual({
      alias: 'a-b',
      problems: [`friendly_alias_restrict_chars_pattern ${problem}; the pattern of a new installation is used instead`],
    });
  });

  test('no pattern text throws, and every accepted one runs in proportion to the text', () => {
    const piece = fc.constantFrom(
      'a',
      '+',
      '*',
      '[',
      ']',
      '\\',
      'd',
      'p{L}',
      '|',
      '.',
      '?',
      '{2,3}',
      '^',
      '-',
      'ä',
      '(',
      ')',
    );
    const text = fc.tuple(fc.array(piece, { maxLength: 12 }), fc.constantFrom('', 'u', 'i', 'iu', 's'));
    fc.assert(
      fc.property(text, ([pieces, flags]) => {
        const { options } = readAliasOptions(new Map(Object.entries(pattern(`/${pieces.join('')}/${flags}`))));
        expect(typeof cleanAlias('a-d äb'.repeat(2000), options)).toBe('string');
      }),
      { numRuns: 500 },
    );
  });

  test('a table of an extra leaves the text as it is and is reported', () => {
    const reading = readAliasOptions(new Map([['friendly_alias_translit', 'russian']]));
    expect(reading.problems).toEqual([
      'friendly_alias_translit names the table "russian" of an extra; texts are left as they are',
    ]);
  });
});
