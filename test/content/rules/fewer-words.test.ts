/** Which words a search leaves out, in which order, and what is searched then. */
import { expect, it } from 'vitest';
import { asWritten, fewerWords } from '../../../src/content/reading/leave-out-words.js';
import { excerptOf } from '../../../src/content/rules/search-excerpt.js';
import { markedWords, searchTerms, titlePatterns } from '../../../src/content/rules/search-words.js';

function fewerOf(text: string) {
  const terms = searchTerms(text);
  return terms === null ? [] : [...fewerWords(terms)];
}

const leftOut = (text: string) => fewerOf(text).map((fewer) => fewer.leftOut.join(' '));

it('leaves out single words from the last to the first, then pairs, down to one word', () => {
  expect(leftOut('a')).toEqual([]);
  expect(leftOut('a b')).toEqual(['b', 'a']);
  expect(leftOut('a b c')).toEqual(['c', 'b', 'a', 'b c', 'a c', 'a b']);
  expect(leftOut('a b c d')).toEqual([
    ...['d', 'c', 'b', 'a'],
    ...['c d', 'b d', 'a d', 'b c', 'a c', 'a b'],
    ...['b c d', 'a c d', 'a b d', 'a b c'],
  ]);
});

it('makes 14 searches at most, however many words there are', () => {
  const text = Array.from({ length: 100 }, (_, at) => `w${at}`).join(' ');
  expect(leftOut(text)).toEqual(Array.from({ length: 14 }, (_, at) => `w${99 - at}`));
});

it('leaves out a word wherever it stands', () => {
  const [first, second] = fewerOf('storm tent storm');
  expect(first).toEqual({ terms: { words: ['tent'], title: ' tent ', isLastWhole: true }, leftOut: ['storm'] });
  expect(second).toEqual({ terms: { words: ['storm'], title: ' storm storm ' }, leftOut: ['tent'] });
});

it('takes the word before a last one that is left out as a whole', () => {
  const [first] = fewerOf('quiet tent storm');
  if (first === undefined) throw new Error('no search for fewer words');
  expect(markedWords(first.terms, 'text')).toEqual([
    { word: 'hcdquiet', isBeginning: false },
    { word: 'hcdtent', isBeginning: false },
  ]);
  expect(titlePatterns(first.terms)).toEqual({ start: ' quiet tent %', each: ['% quiet %', '% tent %'] });
  expect(excerptOf(['Tents: a tent'], first.terms)).toBe('Tents: a <mark>tent</mark>');
});

it('names words as they are written', () => {
  expect(asWritten(['cafe', 'storm'], 'Café, STORM café')).toEqual(['Café', 'STORM']);
  expect(asWritten(['東', '1', '2'], '東京 ½')).toEqual(['東', '½', '½']);
  expect(asWritten(['tm'], '™')).toEqual(['tm']);
});
