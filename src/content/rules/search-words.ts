/**
 * How a text becomes words, for the search index and for what is searched alike, so that both databases find the same:
 * without case, accents and punctuation.
 */

import { decodeEntities } from './html-entities.js';
import { stripElementTags, stripHtmlTags } from './strip-tags.js';

/** Letters that no accent was taken from, but that people type without. */
const plainLetters: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ı', 'i'],
]);
const special = /[ßæœøłđðþı]/g;

/** Scripts without spaces between words: each sign is found by itself. Letters beyond the basic plane are rare enough to join them. */
const unspaced = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]';
/** Signs that show nothing: a soft hyphen, and those of no width. They are in words and do not part them. */
const invisible = '\\u00ad\\u200b-\\u200d\\u2060\\ufeff';
const invisibleSigns = new RegExp(`[${invisible}]+`, 'g');
const word = new RegExp(`${unspaced}|(?:(?!${unspaced})[\\p{L}\\p{N}])+`, 'gu');
/** A word as it is written, with its accents. */
export const writtenWord = new RegExp(`${unspaced}\\p{M}*|(?:(?!${unspaced})[\\p{L}\\p{N}\\p{M}${invisible}])+`, 'gu');
const beyond = /[\u{10000}-\u{10ffff}]/gu;

/** What no plain text of English has: without it, the rules of other letters change nothing. */
const notPlain = /[^ -~\s]/;

/** Longer words are cut: MariaDB leaves out those of more than 84 letters. */
const longestWord = 60;

/** The words of a text in their order. Accents go first as well: to sort very many on one letter takes very long. */
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
    .replace(special, (letter) => plainLetters.get(letter) ?? letter);
  return (folded.match(word) ?? []).map((found) =>
    found.replace(beyond, (sign) => `u${(sign.codePointAt(0) ?? 0).toString(16)}`).slice(0, longestWord),
  );
}

export interface SearchTerms {
  /** In the order given, each once; the last may be the beginning of a word. Never empty. */
  readonly words: readonly string[];
  /** All of them as they were given, as `titleText` writes a title. */
  readonly title: string;
  /** The last is whole like the others. */
  readonly isLastWhole?: true;
}

/** Null for a text without a word. */
export function searchTerms(text: string): SearchTerms | null {
  const words = wordsOf(text);
  const last = words.at(-1);
  if (last === undefined) return null;
  return { words: [...new Set(words.slice(0, -1).filter((one) => one !== last)), last], title: titleText(words) };
}

/** Words of a title with a space around each, so that LIKE finds whole ones. */
export function titleText(words: readonly string[]): string {
  return ` ${words.join(' ')} `;
}

/**
 * Before each word in the index, by where it is: in any text, in the title, or a whole title without spaces. No word is
 * too short for MariaDB then, and none is one that it leaves out.
 */
const marks = { text: 'hcd', title: 'tcd', wholeTitle: 'xcd' } as const;

export type SearchPlace = keyof typeof marks;

/** The text of the full-text index: each word once for each place. */
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
  /** Other words that begin so count as well. */
  readonly isBeginning: boolean;
}

/** The words that are looked for in a place. */
export function markedWords(terms: SearchTerms, place: SearchPlace): readonly MarkedWord[] {
  if (place === 'wholeTitle') {
    return [{ word: marks[place] + joined(terms.title.trim().split(' ')), isBeginning: false }];
  }
  const beginning = beginningOf(terms);
  return terms.words.map((one) => ({ word: marks[place] + one, isBeginning: one === beginning }));
}

/** The word that others may begin with; null where each is whole. */
export function beginningOf({ words, isLastWhole }: SearchTerms): string | null {
  return isLastWhole === true ? null : (words.at(-1) ?? null);
}

/** All of the words in the language of the full-text index. They hold nothing that it would read as a sign. */
export function matchText(words: readonly MarkedWord[], dialect: 'sqlite' | 'mariadb'): string {
  return words
    .map(({ word, isBeginning }) => {
      const end = isBeginning ? '*' : '';
      return dialect === 'sqlite' ? `"${word}"${end}` : `+${word}${end}`;
    })
    .join(' ');
}

/** Pattern of LIKE for an indexed text, with a space around it, that has the word. */
export function wordPattern({ word, isBeginning }: MarkedWord): string {
  return `% ${word}${isBeginning ? '' : ' '}%`;
}

/** Patterns of LIKE for a title that begins with the words, and for one that has each of them. */
export function titlePatterns(terms: SearchTerms): { readonly start: string; readonly each: readonly string[] } {
  const beginning = beginningOf(terms);
  return {
    start: `${beginning === null ? terms.title : terms.title.slice(0, -1)}%`,
    each: terms.words.map((word) => wordPattern({ word, isBeginning: word === beginning })),
  };
}

/** A text as its readers see it: without markup, scripts and tags of the content system, with single spaces. */
export function plainText(stored: string): string {
  if (!/[<&[]/.test(stored)) return singleSpaced(stored);
  const apart = withoutElement(withoutElement(stored, script), style).replace(partingTag, ' <');
  return singleSpaced(stripElementTags(decodeEntities(stripHtmlTags(apart))));
}

/** Tags of blocks, breaks, cells and choices end a word: `<li>one</li><li>two</li>`. Those within a line do not: `H<sub>2</sub>O`. */
const partingTag =
  /<(?=\/?(?:address|article|aside|blockquote|body|br|caption|center|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hgroup|hr|html|legend|li|main|menu|nav|ol|optgroup|option|p|pre|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|ul)[\s/>])/gi;

function singleSpaced(text: string): string {
  return text.replace(/\s{2,}|[^\S ]/g, ' ').trim();
}

const script = { opening: /<script/gi, closing: /<\/script[^>]{0,100}>?/gi };
const style = { opening: /<style/gi, closing: /<\/style[^>]{0,100}>?/gi };

/** Without such elements and what is in them; one that does not end takes the rest. Looks at each letter once. */
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
