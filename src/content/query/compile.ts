/**
 * Plan -> SQL text with `?` placeholders, as `select` of src/store/base/database.ts takes it. The text holds constants and
 * quoted identifiers only; every value is a parameter. The differences of the databases come in as a SqlDialect; this
 * file decides shapes.
 */
import { matchText, type SearchPlace, type SearchTerms, textPatterns, titlePatterns } from '../rules/search-words.js';
import {
  all,
  type ColumnRef,
  type Comparison,
  mayScan,
  type OrderTerm,
  type Predicate,
  type TvRef,
} from './predicate.js';

/** What differs between the stores, by name. Implemented by src/store/base/dialect.ts. */
export interface SqlDialect {
  readonly name: 'sqlite' | 'mariadb';
  quote(identifier: string): string;
  /** An expression that compares and orders text by code point. */
  exactText(column: string): string;
  /** The placeholder that goes with exactText. */
  readonly exactMark: string;
  /** An expression in which upper and lower case are the same; for LIKE. */
  foldedText(column: string): string;
  /** The placeholder that goes with foldedText. */
  readonly foldedMark: string;
  /** Text behind the table that makes the statement walk this index; empty where the database sees to it itself. */
  orderHint(index: string): string;
  /** A join that reads its left side first. */
  readonly inOrderJoin: string;
}

/** The table that a statement reads. */
export interface SqlTable {
  /** Real name, prefix included. */
  readonly name: string;
  /** Older releases of the CMS lack some columns: their fields have no value. */
  hasColumn(column: string): boolean;
  /** True for columns that are not known. */
  readonly mayHoldNull: (column: string) => boolean;
  /** Columns whose collation already compares text exactly. */
  isExact(column: string): boolean;
  /** The placeholder for comparing such a loose column as it is, by which an index finds candidates. */
  candidateMark(column: string): string;
  /** Real name of the table that joins resources to resource groups. */
  readonly documentGroups: string;
  readonly indexes: readonly TableIndex[];
}

/** Whether a statement may look at many rows: always, as a search, or only where the table has more than a few. */
type Heavy = boolean | 'search' | { readonly over: string };

export interface SqlStatement {
  readonly sql: string;
  readonly params: readonly (string | number)[];
  readonly heavy?: Heavy;
}

/**
 * The values of a template variable by which rows are found: their index is walked first, and each value names its row.
 * Rows without a value are not met.
 */
export interface TvDriver {
  readonly tv: TvRef;
  /** The condition on the members of lists; absent for values. */
  readonly member?: Predicate;
}

export interface SelectSpec {
  readonly table: SqlTable;
  /** Columns in the order of the result row. */
  readonly columns: readonly string[];
  /** Values behind the columns. */
  readonly values?: readonly ColumnRef[];
  readonly driver?: TvDriver | null;
  readonly where: Predicate;
  /** Rows after a cursor, in terms of the order. */
  readonly seek?: Predicate | undefined;
  /** What the best hits come first for, before the order. */
  readonly rank?: SearchTerms | null;
  readonly order: readonly OrderTerm[];
  readonly limit?: number | undefined;
  readonly offset?: number;
  /** Column of the primary key, for reading far pages by key. */
  readonly key: string;
  readonly heavy?: boolean | 'search';
}

/** From here on an OFFSET walks the index for keys only and joins the rows afterwards (rows carry their content). */
const farOffset = 200;

const comparisonSigns: Readonly<Record<Comparison, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

/** SELECT of the given columns, ordered and cut. */
export function compileSelect(spec: SelectSpec, dialect: SqlDialect): SqlStatement {
  const { driver = null } = spec;
  const writer = new Writer(spec.table, { dialect, key: spec.key });
  const columns = writer.selectList(spec.columns, spec.values);
  const from = `${dialect.quote(spec.table.name)} AS t`;
  // Written where it stands: it may have parameters.
  const order = () => writer.order(spec.order, spec.rank);
  const heavy = spec.heavy === undefined || spec.heavy === false ? {} : { heavy: spec.heavy };
  // Every hit is sorted, and rows carry their content.
  const isFar = (spec.offset ?? 0) >= farOffset || (spec.rank ?? null) !== null;
  if (spec.limit !== undefined && spec.offset !== undefined && isFar) {
    const key = dialect.quote(spec.key);
    const inner = writer.drivenBy(
      driver,
      () =>
        `SELECT t.${key} AS k FROM ${writer.driven(from)}${writer.predicate(spec.where)}${order()} LIMIT ${writer.value(spec.limit ?? 0)} OFFSET ${writer.value(spec.offset ?? 0)}`,
    );
    const sql = `SELECT ${columns} FROM (${inner}) AS p JOIN ${from} ON t.${key} = p.k${order()}`;
    return { sql, params: writer.params, heavy: spec.heavy === 'search' ? 'search' : true };
  }
  const index = spec.seek && driver === null ? orderIndex(spec.table.indexes, spec) : null;
  const hint = index === null ? '' : dialect.orderHint(index);
  const where = spec.seek ? all([spec.where, spec.seek]) : spec.where;
  let sql = writer.drivenBy(
    driver,
    () => `SELECT ${columns} FROM ${writer.driven(`${from}${hint}`)}${writer.predicate(where)}${order()}`,
  );
  if (spec.limit !== undefined) sql += ` LIMIT ${writer.value(spec.limit)}`;
  if (spec.offset !== undefined && spec.offset > 0) sql += ` OFFSET ${writer.value(spec.offset)}`;
  return { sql, params: writer.params, ...heavy };
}

export interface TreeSpec extends Pick<SelectSpec, 'table' | 'columns' | 'key' | 'order'> {
  /** Of every row in the tree. */
  readonly where: Predicate;
  /** Column that holds the key of the row above. */
  readonly parent: string;
  /** Key above the first level. */
  readonly root: number;
  /** Levels, from 1. */
  readonly depth: number;
  /** Rows, of the upper levels first. */
  readonly limit: number;
}

/** SELECT of the rows below another one, level by level, each level in the given order. Heavy: linear in the rows below. */
export function compileTree(spec: TreeSpec, dialect: SqlDialect): SqlStatement {
  const writer = new Writer(spec.table, { dialect, key: spec.key });
  const [key, parent] = [writer.column(spec.key), writer.column(spec.parent)];
  const from = `${dialect.quote(spec.table.name)} AS t`;
  const first = `SELECT ${key}, 1 FROM ${from} WHERE ${parent} = ${writer.value(spec.root)} AND ${writer.predicate(spec.where)}`;
  const next = `SELECT ${key}, n.depth + 1 FROM n CROSS JOIN ${from} ON ${parent} = n.k WHERE n.depth < ${writer.value(spec.depth)} AND ${writer.predicate(spec.where)}`;
  const order = writer.order(spec.order).replace(' ORDER BY ', ' ORDER BY n.depth, ');
  // CROSS keeps SQLite from another order, the whole table first, which its statistics may suggest.
  const sql = `WITH RECURSIVE n (k, depth) AS (${first} UNION ALL ${next}) SELECT ${writer.selectList(spec.columns)} FROM n CROSS JOIN ${from} ON ${key} = n.k${order} LIMIT ${writer.value(spec.limit)}`;
  return { sql, params: writer.params, heavy: { over: spec.table.name } };
}

/** SELECT COUNT(*) of the rows that meet the condition. Heavy: it is linear in the rows it counts. */
export function compileCount(
  spec: Pick<SelectSpec, 'table' | 'where' | 'driver' | 'key'> & { readonly most?: number | undefined },
  dialect: SqlDialect,
): SqlStatement {
  const writer = new Writer(spec.table, { dialect, key: spec.key });
  const from = `${dialect.quote(spec.table.name)} AS t`;
  const rows = writer.drivenBy(spec.driver ?? null, () => `FROM ${writer.driven(from)}${writer.predicate(spec.where)}`);
  const sql =
    spec.most === undefined
      ? `SELECT COUNT(*) ${rows}`
      : `SELECT COUNT(*) FROM (SELECT 1 ${rows} LIMIT ${writer.value(spec.most)}) AS few`;
  return { sql, params: writer.params, heavy: mayScan(spec.where) ? 'search' : { over: spec.table.name } };
}

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

/** SELECT COUNT(*) of the values of a template variable that meet a condition, at most so many. */
export function compileValueCount(
  { driver, where, most }: { readonly driver: TvDriver; readonly where: Predicate; readonly most: number },
  { dialect, table, key }: { readonly dialect: SqlDialect } & Pick<SelectSpec, 'table' | 'key'>,
): SqlStatement {
  const writer = new Writer(table, { dialect, key });
  const rows = writer.drivenBy(driver, () => `SELECT 1 FROM ${writer.driven(null)}${writer.predicate(where)}`);
  return { sql: `SELECT COUNT(*) FROM (${rows} LIMIT ${writer.value(most)}) AS few`, params: writer.params };
}

type WriteValue = (value: string | number) => string;

function hits(terms: SearchTerms, dialect: SqlDialect['name'], value: WriteValue): string {
  const text = value(matchText(terms, 'text', dialect));
  return dialect === 'sqlite'
    ? `SELECT rowid FROM hcd_search_index WHERE hcd_search_index MATCH ${text}`
    : `SELECT w.resource FROM hcd_search AS w WHERE MATCH (w.words) AGAINST (${text} IN BOOLEAN MODE)`;
}

/** 0: the words are the title; 1: it begins with them; 2: it has all of them; 3: one of them; 4: none. */
function titleClass(terms: SearchTerms, value: WriteValue): string {
  const { start, each } = titlePatterns(terms);
  const like = (pattern: string) => `s.title LIKE ${value(pattern)}`;
  const classes = [`s.title = ${value(terms.title)}`, like(start), each.map(like).join(' AND ')];
  const some = each.map(like).join(' OR ');
  const cases = [...classes, some].map((condition, place) => `WHEN ${condition} THEN ${place}`);
  return `CASE ${cases.join(' ')} ELSE ${cases.length} END`;
}

/** Writes one statement: text grows in the order of its parameters. */
class Writer {
  readonly params: (string | number)[] = [];
  private readonly dialect: SqlDialect;
  private readonly key: string;
  private driver: TvDriver | null = null;

  constructor(
    private readonly table: SqlTable,
    { dialect, key }: { readonly dialect: SqlDialect; readonly key: string },
  ) {
    this.dialect = dialect;
    this.key = key;
  }

  selectList(columns: readonly string[], values: readonly ColumnRef[] = []): string {
    const names = columns.map((name) => (this.table.hasColumn(name) ? this.column(name) : 'NULL'));
    return [...names, ...values.map((ref) => this.comparable(ref))].join(', ');
  }

  column(name: string): string {
    return `t.${this.dialect.quote(name)}`;
  }

  /** Writes a part in which the driver is joined. */
  drivenBy(driver: TvDriver | null, write: () => string): string {
    this.driver = driver;
    const text = write();
    this.driver = null;
    return text;
  }

  /** What the rows are from, up to their condition; without the table where only values are looked at. */
  driven(from: string | null): string {
    if (this.driver === null) return `${from} WHERE `;
    const { id, of, as } = this.driver.tv;
    const hint = this.dialect.orderHint(as === 'text' ? 'by_text' : 'by_number');
    const values = `hcd_tv_values AS d${hint}`;
    const joined =
      from === null ? values : `${values} ${this.dialect.inOrderJoin} ${from} ON ${this.column(this.key)} = d.resource`;
    return `${joined} WHERE d.tv = ${this.value(id)} AND d.part = ${tvParts[of]} AND `;
  }

  /** A value of the row, as it is stored. */
  private stored(ref: ColumnRef): string {
    const { tv } = ref;
    // The driver has its rows in the order of their keys.
    if (tv === undefined)
      return this.driver !== null && ref.column === this.key ? 'd.resource' : this.column(ref.column);
    const isDriver = this.driver !== null && this.driver.tv.id === tv.id && this.driver.tv.of === tv.of;
    if (isDriver) return tvColumn('d', tv);
    if (tv.of === 'member') return tvColumn('m', tv);
    return `(SELECT ${tvColumn('v', tv)} FROM hcd_tv_values AS v WHERE v.resource = ${this.column(this.key)} AND v.tv = ${this.value(tv.id)} AND v.part = ${tvParts.value} AND v.place = 0)`;
  }

  private members(predicate: Extract<Predicate, { kind: 'tv_member' }>): string {
    const { ref, tv, member, negated } = predicate;
    if (this.driver?.member === predicate) return this.predicate(member);
    const resource = this.stored(ref);
    const marked = this.value(tv);
    return `${negated ? 'NOT ' : ''}EXISTS (SELECT 1 FROM hcd_tv_values AS m WHERE m.resource = ${resource} AND m.tv = ${marked} AND m.part = ${tvParts.member} AND ${this.predicate(member)})`;
  }

  value(value: string | number): string {
    this.params.push(value);
    return '?';
  }

  order(terms: readonly OrderTerm[], rank: SearchTerms | null = null): string {
    if (terms.length === 0) return '';
    const first = rank === null ? [] : [this.rank(rank)];
    const parts = terms.flatMap(({ ref, direction }) => {
      const empty = ref.tv !== undefined && ref.nullable ? [`${this.comparable(ref)} IS NULL`] : [];
      return [...empty, `${this.comparable(ref)}${direction === 'desc' ? ' DESC' : ''}`];
    });
    return ` ORDER BY ${[...first, ...parts].join(', ')}`;
  }

  private rank(terms: SearchTerms): string {
    const place = titleClass(terms, (value) => this.value(value));
    return `(SELECT ${place} FROM hcd_search AS s WHERE s.resource = t.${this.dialect.quote('id')})`;
  }

  predicate(predicate: Predicate): string {
    switch (predicate.kind) {
      case 'all':
        return predicate.of.length === 0 ? '1 = 1' : this.joined(predicate.of, ' AND ');
      case 'any':
        return predicate.of.length === 0 ? '1 = 0' : `(${this.joined(predicate.of, ' OR ')})`;
      case 'nothing':
        return '1 = 0';
      case 'compare':
        return this.compare(predicate);
      case 'in':
        return this.membership(predicate);
      case 'null':
        return this.absent(predicate);
      case 'like':
        return this.like(predicate.ref, predicate.pattern.replaceAll('!', '!!'));
      case 'contains': {
        const pattern = `%${predicate.text.replace(/[!%_]/g, '!$&')}%`;
        return `(${predicate.refs.map((ref) => this.like(ref, pattern)).join(' OR ')})`;
      }
      case 'words':
        return this.words(predicate);
      case 'tv_member':
        return this.members(predicate);
      case 'resource_groups':
        return this.resourceGroups(predicate);
    }
  }

  private joined(predicates: readonly Predicate[], by: string): string {
    return predicates
      .map((part) => (part.kind === 'all' && by === ' OR ' ? `(${this.predicate(part)})` : this.predicate(part)))
      .join(by);
  }

  /** Text whose collation is loose needs an exact form; everything else is compared as it is. */
  private isLoose(ref: ColumnRef): boolean {
    return ref.text && ref.tv === undefined && !this.table.isExact(ref.column);
  }

  private comparable(ref: ColumnRef): string {
    const column = this.stored(ref);
    return this.isLoose(ref) ? this.dialect.exactText(column) : column;
  }

  private compare({ ref, comparison, value }: Extract<Predicate, { kind: 'compare' }>): string {
    const sign = comparisonSigns[comparison];
    if (!this.isLoose(ref)) return `${this.stored(ref)} ${sign} ${this.value(value)}`;
    this.params.push(value);
    const exact = `${this.comparable(ref)} ${sign} ${this.dialect.exactMark}`;
    // The loose comparison lets an index find candidates, the exact one decides.
    if (comparison !== 'eq') return exact;
    this.params.push(value);
    return `${this.column(ref.column)} = ${this.table.candidateMark(ref.column)} AND ${exact}`;
  }

  private membership({ ref, values, negated }: Extract<Predicate, { kind: 'in' }>): string {
    const marks = (mark: string) => values.map(() => mark).join(', ');
    const word = negated ? 'NOT IN' : 'IN';
    const column = this.stored(ref);
    this.params.push(...values);
    if (!this.isLoose(ref)) return `${column} ${word} (${marks('?')})`;
    const exact = `${this.comparable(ref)} ${word} (${marks(this.dialect.exactMark)})`;
    if (negated) return exact;
    this.params.push(...values);
    return `${this.column(ref.column)} IN (${marks(this.table.candidateMark(ref.column))}) AND ${exact}`;
  }

  private absent({ ref, unset, negated }: Extract<Predicate, { kind: 'null' }>): string {
    const column = this.stored(ref);
    if (unset === null) return `${column} IS ${negated ? 'NOT ' : ''}NULL`;
    // A column that stores "unset" as a number is never NULL.
    return `${column} ${negated ? '<>' : '='} ${this.value(unset)}`;
  }

  private like(ref: ColumnRef, pattern: string): string {
    const text = this.dialect.foldedText(this.stored(ref));
    this.params.push(pattern);
    return `${text} LIKE ${this.dialect.foldedMark} ESCAPE '!'`;
  }

  private words({ ref, terms }: Extract<Predicate, { kind: 'words' }>): string {
    return `${this.column(ref.column)} IN (${hits(terms, this.dialect.name, (value) => this.value(value))})`;
  }

  private resourceGroups({ ref, protecting, granting }: Extract<Predicate, { kind: 'resource_groups' }>): string {
    if (granting.length === protecting.length) return '1 = 1';
    const within = (groups: readonly number[]) =>
      `EXISTS (SELECT 1 FROM ${this.dialect.quote(this.table.documentGroups)} AS g WHERE g.document = ${this.column(ref.column)} AND g.document_group IN (${groups.map((group) => this.value(group)).join(', ')}))`;
    const free = `NOT ${within(protecting)}`;
    return granting.length === 0 ? free : `(${free} OR ${within(granting)})`;
  }
}

/** As the rows of the index name them. */
const tvParts = Object.freeze({ value: 0, member: 1 });

function tvColumn(alias: string, { as }: TvRef): string {
  if (as === 'whole') return `COALESCE(${alias}.whole, ${alias}.text)`;
  return `${alias}.${as === 'any' ? 'resource' : as}`;
}

interface TableIndex {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * Name of the index that holds exactly the compared columns first and the order after them; null where there is none,
 * or where another condition may narrow the rows better than the order does.
 */
function orderIndex(
  indexes: readonly TableIndex[],
  { where, order, key }: { readonly where: Predicate; readonly order: readonly OrderTerm[]; readonly key: string },
): string | null {
  const fixed = new Set<string>();
  for (const condition of where.kind === 'all' ? where.of : [where]) {
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
