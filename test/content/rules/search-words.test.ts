/** How texts become words, and the part of a text that a hit shows. */
import { describe, expect, it } from 'vitest';
import { excerptOf } from '../../../src/content/rules/search-excerpt.js';
import { plainText, type SearchTerms, searchTerms, wordsOf } from '../../../src/content/rules/search-words.js';

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
    ['Donau\u00addampf\u200bschiff\u2060\ufeff \u200cمی\u200cخواهم', ['donaudampfschiff', 'میخواهم'.normalize('NFKD')]],
    ['\u00ad', []],
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

describe('the words of HTML', () => {
  it.each([
    ['Donau<wbr>dampf<wbr/>schiff', ['donaudampfschiff']],
    ['Donau&shy;dampf&#8203;schi&zwnj;ff', ['donaudampfschiff']],
    ['H<sub>2</sub>O <b>In</b>line <a href="x">l</a>ink', ['h2o', 'inline', 'link']],
    ['<LI>one</LI><LI class="a">two</LI>', ['one', 'two']],
    ['one<br>two<br/>three<hr>four', ['one', 'two', 'three', 'four']],
    ['<tr><td>one</td><td>two</td></tr><p>three</p>', ['one', 'two', 'three']],
    ['<option>one<option>two', ['one', 'two']],
    ['<pre>one</pre><param>two<x-p>three', ['one', 'twothree']],
    ['one<!-- a -->two<script>b</script>three', ['onetwothree']],
  ])('of %s', (html, words) => {
    expect(wordsOf(plainText(html))).toEqual(words);
  });
});

describe('an excerpt', () => {
  it.each([
    [
      'marks a word with soft hyphens',
      'Die Donau&shy;dampf<b>schi</b>ff!',
      'donaudampfschiff',
      'Die <mark>Donau\u00addampfschiff</mark>!',
    ],
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
