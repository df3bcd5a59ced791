/** Decides which words a list is searched for: all, else the most of them that find something. */
import type { Paging } from '../query/ast.js';
import { isCursorOf, type Sign } from '../query/cursor.js';
import type { ListPlan } from '../query/plan.js';
import { all, conditionsIn } from '../query/predicate.js';
import { type SearchTerms, titleText, wordsOf, writtenWord } from '../rules/search-words.js';
import { inTime } from './counts.js';

interface Found {
  readonly total: number;
  readonly isTotalLeast: boolean;
}

export interface Searched<P> {
  readonly plan: ListPlan;
  readonly leftOut: readonly string[] | null;
  readonly page: P;
}

/** `read` reads the page for a plan. If a search for fewer words is not done in time, none are left out. */
export async function searchMostWords<P extends Found>(
  { plan, paging, sign }: { readonly plan: ListPlan; readonly paging: Paging; readonly sign: Sign },
  read: (plan: ListPlan) => Promise<P>,
): Promise<Searched<P>> {
  // A cursor leaves out the words that its page did.
  if (paging.kind === 'cursor') {
    for (const fewer of withFewerWords(plan)) {
      if (isCursorOf(fewer.plan, paging.cursor, sign)) return { ...fewer, page: await read(fewer.plan) };
    }
  }
  const asked = { plan, leftOut: null, page: await read(plan) };
  if (paging.kind === 'cursor' || asked.page.total > 0 || asked.page.isTotalLeast) return asked;
  for (const fewer of withFewerWords(plan)) {
    const page = await inTime(read(fewer.plan));
    if (page === null) break;
    if (page.total > 0) return { ...fewer, page };
  }
  return asked;
}

function* withFewerWords(plan: ListPlan): Generator<Pick<Searched<unknown>, 'plan' | 'leftOut'>> {
  if (plan.words === null) return;
  for (const { terms, leftOut } of fewerWords(plan.words)) {
    yield { plan: searchedFor(plan, terms), leftOut: asWritten(leftOut, plan.writtenWords ?? '') };
  }
}

function searchedFor(plan: ListPlan, words: SearchTerms): ListPlan {
  const parts = conditionsIn(plan.where).map((part) => (part.kind === 'words' ? { ...part, terms: words } : part));
  return { ...plan, where: all(parts), words };
}

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
