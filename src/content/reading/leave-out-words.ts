/** Decides which words a list is searched for: all, else the most of them that find something. */
import type { Paging } from '../query/ast.js';
import { isCursorOf, type Sign } from '../query/cursor.js';
import type { ListPlan } from '../query/plan.js';
import { all } from '../query/predicate.js';
import { asWritten, fewerWords } from '../rules/fewer-words.js';
import type { SearchTerms } from '../rules/search-words.js';
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
  const parts = plan.where.kind === 'all' ? plan.where.of : [plan.where];
  const where = all(parts.map((part) => (part.kind === 'words' ? { ...part, terms: words } : part)));
  return { ...plan, where, words };
}
