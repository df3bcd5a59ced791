/** Comments and documents cite what a reader of the repository can open, by a heading that is there. */
import { expect, test } from 'vitest';
import { brokenCitations, foreignCitations, readCitingTexts, readComments } from './citations.js';

const texts = readCitingTexts();

test('citations lead to documents and headings that are there', () => {
  expect(texts.flatMap((text) => brokenCitations(text).map((citation) => `${text.path}: ${citation}`))).toEqual([]);
});

test('citations name no document outside the repository', () => {
  expect(texts.flatMap((text) => foreignCitations(text).map((citation) => `${text.path}: ${citation}`))).toEqual([]);
});

test('comments cite headings of the reference', () => {
  expect(
    texts.filter(({ path, text }) => path.startsWith('src/') && text.includes('docs/reference/')).length,
  ).toBeGreaterThan(50);
});

test('a citation is found in every form of comment', () => {
  const slashes = '//';
  const source = [
    '/** One line (docs/none.md). */',
    '/**',
    ' * Two lines, of a rule',
    ' * (docs/none.md#of-two).',
    ' */',
    `const text = 'docs/no-comment.md'; ${slashes} docs/none.md#behind`,
    '  // First line,',
    '  // docs/keys.md#no-such-heading',
  ].join('\n');
  expect(brokenCitations({ path: 'src/example.ts', text: readComments(source) })).toEqual([
    'docs/none.md',
    'docs/none.md#of-two',
    'docs/none.md#behind',
    'docs/keys.md#no-such-heading',
  ]);
});

test.each([
  ['a name alone', 'the rule (elsewhere.md)', ['elsewhere.md']],
  ['a name over the end of a line', 'the rule (contract\n * 3.6)', ['contract 3.6']],
  ['a numbered section', 'as docs/keys.md 2.1 says', ['keys.md 2.1']],
  ['a collection of facts', 'the rule (other-facts 4.2)', ['other-facts 4.2']],
  ['a standard', 'the rule (RFC 6749 5.2)', []],
  ['a heading', 'the rule (docs/keys.md#after-a-leak)', []],
])('%s is refused where a reader cannot open it', (_case, words, expected) => {
  expect(foreignCitations({ path: 'src/example.ts', text: readComments(`/**\n * ${words}\n */`) })).toEqual(expected);
});
