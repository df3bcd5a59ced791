/** How texts become words, and the part of a text that a hit shows. */
import { describe, expect, it } from 'vitest';
import { excerptOf } from '../../../src/content/rules/search-excerpt.js';
import { type SearchTerms, searchTerms, wordsOf } from '../../../src/content/rules/search-words.js';

function termsOf(text: string): SearchTerms {
  const terms = searchTerms(text);
  if (terms === null) throw new Error(`no word in "${text}"`);
  return terms;
}

describe('the words of a text', () => {
  it.each([
    ['Crème Brûlée', ['creme', 'brulee']],
    ['ﬁ ½ ² Straße', ['fi', '1', '2', '2', 'strasse']],
    ['東京 ガ', ['東', '京', 'カ']],
    ['한국어', ['한국어'.normalize('NFKD')]],
    ['e\u0301\u0323t', ['et']],
  ])('of %s', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it.each([
    'plain Words, 2 of them_and one of 4.5',
    `${'Long'.repeat(30)} <p>x</p>\ttab\nline\u00a0space\u2028`,
    '  ~!@#$%^&*()-=+[]{}|;\':"/?\\  ',
    '',
  ])('without accents are the same beside a word with one: %s', (text) => {
    expect([...wordsOf(text), 'e']).toEqual(wordsOf(`${text} é`));
  });

  it('are found in one pass where accents are very many', () => {
    expect(wordsOf(`a${'\u0301\u0323'.repeat(500_000)}b`)).toEqual(['ab']);
  });
});

describe('an excerpt', () => {
  it.each([
    ['marks signs that follow each other as one', '夏の東京は暑い', '東京', '夏の<mark>東京</mark>は暑い'],
    ['marks words with accents', 'A cre\u0300me, please', 'creme', 'A <mark>cre\u0300me</mark>, please'],
    ['escapes what it shows', 'a & b "c" storm', 'storm', 'a &amp; b &quot;c&quot; <mark>storm</mark>'],
    ['begins with the text where no word is in it', 'Tents', 'storm', 'Tents'],
  ])('%s', (_name, text, words, expected) => {
    expect(excerptOf([text], termsOf(words))).toBe(expected);
  });

  it('shows the first word after a long text without spaces', () => {
    const text = `${'a-'.repeat(200)}storm tent`;
    expect(excerptOf([text], termsOf('storm'))).toBe(`… ${'a-'.repeat(30)}<mark>storm</mark> tent`);
  });

  it('shows words in a text without spaces, and no half letters', () => {
    for (const before of ['', 'x']) {
      const text = `${before}${'東'.repeat(100)}夏${'🎪'.repeat(300)}`;
      const excerpt = excerptOf([text], termsOf('夏'));
      expect(excerpt).toContain('<mark>夏</mark>');
      expect(excerpt).not.toMatch(/\p{Surrogate}/u);
      expect(excerpt.length).toBeLessThan(230);
    }
  });

  it('ends a mark where it ends itself', () => {
    const excerpt = excerptOf(['東京'.repeat(300)], termsOf('東京'));
    expect(excerpt).toBe(`<mark>${'東京'.repeat(100)}</mark> …`);
  });
});
