/** Writes the parts of a statement that come from a plan, each with its parameters. */
import { markedWords, type SearchTerms } from '../rules/search-words.js';
import { titleClass, wordsCondition } from './compile-words.js';
import { type ColumnRef, comparisons, type OrderTerm, type Predicate, type TvRef } from './predicate.js';
import type { SqlDialect, SqlTable, TvDriver } from './sql-statement.js';

/** Text grows in the order of its parameters. */
export class StatementWriter {
  readonly params: (string | number)[] = [];
  private driver: TvDriver | null = null;

  constructor(
    private readonly table: SqlTable,
    private readonly key: string,
    private readonly dialect: SqlDialect,
  ) {}

  from(hint = ''): string {
    return `${this.dialect.quote(this.table.name)} AS t${hint}`;
  }

  selectList(columns: readonly string[], values: readonly ColumnRef[] = []): string {
    const names = columns.map((name) => (this.table.hasColumn(name) ? this.column(name) : 'NULL'));
    return [...names, ...values.map((ref) => this.comparable(ref))].join(', ');
  }

  column(name: string): string {
    return `t.${this.dialect.quote(name)}`;
  }

  drivenBy(driver: TvDriver | null, write: () => string): string {
    this.driver = driver;
    const text = write();
    this.driver = null;
    return text;
  }

  /** The FROM clause up to the condition; `from` is null to read values only. */
  driven(from: string | null): string {
    if (this.driver === null) return `${from} WHERE `;
    const { id, of, as } = this.driver.tv;
    const hint = this.dialect.orderHint(as === 'text' ? 'by_text' : 'by_number');
    const values = `hcd_tv_values AS d${hint}`;
    const joined =
      from === null ? values : `${values} ${this.dialect.inOrderJoin} ${from} ON ${this.column(this.key)} = d.resource`;
    return `${joined} WHERE d.tv = ${this.value(id)} AND d.part = ${tvParts[of]} AND `;
  }

  private stored(ref: ColumnRef): string {
    const { tv } = ref;
    if (tv === undefined)
      return this.driver !== null && ref.column === this.key ? 'd.resource' : this.column(ref.column);
    const isDriver = this.driver !== null && this.driver.tv.id === tv.id && this.driver.tv.of === tv.of;
    if (isDriver) return tvColumn('d', tv);
    if (tv.of === 'member') return tvColumn('m', tv);
    return `(SELECT ${tvColumn('v', tv)} FROM hcd_tv_values AS v${this.dialect.keyHint} WHERE v.resource = ${this.column(this.key)} AND v.tv = ${this.value(tv.id)} AND v.part = ${tvParts.value} AND v.place = 0)`;
  }

  private members(predicate: Extract<Predicate, { kind: 'tv_member' }>): string {
    const { ref, tv, member, negated } = predicate;
    if (this.driver?.member === predicate) return this.predicate(member);
    const resource = this.stored(ref);
    const marked = this.value(tv);
    return `${negated ? 'NOT ' : ''}EXISTS (SELECT 1 FROM hcd_tv_values AS m${this.dialect.keyHint} WHERE m.resource = ${resource} AND m.tv = ${marked} AND m.part = ${tvParts.member} AND ${this.predicate(member)})`;
  }

  value(value: string | number): string {
    this.params.push(value);
    return '?';
  }

  order(terms: readonly OrderTerm[], rank: SearchTerms | null = null): string {
    if (terms.length === 0) return '';
    const place = rank === null ? '' : titleClass(rank, (value) => this.value(value));
    const ofId = `s.resource = t.${this.dialect.quote('id')}`;
    const first = rank === null ? [] : [`(SELECT ${place} FROM hcd_search AS s WHERE ${ofId})`];
    const parts = terms.flatMap(({ ref, direction }) => {
      const empty = ref.tv !== undefined && ref.nullable ? [`${this.comparable(ref)} IS NULL`] : [];
      return [...empty, `${this.comparable(ref)}${direction === 'desc' ? ' DESC' : ''}`];
    });
    return ` ORDER BY ${[...first, ...parts].join(', ')}`;
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

  private isLoose(ref: ColumnRef): boolean {
    return ref.text && ref.tv === undefined && !this.table.isExact(ref.column);
  }

  private comparable(ref: ColumnRef): string {
    const column = this.stored(ref);
    return this.isLoose(ref) ? this.dialect.exactText(column) : column;
  }

  private compare({ ref, comparison, value }: Extract<Predicate, { kind: 'compare' }>): string {
    if (this.dialect.formsOf !== undefined && (comparison === 'eq' || comparison === 'neq'))
      return this.membership({ kind: 'in', ref, values: [value], negated: comparison === 'neq' });
    const { sign } = comparisons[comparison];
    if (!this.isLoose(ref)) return `${this.stored(ref)} ${sign} ${this.value(value)}`;
    this.params.push(value);
    const exact = `${this.comparable(ref)} ${sign} ${this.dialect.exactMark}`;
    // The loose comparison lets an index find candidates, the exact one decides.
    if (comparison !== 'eq') return exact;
    this.params.push(value);
    return `${this.column(ref.column)} = ${this.table.candidateMark(ref.column)} AND ${exact}`;
  }

  private membership({ ref, negated, ...asked }: Extract<Predicate, { kind: 'in' }>): string {
    const values = this.dialect.formsOf?.(asked.values) ?? asked.values;
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
    const likes = (this.dialect.formsOf?.([pattern]) ?? [pattern]).map((form) => {
      const text = this.dialect.foldedText(this.stored(ref));
      return `${text} LIKE ${this.dialect.foldedMark.replace('?', this.value(form))} ESCAPE '!'`;
    });
    return likes.length === 1 ? likes.join('') : `(${likes.join(' OR ')})`;
  }

  private words({ ref, terms, chosen }: Extract<Predicate, { kind: 'words' }>): string {
    return wordsCondition(chosen ?? { asked: markedWords(terms, 'text'), tested: [], isSlow: false }, {
      column: this.column(ref.column),
      dialect: this.dialect.name,
      value: (value) => this.value(value),
    });
  }

  private resourceGroups({ ref, protecting, granting }: Extract<Predicate, { kind: 'resource_groups' }>): string {
    if (granting.length === protecting.length) return '1 = 1';
    const within = (groups: readonly number[]) =>
      `EXISTS (SELECT 1 FROM ${this.dialect.quote(this.table.documentGroups)} AS g WHERE g.document = ${this.column(ref.column)} AND g.document_group IN (${groups.map((group) => this.value(group)).join(', ')}))`;
    const free = `NOT ${within(protecting)}`;
    return granting.length === 0 ? free : `(${free} OR ${within(granting)})`;
  }
}

const tvParts = Object.freeze({ value: 0, member: 1 });

function tvColumn(alias: string, { as }: TvRef): string {
  if (as === 'whole') return `COALESCE(${alias}.whole, ${alias}.text)`;
  return `${alias}.${as === 'any' ? 'resource' : as}`;
}
