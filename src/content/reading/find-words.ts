/**
 * Finds the hits of words by two looks: at the index of words, for ids with the class of each, and at the resources, for what
 * the caller may see of them. Where more resources have the words than are looked at, the hits are the first ones by id and
 * those whose title has every word, so that no search sorts all of them.
 */
import { compileFirstHits, compileHits } from '../query/compile-words.js';
import type { ListPlan } from '../query/plan.js';
import { all, type Predicate } from '../query/predicate.js';
import type { SqlStatement } from '../query/sql-statement.js';
import type { SearchPlace, SearchTerms } from '../rules/search-words.js';
import { type ContentReader, selectRows } from './select-rows.js';

/** Hits of one kind that are looked at: in any text, in the title, the title itself. */
const mostHits = 1000;
/** Rows of the index that MariaDB looks at first: words that many of them have are not asked of its full-text index, which reads every hit. */
const firstRows = 300;
const many = 15;
/** As many hits as a page can show; fewer are not taken for the best of more. */
const enough = 100;

interface Hits {
  /** Class by id; 0 is the best one. */
  readonly classes: ReadonlyMap<number, number>;
  /** No other resource has the words. */
  readonly areAll: boolean;
}

/** Hits of a plan that it may show, in the order of its answer. */
export interface BestHits extends Pick<Hits, 'areAll'> {
  readonly ids: readonly number[];
}

/** Null where the hits that are looked at give no page of what the plan asks for: then a statement has to see all of them. */
export async function bestHits(
  reader: ContentReader,
  plan: ListPlan & { readonly words: SearchTerms },
): Promise<BestHits | null> {
  const { classes, areAll } = await findHits(reader, plan.words);
  if (classes.size === 0) return { ids: [], areAll };
  const key = plan.definition.primaryKey;
  const rows = await selectRows(reader, plan.definition, {
    needed: [key],
    where: atHits(plan.where, [...classes.keys()]),
    heavy: 'search',
  });
  if (!areAll && rows.length < enough && reader.words === null) return null;
  const place = (id: number) => classes.get(id) ?? 0;
  const ids = rows.map((row) => Number(row.raw(key))).sort((a, b) => place(a) - place(b) || a - b);
  return { ids, areAll };
}

/** The condition of a plan as the database of the resources can decide it: where the index of words is in another one, hits are named. */
export async function whereOf(reader: ContentReader, { words, where }: ListPlan): Promise<Predicate> {
  if (words === null || reader.words === null) return where;
  return atHits(where, [...(await findHits(reader, words)).classes.keys()]);
}

async function findHits({ db, words: apart }: ContentReader, terms: SearchTerms): Promise<Hits> {
  const index = apart ?? db;
  const look = async (statement: SqlStatement) =>
    (await index.select(statement)).map(([id, place]): readonly [number, number] => [Number(id), Number(place)]);
  const hits = (place: SearchPlace, limit = mostHits) =>
    look(compileHits(terms, { place, dialect: index.dialect, limit }));
  const first = index.dialect === 'mariadb' ? await look(compileFirstHits(terms, { rows: firstRows })) : [];
  const some = first.length < many ? await hits('text', mostHits + 1) : first;
  if (some !== first && some.length <= mostHits) return { classes: new Map(some), areAll: true };
  // Titles that many of the first rows have are among those.
  const titles = first.filter(([, place]) => place <= hasAllWords).length < many ? await hits('title') : [];
  return { classes: new Map([...some, ...titles, ...(await hits('wholeTitle'))]), areAll: false };
}

/** The class of titles with every word, and of better ones, is at most this. */
const hasAllWords = 2;

function atHits(where: Predicate, ids: readonly number[]): Predicate {
  const parts = where.kind === 'all' ? where.of : [where];
  return all(parts.map((part) => (part.kind === 'words' ? oneOf(part, ids) : part)));
}

function oneOf({ ref }: Extract<Predicate, { kind: 'words' }>, values: readonly number[]): Predicate {
  return values.length === 0 ? { kind: 'nothing' } : { kind: 'in', ref, values, negated: false };
}
