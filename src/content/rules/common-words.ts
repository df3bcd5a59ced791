/** Common words are tested row by row, because the full-text index would read all their rows. */
import { indexText, type MarkedWord } from './search-words.js';

export type WordSample = readonly { readonly words: ReadonlySet<string>; readonly text: string }[];

export interface ChosenWords {
  /** Words for the full-text index; `tested` words are compared in each row. */
  readonly asked: readonly MarkedWord[];
  readonly tested: readonly MarkedWord[];
  readonly isSlow: boolean;
}

/** A more common word is cheaper to find by reading rows one by one. */
const commonShare = 0.03;
/** If fewer rows have the tested words, finding hits takes many reads. */
const largeShare = 0.2;
const sampledLetters = 4000;

export function wordSample(rows: readonly { readonly words: string; readonly title: string }[]): WordSample {
  return rows.map((row) => {
    const text = ` ${row.words.slice(0, sampledLetters)} ${indexText([], row.title.trim().split(' '))} `;
    return { text, words: new Set(text.split(' ')) };
  });
}

/** A small index has no sample and gets every word; `isInStep` means that one rare whole word makes it fast. */
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

function shareOf(sample: WordSample, words: readonly MarkedWord[]): number {
  const has = ({ words: ofRow, text }: WordSample[number]) =>
    words.every(({ word, isBeginning }) => (isBeginning ? text.includes(` ${word}`) : ofRow.has(word)));
  return sample.filter(has).length / Math.max(sample.length, 1);
}
