/** Which words of a search the full-text index is asked for, by a sample of its rows. */
import { describe, expect, it } from 'vitest';
import {
  chooseWords,
  type MarkedWord,
  markedWords,
  searchTerms,
  wordSample,
} from '../../../src/content/rules/search-words.js';

/** 100 rows: all have `page`, a tenth `river` and another tenth `stone`, one `rare`; titles have `river` alone. */
const sample = wordSample(
  Array.from({ length: 100 }, (_, at) => ({
    words: ['hcdpage', at % 10 === 0 ? 'hcdriver' : '', at % 10 === 1 ? 'hcdstone' : '', at === 7 ? 'hcdrare' : '']
      .filter((word) => word !== '')
      .join(' '),
    title: at % 10 === 0 ? ' river ' : ' other ',
  })),
);

function choose(text: string, isInStep: boolean, place: 'text' | 'title' | 'wholeTitle' = 'text') {
  const terms = searchTerms(text);
  if (terms === null) throw new Error('no words');
  const { asked, tested } = chooseWords(markedWords(terms, place), { sample, isInStep });
  const names = (words: readonly MarkedWord[]) =>
    words.map(({ word, isBeginning }) => `${word}${isBeginning ? '*' : ''}`);
  return { asked: names(asked), tested: names(tested) };
}

describe('the full-text index', () => {
  it('is asked for every word where it is small', () => {
    const words = markedWords({ words: ['page', 'river'], title: ' page river ' }, 'text');
    expect(chooseWords(words, { sample: null, isInStep: false })).toEqual({
      asked: words,
      tested: [],
      isSlow: false,
    });
  });

  it('is asked for rare words, in whatever order they are given', () => {
    for (const text of ['page rare river', 'rare page river']) {
      expect(choose(text, false)).toEqual({ asked: ['hcdrare'], tested: ['hcdpage', 'hcdriver*'] });
    }
    expect(choose('page rare', false)).toEqual({ asked: ['hcdrare*'], tested: ['hcdpage'] });
    expect(choose('unknown', false)).toEqual({ asked: ['hcdunknown*'], tested: [] });
  });

  it('is asked for nothing where many rows have all the words', () => {
    expect(choose('river', false)).toEqual({ asked: [], tested: ['hcdriver*'] });
    expect(choose('page river', false)).toEqual({ asked: [], tested: ['hcdpage', 'hcdriver*'] });
  });

  it('is asked for the rarest of common words that few rows have together', () => {
    expect(choose('page stone river', false)).toEqual({ asked: ['hcdstone'], tested: ['hcdpage', 'hcdriver*'] });
  });

  it('is asked for common whole words where it reads their rows in step, not for a common beginning', () => {
    expect(choose('page river', true)).toEqual({ asked: ['hcdpage'], tested: ['hcdriver*'] });
    expect(choose('page rare', true)).toEqual({ asked: ['hcdpage', 'hcdrare*'], tested: [] });
    expect(choose('pa', true)).toEqual({ asked: [], tested: ['hcdpa*'] });
  });

  it('leaves many rows to look at where few have the tested words', () => {
    const isSlow = (text: string) => {
      const terms = searchTerms(text);
      return terms !== null && chooseWords(markedWords(terms, 'text'), { sample, isInStep: false }).isSlow;
    };
    expect(['rare', 'page rare', 'river rare', 'stone river', 'page'].map(isSlow)).toEqual([
      ...[false, false, true, true, true],
    ]);
  });

  it('is judged by titles where titles are searched', () => {
    expect(choose('river', false, 'title')).toEqual({ asked: [], tested: ['tcdriver*'] });
    expect(choose('page', false, 'title')).toEqual({ asked: ['tcdpage*'], tested: [] });
    expect(choose('river', false, 'wholeTitle')).toEqual({ asked: [], tested: ['xcdriver'] });
  });
});
