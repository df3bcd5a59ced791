/** The statements on the index of words: its hits, and the class of each. */
import { matchText, type SearchPlace, type SearchTerms, textPatterns, titlePatterns } from '../rules/search-words.js';
import type { SqlDialect, SqlStatement } from './sql-statement.js';

/** SELECT of the first hits of the index of words by id, with the class of each. */
export function compileHits(
  terms: SearchTerms,
  {
    place,
    dialect,
    limit,
  }: { readonly place: SearchPlace; readonly dialect: SqlDialect['name']; readonly limit: number },
): SqlStatement {
  const params: (string | number)[] = [];
  const value = parameterOf(params);
  const found = `${titleClass(terms, value)} AS class`;
  const text = () => value(matchText(terms, place, dialect));
  // CROSS keeps SQLite at the full-text index, which has its hits in the order of ids.
  const sql =
    dialect === 'sqlite'
      ? `SELECT s.resource, ${found} FROM hcd_search_index AS f CROSS JOIN hcd_search AS s ON s.resource = f.rowid WHERE hcd_search_index MATCH ${text()} ORDER BY f.rowid LIMIT ${value(limit)}`
      : `SELECT s.resource, ${found} FROM hcd_search AS s WHERE MATCH (s.words) AGAINST (${text()} IN BOOLEAN MODE) ORDER BY s.resource LIMIT ${value(limit)}`;
  return { sql, params, heavy: 'search' };
}

/** As `compileHits`, of the first rows of the index only, which are looked at one by one. */
export function compileFirstHits(terms: SearchTerms, { rows }: { readonly rows: number }): SqlStatement {
  const params: (string | number)[] = [];
  const value = parameterOf(params);
  const found = `${titleClass(terms, value)} AS class`;
  const first = `SELECT f.resource FROM hcd_search AS f ORDER BY f.resource LIMIT ${value(rows)}`;
  const has = textPatterns(terms).map((pattern) => `CONCAT(' ', s.words, ' ') LIKE ${value(pattern)}`);
  const sql = `SELECT s.resource, ${found} FROM (${first}) AS few JOIN hcd_search AS s ON s.resource = few.resource WHERE ${has.join(' AND ')} ORDER BY s.resource`;
  return { sql, params, heavy: 'search' };
}

function parameterOf(params: (string | number)[]): WriteValue {
  return (given) => {
    params.push(given);
    return '?';
  };
}

/** Notes a parameter and gives its placeholder. */
type WriteValue = (value: string | number) => string;

/** SELECT of the resources that have the words. */
export function hits(terms: SearchTerms, dialect: SqlDialect['name'], value: WriteValue): string {
  const text = value(matchText(terms, 'text', dialect));
  return dialect === 'sqlite'
    ? `SELECT rowid FROM hcd_search_index WHERE hcd_search_index MATCH ${text}`
    : `SELECT w.resource FROM hcd_search AS w WHERE MATCH (w.words) AGAINST (${text} IN BOOLEAN MODE)`;
}

/** 0: the words are the title; 1: it begins with them; 2: it has all of them; 3: one of them; 4: none. */
export function titleClass(terms: SearchTerms, value: WriteValue): string {
  const { start, each } = titlePatterns(terms);
  const like = (pattern: string) => `s.title LIKE ${value(pattern)}`;
  const classes = [`s.title = ${value(terms.title)}`, like(start), each.map(like).join(' AND ')];
  const some = each.map(like).join(' OR ');
  const cases = [...classes, some].map((condition, place) => `WHEN ${condition} THEN ${place}`);
  return `CASE ${cases.join(' ')} ELSE ${cases.length} END`;
}
