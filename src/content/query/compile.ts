/** Turns a plan into SQL of constants and quoted identifiers; every value is a parameter. */
import type { SearchTerms } from '../rules/search-words.js';
import { all, type ColumnRef, conditionsIn, mayScan, type OrderTerm, type Predicate } from './predicate.js';
import type { SqlDialect, SqlStatement, SqlTable, TableIndex, TvDriver } from './sql-statement.js';
import { StatementWriter } from './statement-writer.js';

export interface SelectSpec {
  readonly table: SqlTable;
  readonly columns: readonly string[];
  readonly values?: readonly ColumnRef[];
  readonly driver?: TvDriver | null;
  readonly where: Predicate;
  readonly seek?: Predicate | undefined;
  readonly rank?: SearchTerms | null;
  readonly order?: readonly OrderTerm[];
  readonly limit?: number | undefined;
  readonly offset?: number;
  readonly key: string;
  readonly heavy?: boolean | 'search';
}

/** From this offset on, the index is walked for keys only and rows are joined afterwards: rows carry their content. */
const farOffset = 200;

export function compileSelect(spec: SelectSpec, dialect: SqlDialect): SqlStatement {
  const { driver = null, order: terms = [] } = spec;
  const writer = new StatementWriter(spec.table, spec.key, dialect);
  const columns = writer.selectList(spec.columns, spec.values);
  // Written in place: the order may have parameters.
  const order = () => writer.order(terms, spec.rank);
  const heavy = spec.heavy === undefined || spec.heavy === false ? {} : { heavy: spec.heavy };
  // Every hit is sorted, and rows carry their content.
  const isFar = (spec.offset ?? 0) >= farOffset || (spec.rank ?? null) !== null;
  if (spec.limit !== undefined && spec.offset !== undefined && isFar) {
    const key = dialect.quote(spec.key);
    const inner = writer.drivenBy(
      driver,
      () =>
        `SELECT t.${key} AS k FROM ${writer.driven(writer.from())}${writer.predicate(spec.where)}${order()} LIMIT ${writer.value(spec.limit ?? 0)} OFFSET ${writer.value(spec.offset ?? 0)}`,
    );
    const sql = `SELECT ${columns} FROM (${inner}) AS p JOIN ${writer.from()} ON t.${key} = p.k${order()}`;
    return { sql, params: writer.params, heavy: spec.heavy === 'search' ? 'search' : true };
  }
  const index = spec.seek && driver === null ? orderIndex(spec.table.indexes, { ...spec, order: terms }) : null;
  const hint = index === null ? '' : dialect.orderHint(index);
  const where = spec.seek ? all([spec.where, spec.seek]) : spec.where;
  let sql = writer.drivenBy(
    driver,
    () => `SELECT ${columns} FROM ${writer.driven(writer.from(hint))}${writer.predicate(where)}${order()}`,
  );
  if (spec.limit !== undefined) sql += ` LIMIT ${writer.value(spec.limit)}`;
  if (spec.offset !== undefined && spec.offset > 0) sql += ` OFFSET ${writer.value(spec.offset)}`;
  return { sql, params: writer.params, ...heavy };
}

export interface TreeSpec extends Pick<SelectSpec, 'table' | 'columns' | 'key'> {
  readonly where: Predicate;
  readonly parent: string;
  /** Orders the rows of a level, then the key does. */
  readonly place: string;
  readonly root: number;
  readonly depth: number;
  readonly limit: number;
}

/** Level by level, each in the order of its places. Heavy: linear in the rows below. */
export function compileTree(spec: TreeSpec, dialect: SqlDialect): SqlStatement {
  const writer = new StatementWriter(spec.table, spec.key, dialect);
  const [key, parent, place] = [writer.column(spec.key), writer.column(spec.parent), writer.column(spec.place)];
  const first = `SELECT ${key}, 1, ${place} FROM ${writer.from()} WHERE ${parent} = ${writer.value(spec.root)} AND ${writer.predicate(spec.where)}`;
  const next = `SELECT ${key}, n.depth + 1, ${place} FROM n CROSS JOIN ${writer.from()} ON ${parent} = n.k WHERE n.depth < ${writer.value(spec.depth)} AND ${writer.predicate(spec.where)}`;
  // CROSS keeps SQLite from reading the whole table first, which its statistics may suggest. The order uses columns of
  // n alone: MariaDB then sorts those few numbers before the join and not whole rows after it.
  const sql = `WITH RECURSIVE n (k, depth, place) AS (${first} UNION ALL ${next}) SELECT ${writer.selectList(spec.columns)} FROM n CROSS JOIN ${writer.from()} ON ${key} = n.k ORDER BY n.depth, n.place, n.k LIMIT ${writer.value(spec.limit)}`;
  return { sql, params: writer.params, heavy: { over: spec.table.name } };
}

export function compileCount(
  spec: Pick<SelectSpec, 'table' | 'where' | 'driver' | 'key'> & { readonly most?: number | undefined },
  dialect: SqlDialect,
): SqlStatement {
  const writer = new StatementWriter(spec.table, spec.key, dialect);
  const rows = writer.drivenBy(
    spec.driver ?? null,
    () => `FROM ${writer.driven(writer.from())}${writer.predicate(spec.where)}`,
  );
  const sql =
    spec.most === undefined
      ? `SELECT COUNT(*) ${rows}`
      : `SELECT COUNT(*) FROM (SELECT 1 ${rows} LIMIT ${writer.value(spec.most)}) AS few`;
  return { sql, params: writer.params, heavy: mayScan(spec.where) ? 'search' : { over: spec.table.name } };
}

/** Rows that a narrow condition finds, of which at most so many are counted one by one. */
export interface Candidates {
  readonly driver: TvDriver | null;
  readonly among: Predicate;
  readonly most: number;
}

type CandidateTable = Pick<SelectSpec, 'table' | 'key'>;

export function compileCandidateCount(
  candidates: Candidates,
  { table, key }: CandidateTable,
  dialect: SqlDialect,
): SqlStatement {
  const writer = new StatementWriter(table, key, dialect);
  return { sql: `SELECT COUNT(*) FROM (${candidateRows(writer, candidates, key)}) AS few`, params: writer.params };
}

export function compileCountAmong(
  { candidates, where, ...of }: CandidateTable & { readonly candidates: Candidates; readonly where: Predicate },
  dialect: SqlDialect,
): SqlStatement {
  const writer = new StatementWriter(of.table, of.key, dialect);
  const few = candidateRows(writer, candidates, of.key);
  const byKey: OrderTerm = { ref: { column: of.key, text: false, nullable: false }, direction: 'asc' };
  const index = orderIndex(of.table.indexes, { where, order: [byKey], key: of.key });
  // Rows carry their content; an index that has all the compared columns is a small part of them.
  const hint = index === null ? '' : dialect.lookupHint(index);
  const joined = `${dialect.inOrderJoin} ${writer.from(hint)} ON ${writer.column(of.key)} = few.resource`;
  const sql = `SELECT COUNT(*) FROM (${few}) AS few ${joined} WHERE ${writer.predicate(where)}`;
  return { sql, params: writer.params, heavy: mayScan(where) ? 'search' : { over: of.table.name } };
}

function candidateRows(writer: StatementWriter, { driver, among, most }: Candidates, key: string): string {
  const rows =
    driver === null
      ? `SELECT ${writer.column(key)} AS resource FROM ${writer.from()} WHERE ${writer.predicate(among)}`
      : writer.drivenBy(driver, () => `SELECT d.resource FROM ${writer.driven(null)}${writer.predicate(among)}`);
  return `${rows} LIMIT ${writer.value(most)}`;
}

/** Null if no index has the compared columns and then the order, or another condition may narrow the rows better. */
function orderIndex(
  indexes: readonly TableIndex[],
  { where, order, key }: { readonly where: Predicate; readonly order: readonly OrderTerm[]; readonly key: string },
): string | null {
  const fixed = new Set<string>();
  for (const condition of conditionsIn(where)) {
    if (condition.kind === 'resource_groups') continue;
    if (condition.kind !== 'compare' || condition.comparison !== 'eq') return null;
    fixed.add(condition.ref.column);
  }
  if (new Set(order.map((term) => term.direction)).size > 1) return null;
  const ordered = order.map((term) => term.ref.column);
  const fits = ({ columns }: TableIndex): boolean => {
    const rest = columns.slice(fixed.size);
    // Every index ends with the primary key, written out or not.
    const tail = rest.at(-1) === key || ordered.at(-1) !== key ? rest : [...rest, key];
    return (
      columns.slice(0, fixed.size).every((column) => fixed.has(column)) &&
      columns.length >= fixed.size &&
      ordered.every((column, index) => tail[index] === column)
    );
  };
  return indexes.find(fits)?.name ?? null;
}
