/**
 * The methods of models: the finders and changes of Sequelize, with decoded rows whose types follow from the columns.
 */
import type { col, fn, literal, ModelStatic, Order, Sequelize, Model as SequelizeModel, WhereOptions } from 'sequelize';
import type { Heavy, RawRow, Reader, Tx } from '../base/database.js';
import type { CharacterSet } from '../base/dialect.js';
import type { Column } from './columns.js';

export type Columns = Readonly<Record<string, Column>>;
export type NameOf<C extends Columns> = keyof C & string;

/** A decoded row; values by the names of the attributes. */
export type Row<C extends Columns> = { readonly [K in NameOf<C>]: C[K] extends Column<infer T> ? T : never };

type OptionalNames<C extends Columns> = { [K in NameOf<C>]: C[K]['isOptional'] extends true ? K : never }[NameOf<C>];

/** A row to be made; what has a default, may be NULL or is counted can be left out. */
export type NewRow<C extends Columns> = Values<Omit<Row<C>, OptionalNames<C>>> &
  Partial<Values<Pick<Row<C>, OptionalNames<C>>>>;

/** Values, or expressions of the database. */
type Values<R> = { readonly [K in keyof R]: R[K] | ReturnType<typeof literal | typeof fn | typeof col> };

/** Which rows to read, as in Sequelize; without `attributes` they have all of them. */
export interface Selection<C extends Columns, N extends NameOf<C> = NameOf<C>, I extends readonly Inclusion[] = []> {
  readonly attributes?: readonly N[];
  readonly where?: WhereOptions<Row<C>>;
  readonly include?: I;
  readonly order?: Order;
  readonly limit?: number;
  readonly offset?: number;
  /**
   * Until the transaction ends, others cannot change the rows (SELECT … FOR UPDATE; on SQLite no other writes anyway).
   */
  readonly lock?: boolean;
}

export type Found<C extends Columns, N extends NameOf<C>, I extends readonly Inclusion[]> = Pick<Row<C>, N> &
  Included<I>;

/** Values that rows have, or lists of which they have one; none of them null. */
export type Key<C extends Columns> = { readonly [K in NameOf<C>]?: Row<C>[K] | readonly Row<C>[K][] };

export interface LookUp<C extends Columns, N extends NameOf<C> = NameOf<C>> {
  readonly attributes?: readonly N[];
  /** Ascending. */
  readonly order?: readonly NameOf<C>[];
  readonly limit?: number;
  /** As of `findAll`. */
  readonly lock?: boolean;
  /** How the content system keeps the text that is looked for; its collation may find more than is equal. */
  readonly stored?: CharacterSet | undefined;
  /** As of a statement: on SQLite it then runs off the event loop. */
  readonly heavy?: Heavy;
}

/** Rows that are changed or removed are always named. */
interface Target<C extends Columns> {
  readonly where: WhereOptions<Row<C>>;
  readonly limit?: number;
}

export interface Finders<C extends Columns> {
  findAll<N extends NameOf<C> = NameOf<C>, const I extends readonly Inclusion[] = []>(
    selection?: Selection<C, N, I>,
  ): Promise<Found<C, N, I>[]>;
  /** The first of the rows; null without one. */
  findOne<N extends NameOf<C> = NameOf<C>, const I extends readonly Inclusion[] = []>(
    selection: Selection<C, N, I>,
  ): Promise<Found<C, N, I> | null>;
  /**
   * The row with these values, by a statement that stays prepared; for what requests wait for. Values must name one row
   * by a key: they are compared by `=`, so none may be null.
   */
  lookUp(key: Partial<Row<C>>): Promise<Row<C> | null>;
  /** All rows with these values, prepared likewise; an empty key names every row. */
  lookUpAll<N extends NameOf<C> = NameOf<C>>(key: Key<C>, how?: LookUp<C, N>): Promise<Pick<Row<C>, N>[]>;
  count(selection?: Pick<Selection<C>, 'where'>): Promise<number>;
  /** How many rows there are for each value of the attributes; `count: 0` does not occur. */
  count<N extends NameOf<C>>(
    selection: Pick<Selection<C>, 'where'> & { readonly group: readonly N[] },
  ): Promise<(Pick<Row<C>, N> & { readonly count: number })[]>;
  /** The largest value of an attribute; null without rows. */
  max<N extends NameOf<C>>(attribute: N, selection?: Pick<Selection<C>, 'where'>): Promise<Row<C>[N] | null>;
}

interface BulkOptions<C extends Columns> {
  /** What a row whose key is taken gets from the new one. */
  readonly updateOnDuplicate?: NameOf<C>[];
  /** Leaves a row whose key is taken as it is. */
  readonly ignoreDuplicates?: boolean;
  /** The unique key that may be taken, when it is not the primary key. */
  readonly conflictAttributes?: NameOf<C>[];
}

export interface Changes<C extends Columns> extends Finders<C> {
  /** Adds a row and gives its id, where the table counts one. Throws conflict when a key is taken. */
  create(row: NewRow<C>): Promise<number>;
  /**
   * Adds rows that name the same attributes, together or not at all. With one row and `updateOnDuplicate` it is an
   * upsert.
   */
  bulkCreate(rows: readonly NewRow<C>[], options?: BulkOptions<C>): Promise<void>;
  /** Gives how many rows changed. MariaDB does not count those that had the values already. */
  update(values: Partial<Values<Row<C>>>, target: Target<C>): Promise<number>;
  /**
   * Adds to numbers, or subtracts negative ones: `increment({ hits: 1 }, { where: { id } })`. Gives how many rows
   * changed.
   */
  increment(amounts: Partial<Record<NameOf<C>, number>>, target: Target<C>): Promise<number>;
  /** Gives how many rows were removed. */
  destroy(target: Target<C>): Promise<number>;
}

export interface Model<C extends Columns = Columns> {
  /** Without prefix. */
  readonly table: string;
  readonly columns: C;
  /** The column of an attribute. */
  columnOf(attribute: string): string;
  /** For statements that docs/sql.md lists: the select list of some attributes or all, and the row that it gives. */
  selectList(reader: Pick<Reader, 'dialect'>, alias?: string, attributes?: readonly NameOf<C>[]): string;
  decode<N extends NameOf<C> = NameOf<C>>(values: RawRow, attributes?: readonly N[]): Pick<Row<C>, N>;
  /** `prefix` is that of the site; own tables have none. */
  on(tx: Tx, prefix?: string): Changes<C>;
  on(reader: Reader, prefix?: string): Finders<C>;
  /** For associations. */
  modelIn(sequelize: Sequelize, prefix: string): ModelStatic<SequelizeModel>;
}

/** Another model whose row, or rows, belong to a row. */
export interface Association<As extends string = string, C extends Columns = Columns> {
  /** The name of the joined row in the result. */
  readonly as: As;
  readonly target: Model<C>;
  /** Tells Sequelize of it. */
  declare(source: ModelStatic<SequelizeModel>, target: ModelStatic<SequelizeModel>): void;
}

/** A join. Without `required` it is a LEFT JOIN, whose row is null where there is none. */
export interface Inclusion<A extends Association = Association> {
  readonly association: A;
  readonly attributes?: readonly (keyof A['target']['columns'] & string)[];
  readonly where?: WhereOptions;
  readonly required?: boolean;
}

type Included<I extends readonly Inclusion[]> = {
  readonly [E in I[number] as E['association']['as']]:
    | IncludedRow<E>
    | (E extends { readonly required: true } ? never : null);
};

type IncludedRow<E extends Inclusion> =
  E['association'] extends Association<string, infer C>
    ? Pick<Row<C>, E extends { readonly attributes: readonly (infer N)[] } ? N & NameOf<C> : NameOf<C>>
    : never;
