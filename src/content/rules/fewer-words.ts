/** Repeats a search with fewer words when no record has all of them. */
import { type SearchTerms, titleText, wordsOf, writtenWord } from './search-words.js';

/** Covers every choice of four words. */
const mostSearches = 14;

interface FewerWords {
  readonly terms: SearchTerms;
  readonly leftOut: readonly string[];
}

/** Leaves out one word, the last first, then two and so on; a word that is not the last stays whole. */
export function* fewerWords(terms: SearchTerms): Generator<FewerWords> {
  const { words } = terms;
  let made = 0;
  for (let count = 1; count < words.length; count += 1) {
    for (const places of choices(words.length, count)) {
      if (made === mostSearches) return;
      made += 1;
      yield without(terms, new Set(places.map((place) => words[place] ?? '')));
    }
  }
}

function* choices(end: number, count: number): Generator<readonly number[]> {
  if (count === 0) yield [];
  else
    for (let last = end - 1; last >= 0; last -= 1) for (const rest of choices(last, count - 1)) yield [...rest, last];
}

function without({ words, title }: SearchTerms, out: ReadonlySet<string>): FewerWords {
  const isLeft = (word: string) => !out.has(word);
  const terms = { words: words.filter(isLeft), title: titleText(title.trim().split(' ').filter(isLeft)) };
  const isLastOut = out.has(words.at(-1) ?? '');
  return { terms: isLastOut ? { ...terms, isLastWhole: true } : terms, leftOut: words.filter((word) => out.has(word)) };
}

export function asWritten(words: readonly string[], text: string): readonly string[] {
  const written = new Map<string, string>();
  for (const [found] of text.matchAll(writtenWord)) {
    for (const word of wordsOf(found)) if (!written.has(word)) written.set(word, found);
  }
  return words.map((word) => written.get(word) ?? word);
}
