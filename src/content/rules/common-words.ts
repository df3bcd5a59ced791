/**
 * Which words of a search the full-text index is asked for, and which are tested in each row that is looked at. An index that
 * is asked for a word reads all of its rows, which takes long for a word of many.
 */
import { indexText, type MarkedWord } from './search-words.js';

/** Words of some rows from all over the index. */
export type WordSample = readonly { readonly words: ReadonlySet<string>; readonly text: string }[];

export interface ChosenWords {
  /** The full-text index is asked for these. */
  readonly asked: readonly MarkedWord[];
  readonly tested: readonly MarkedWord[];
  /** Many rows are looked at for each that has the tested words. */
  readonly isSlow: boolean;
}

/** A part of the rows that is cheaper looked at one by one until enough have the word. */
const commonShare = 0.03;
/** Where fewer of the rows that are looked at have the tested words, it takes many of them to find hits. */
const largeShare = 0.2;
/** Letters of a row that a sample has; those of titles come in addition. */
const sampledLetters = 4000;

export function wordSample(rows: readonly { readonly words: string; readonly title: string }[]): WordSample {
  return rows.map((row) => {
    const text = ` ${row.words.slice(0, sampledLetters)} ${indexText([], row.title.trim().split(' '))} `;
    return { text, words: new Set(text.split(' ')) };
  });
}

/**
 * Without a sample the index is small, and asked for every word. An index that reads the rows of whole words in step reads few
 * where one of them is rare; those of all words with one beginning it puts together first.
 */
export function chooseWords(
  words: readonly MarkedWord[],
  { sample, isInStep }: { readonly sample: WordSample | null; readonly isInStep: boolean },
): ChosenWords {
  if (sample === null) return { asked: words, tested: [], isSlow: false };
  const share = new Map(words.map((word) => [word, shareOf(sample, [word])]));
  const shareOfOne = (word: MarkedWord) => share.get(word) ?? 0;
  const common = words.filter((word) => (!isInStep || word.isBeginning) && shareOfOne(word) >= commonShare);
  const asking = (asked: readonly MarkedWord[]): ChosenWords => {
    const tested = words.filter((word) => !asked.includes(word));
    return { asked, tested, isSlow: tested.length > 0 && shareOf(sample, tested) < largeShare };
  };
  if (common.length < words.length) return asking(words.filter((word) => !common.includes(word)));
  if (shareOf(sample, words) >= commonShare) return { asked: [], tested: words, isSlow: true };
  const [rarest] = [...words].sort((one, other) => shareOfOne(one) - shareOfOne(other));
  return asking(rarest === undefined ? [] : [rarest]);
}

/** The part of the rows that have all the words. */
function shareOf(sample: WordSample, words: readonly MarkedWord[]): number {
  const has = ({ words: ofRow, text }: WordSample[number]) =>
    words.every(({ word, isBeginning }) => (isBeginning ? text.includes(` ${word}`) : ofRow.has(word)));
  return sample.filter(has).length / Math.max(sample.length, 1);
}
