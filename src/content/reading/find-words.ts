/** Finds hits in the index of words, then what the caller may see; bounded, so that no search sorts all hits. */
import type { Reader } from '../../store/base/database.js';
import { readSearchSample } from '../models/search-index.js';
import { compileCount } from '../query/compile.js';
import { compileClasses, compileHits } from '../query/compile-words.js';
import type { ListPlan } from '../query/plan.js';
import { all, conditionsIn, fieldRef, oneOf, type Predicate } from '../query/predicate.js';
import type { SqlStatement } from '../query/sql-statement.js';
import {
  type ChosenWords,
  chooseWords,
  markedWords,
  type SearchPlace,
  type SearchTerms,
  type WordSample,
  wordSample,
} from '../rules/search-words.js';
import { type CountedFrom, mostCandidates, remembered } from './counts.js';
import { type ContentReader, keyColumn, selectRows } from './select-rows.js';

/** `given` by the full-text index, `met` by reading rows one by one. */
const most = { given: 1000, met: 150 };
/** As many hits as a page can show. */
const enough = 100;
const fewRows = 500;
/** This class and better ones are titles with every word. */
const hasAllWords = 2;

interface Hits {
  readonly classes: ReadonlyMap<number, number>;
  readonly areAll: boolean;
}

interface BestHits extends Pick<Hits, 'areAll'> {
  readonly ids: readonly number[];
}

type SearchPlan = ListPlan & { readonly words: SearchTerms };

/** Null when the bounded hits do not fill a page: then a statement has to read all of them. */
export async function bestHits(reader: ContentReader, plan: SearchPlan): Promise<BestHits | null> {
  const found = await findHits(reader, plan.words);
  if (found.classes.size === 0) return { ids: [], areAll: found.areAll };
  const ids = await idsOf(reader, plan, { where: atHits(plan.where, [...found.classes.keys()]) });
  if (found.areAll || ids.length >= enough || reader.words !== null) return bestOf(ids, found);
  const walked = await walk(reader, plan);
  if (walked === null) return null;
  const classes = new Map([...found.classes, ...walked.classes]);
  return bestOf([...new Set([...ids, ...walked.classes.keys()])], { classes, areAll: walked.areAll });
}

function bestOf(ids: readonly number[], { classes, areAll }: Hits): BestHits {
  const place = (id: number) => classes.get(id) ?? 0;
  return { ids: [...ids].sort((a, b) => place(a) - place(b) || a - b), areAll };
}

/** If the index of words is in another database, the condition names the hits. */
export async function conditionOf(
  reader: ContentReader,
  { words, where }: SearchPlan,
): Promise<{ readonly where: Predicate; readonly counted: CountedFrom | null }> {
  if (reader.words !== null) {
    return { where: atHits(where, [...(await findHits(reader, words)).classes.keys()]), counted: null };
  }
  const chosen = chooseWords(markedWords(words, 'text'), {
    sample: await sampleOf(reader, reader.db),
    isInStep: false,
  });
  const tested = withWords(where, chosen);
  if (chosen.asked.length > 0) return { where: tested, counted: null };
  const among = all(conditionsIn(where).filter((part) => part.kind !== 'words'));
  const hasWords = all(conditionsIn(tested).filter((part) => part.kind === 'words'));
  return { where: tested, counted: { candidates: { driver: null, among, most: mostCandidates }, where: hasWords } };
}

async function findHits(reader: ContentReader, terms: SearchTerms): Promise<Hits> {
  const index = reader.words ?? reader.db;
  const sample = await sampleOf(reader, index);
  const find = async (place: SearchPlace) => {
    const chosen = chooseWords(markedWords(terms, place), { sample, isInStep: index.dialect === 'sqlite' });
    const limit = mostOf(chosen);
    const found = await look(reader, compileHits(chosen, { terms, dialect: index.dialect, limit: limit + 1 }));
    return { found, areAll: found.length <= limit };
  };
  const text = await find('text');
  if (text.areAll) return { classes: new Map(text.found), areAll: true };
  const hasMany = text.found.filter(([, place]) => place <= hasAllWords).length >= enough;
  const titles = hasMany ? [] : (await find('title')).found;
  return { classes: new Map([...text.found, ...titles, ...(await find('wholeTitle')).found]), areAll: false };
}

function sampleOf(reader: ContentReader, index: Reader): Promise<WordSample | null> {
  return reader.samples.get({ table: '', text: '' }, async () => {
    const rows = await readSearchSample(index);
    return rows === null ? null : wordSample(rows);
  });
}

async function look(reader: ContentReader, statement: SqlStatement): Promise<readonly (readonly [number, number])[]> {
  const rows = await (reader.words ?? reader.db).select(statement);
  return rows.map(([id, place]) => [Number(id), Number(place)]);
}

/** Reads rows one by one by the conditions of the plan: common words are soon met, and few rows soon over. */
async function walk(reader: ContentReader, plan: SearchPlan): Promise<Hits | null> {
  const words = markedWords(plan.words, 'text');
  const chosen = chooseWords(words, { sample: await sampleOf(reader, reader.db), isInStep: false });
  if (chosen.asked.length > 0 && !(await isOfFew(reader, plan))) return null;
  const limit = mostOf(chosen);
  const where = withWords(plan.where, { asked: [], tested: words, isSlow: true });
  const ids = await idsOf(reader, plan, { where, limit: limit + 1 });
  const classes = ids.length === 0 ? [] : await look(reader, compileClasses(plan.words, ids));
  return { classes: new Map(classes), areAll: ids.length <= limit };
}

function mostOf({ isSlow }: ChosenWords): number {
  return isSlow ? most.met : most.given;
}

async function isOfFew(reader: ContentReader, { definition, where }: ListPlan): Promise<boolean> {
  const rest = all(conditionsIn(where).filter((part) => part.kind !== 'words'));
  const table = reader.table(definition);
  const spec = { table, key: keyColumn(definition), where: rest, most: fewRows + 1 };
  const statement = compileCount({ ...spec, driver: null }, reader.dialect);
  return (await remembered(reader, table.name, { ...statement, heavy: 'search' })) <= fewRows;
}

async function idsOf(
  reader: ContentReader,
  { definition }: ListPlan,
  { where, limit }: { readonly where: Predicate; readonly limit?: number },
): Promise<readonly number[]> {
  const key = definition.primaryKey;
  const order = limit === undefined ? [] : [{ ref: fieldRef(definition, key), direction: 'asc' } as const];
  const rows = await selectRows(reader, definition, { needed: [key], where, order, limit, heavy: 'search' });
  return rows.map((row) => Number(row.raw(key)));
}

function withWords(where: Predicate, chosen: ChosenWords): Predicate {
  return all(conditionsIn(where).map((part) => (part.kind === 'words' ? { ...part, chosen } : part)));
}

function atHits(where: Predicate, ids: readonly number[]): Predicate {
  return all(conditionsIn(where).map((part) => (part.kind === 'words' ? oneOf(part.ref, ids) : part)));
}
