/** Statements on the index of words: its hits and their classes. */
import {
  type ChosenWords,
  type MarkedWord,
  matchText,
  type SearchTerms,
  titlePatterns,
  wordPattern,
} from '../rules/search-words.js';
import type { SqlDialect, SqlStatement } from './sql-statement.js';

type DialectName = SqlDialect['name'];

/** Hits are the first ones by id, except from MariaDB's full-text index, which would read all rows to sort them. */
export function compileHits(
  chosen: ChosenWords,
  { terms, dialect, limit }: { readonly terms: SearchTerms; readonly dialect: DialectName; readonly limit: number },
): SqlStatement {
  const params: (string | number)[] = [];
  const value = parameterOf(params);
  const found = `SELECT s.resource, ${titleClass(terms, value)} AS class FROM ${rowsWith(chosen, { dialect, value })}`;
  // FTS5 has its hits in the order of rowid, and only of that name: by another name it would sort all of them.
  const order = chosen.asked.length === 0 ? ' ORDER BY s.resource' : dialect === 'sqlite' ? ' ORDER BY f.rowid' : '';
  return { sql: `${found}${order} LIMIT ${value(limit)}`, params, heavy: 'search' };
}

export function compileClasses(terms: SearchTerms, ids: readonly number[]): SqlStatement {
  const params: (string | number)[] = [];
  const value = parameterOf(params);
  const sql = `SELECT s.resource, ${titleClass(terms, value)} AS class FROM hcd_search AS s WHERE s.resource IN (${ids.map(value).join(', ')})`;
  return { sql, params, heavy: 'search' };
}

function parameterOf(params: (string | number)[]): WriteValue {
  return (given) => {
    params.push(given);
    return '?';
  };
}

type WriteValue = (value: string | number) => string;

interface Writing {
  readonly dialect: DialectName;
  readonly value: WriteValue;
}

function rowsWith({ asked, tested }: ChosenWords, { dialect, value }: Writing): string {
  const tests = () => testsOf(tested, { dialect, value, alias: 's' });
  if (asked.length === 0) return `hcd_search AS s WHERE ${tests().join(' AND ')}`;
  const text = value(matchText(asked, dialect));
  // CROSS keeps SQLite at the full-text index, which has its hits in the order of ids.
  const [from, match] =
    dialect === 'sqlite'
      ? ['hcd_search_index AS f CROSS JOIN hcd_search AS s ON s.resource = f.rowid', `hcd_search_index MATCH ${text}`]
      : ['hcd_search AS s', `MATCH (s.words) AGAINST (${text} IN BOOLEAN MODE)`];
  return `${from} WHERE ${[match, ...tests()].join(' AND ')}`;
}

function testsOf(
  tested: readonly MarkedWord[],
  { dialect, value, alias }: Writing & { readonly alias: 's' | 'w' },
): string[] {
  const words = dialect === 'sqlite' ? `' ' || ${alias}.words || ' '` : `CONCAT(' ', ${alias}.words, ' ')`;
  return tested.map((word) => `${words} LIKE ${value(wordPattern(word))}`);
}

export function wordsCondition(
  chosen: ChosenWords,
  { column, ...writing }: Writing & { readonly column: string },
): string {
  if (chosen.asked.length > 0) return `${column} IN (SELECT s.resource FROM ${rowsWith(chosen, writing)})`;
  // A comparison: to decide whether a row exists, MariaDB would read the table of words first.
  const tests = testsOf(chosen.tested, { ...writing, alias: 'w' }).join(' AND ');
  return `(SELECT ${tests} FROM hcd_search AS w WHERE w.resource = ${column}) = 1`;
}

/** 0: the title equals the words; 1: begins with them; 2: has all; 3: has one; 4: has none. */
export function titleClass(terms: SearchTerms, value: WriteValue): string {
  const { start, each } = titlePatterns(terms);
  const like = (pattern: string) => `s.title LIKE ${value(pattern)}`;
  const classes = [`s.title = ${value(terms.title)}`, like(start), each.map(like).join(' AND ')];
  const some = each.map(like).join(' OR ');
  const cases = [...classes, some].map((condition, place) => `WHEN ${condition} THEN ${place}`);
  return `CASE ${cases.join(' ')} ELSE ${cases.length} END`;
}
