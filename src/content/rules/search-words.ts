/** Turns texts into words, for the index and for searches alike, so that both databases find the same. */

import { asciiForms } from './alias.js';
import { decodeEntities, stripElementTags, stripHtmlTags } from './html-text.js';

/** Letters without a decomposition that people type without their sign. */
const special = /[ßæœøłđðþı]/g;

/** Scripts without spaces: each sign is a word. Letters beyond the basic plane are rare enough to join them. */
const unspaced = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]';
/** Soft hyphen and signs of no width; they do not end a word. */
const invisible = '\\u00ad\\u200b-\\u200d\\u2060\\ufeff';
const invisibleSigns = new RegExp(`[${invisible}]+`, 'g');
const word = new RegExp(`${unspaced}|(?:(?!${unspaced})[\\p{L}\\p{N}])+`, 'gu');
/** A word with its accents. */
export const writtenWord = new RegExp(`${unspaced}\\p{M}*|(?:(?!${unspaced})[\\p{L}\\p{N}\\p{M}${invisible}])+`, 'gu');
const beyond = /[\u{10000}-\u{10ffff}]/gu;

/** Text without these signs needs no rules for other letters. */
const notPlain = /[^ -~\s]/;

/** Longer words are cut: MariaDB does not index words of more than 84 letters. */
const longestWord = 60;

/** In order. Accents go first as well: normalizing very many on one letter takes very long. */
export function wordsOf(text: string): string[] {
  if (!notPlain.test(text)) {
    return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((found) => found.slice(0, longestWord));
  }
  const folded = text
    .replace(invisibleSigns, '')
    .replace(/\p{M}+/gu, '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(special, (letter) => asciiForms[letter] ?? letter);
  return (folded.match(word) ?? []).map((found) =>
    found.replace(beyond, (sign) => `u${(sign.codePointAt(0) ?? 0).toString(16)}`).slice(0, longestWord),
  );
}

export interface SearchTerms {
  /** In the order given, each once; the last may be the beginning of a word. Never empty. */
  readonly words: readonly string[];
  readonly title: string;
  readonly isLastWhole?: true;
}

export function searchTerms(text: string): SearchTerms | null {
  const words = wordsOf(text);
  const last = words.at(-1);
  if (last === undefined) return null;
  return { words: [...new Set(words.slice(0, -1).filter((one) => one !== last)), last], title: titleText(words) };
}

/** A space surrounds each word, so that LIKE finds whole ones. */
export function titleText(words: readonly string[]): string {
  return ` ${words.join(' ')} `;
}

/** Prefixes of words in the index. With them no word is too short for MariaDB, or a stopword. */
const marks = { text: 'hcd', title: 'tcd', wholeTitle: 'xcd' } as const;

export type SearchPlace = keyof typeof marks;

export function indexText(words: Iterable<string>, title: readonly string[]): string {
  const marked: string[] = [];
  for (const one of new Set(words)) marked.push(marks.text + one);
  for (const one of new Set(title)) marked.push(marks.title + one);
  if (title.length > 0) marked.push(marks.wholeTitle + joined(title));
  return marked.join(' ');
}

function joined(words: readonly string[]): string {
  return words.join('').slice(0, longestWord);
}

export interface MarkedWord {
  readonly word: string;
  /** Other words with this beginning count as well. */
  readonly isBeginning: boolean;
}

export function markedWords(terms: SearchTerms, place: SearchPlace): readonly MarkedWord[] {
  if (place === 'wholeTitle') {
    return [{ word: marks[place] + joined(terms.title.trim().split(' ')), isBeginning: false }];
  }
  const beginning = beginningOf(terms);
  return terms.words.map((one) => ({ word: marks[place] + one, isBeginning: one === beginning }));
}

export function beginningOf({ words, isLastWhole }: SearchTerms): string | null {
  return isLastWhole === true ? null : (words.at(-1) ?? null);
}

/** Requires all words. Words have no sign of the index's query language. */
export function matchText(words: readonly MarkedWord[], dialect: 'sqlite' | 'mariadb'): string {
  return words
    .map(({ word, isBeginning }) => {
      const end = isBeginning ? '*' : '';
      return dialect === 'sqlite' ? `"${word}"${end}` : `+${word}${end}`;
    })
    .join(' ');
}

export function wordPattern({ word, isBeginning }: MarkedWord): string {
  return `% ${word}${isBeginning ? '' : ' '}%`;
}

export function titlePatterns(terms: SearchTerms): { readonly start: string; readonly each: readonly string[] } {
  const beginning = beginningOf(terms);
  return {
    start: `${beginning === null ? terms.title : terms.title.slice(0, -1)}%`,
    each: terms.words.map((word) => wordPattern({ word, isBeginning: word === beginning })),
  };
}

export type WordSample = readonly { readonly words: ReadonlySet<string>; readonly text: string }[];

/** Common words are tested row by row, because the full-text index would read all their rows. */
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

/** Removes markup, scripts and tags of the CMS; single spaces remain. */
export function plainText(stored: string): string {
  if (!/[<&[]/.test(stored)) return singleSpaced(stored);
  const apart = withoutElement(withoutElement(stored, script), style).replace(partingTag, ' <');
  return singleSpaced(stripElementTags(decodeEntities(stripHtmlTags(apart))));
}

/** These tags end a word: `<li>one</li><li>two</li>`. Inline tags do not: `H<sub>2</sub>O`. */
const partingTag =
  /<(?=\/?(?:address|article|aside|blockquote|body|br|caption|center|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hgroup|hr|html|legend|li|main|menu|nav|ol|optgroup|option|p|pre|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|ul)[\s/>])/gi;

function singleSpaced(text: string): string {
  return text.replace(/\s{2,}|[^\S ]/g, ' ').trim();
}

const script = { opening: /<script/gi, closing: /<\/script[^>]{0,100}>?/gi };
const style = { opening: /<style/gi, closing: /<\/style[^>]{0,100}>?/gi };

/** An element without an end takes the rest. Reads each letter once. */
function withoutElement(html: string, { opening, closing }: typeof script): string {
  opening.lastIndex = 0;
  let kept = '';
  let at = 0;
  for (let start = opening.exec(html); start !== null; start = opening.exec(html)) {
    kept += html.slice(at, start.index);
    closing.lastIndex = start.index;
    if (closing.exec(html) === null) return kept;
    at = closing.lastIndex;
    opening.lastIndex = at;
  }
  return kept + html.slice(at);
}
