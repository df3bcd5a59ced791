/** Types of the methods of models: Sequelize's finders and changes with decoded rows. */
import type { col, fn, literal, ModelStatic, Order, Sequelize, Model as SequelizeModel, WhereOptions } from 'sequelize';
import type { Heavy, RawRow, Reader, Tx } from '../base/database.js';
import type { CharacterSet } from '../base/dialect.js';
import type { Column } from './columns.js';

export type Columns = Readonly<Record<string, Column>>;
export type NameOf<C extends Columns> = keyof C & string;

export type Row<C extends Columns> = { readonly [K in NameOf<C>]: C[K] extends Column<infer T> ? T : never };

type OptionalNames<C extends Columns> = { [K in NameOf<C>]: C[K]['isOptional'] extends true ? K : never }[NameOf<C>];

/** What has a default, may be NULL or is counted can be left out. */
export type NewRow<C extends Columns> = Values<Omit<Row<C>, OptionalNames<C>>> &
  Partial<Values<Pick<Row<C>, OptionalNames<C>>>>;

type Values<R> = { readonly [K in keyof R]: R[K] | ReturnType<typeof literal | typeof fn | typeof col> };

/** As in Sequelize; without `attributes` rows have all of them. */
export interface Selection<C extends Columns, N extends NameOf<C> = NameOf<C>> {
  readonly attributes?: readonly N[];
  readonly where?: WhereOptions<Row<C>>;
  readonly order?: Order;
  readonly limit?: number;
  readonly offset?: number;
  /** Others cannot change the rows until the transaction ends (SELECT … FOR UPDATE; SQLite has one writer anyway). */
  readonly lock?: boolean;
}

/** A list means one of its values; none may be null. */
export type Key<C extends Columns> = { readonly [K in NameOf<C>]?: Row<C>[K] | readonly Row<C>[K][] };

export interface LookUp<C extends Columns, N extends NameOf<C> = NameOf<C>> {
  readonly attributes?: readonly N[];
  readonly order?: readonly NameOf<C>[];
  readonly limit?: number;
  readonly lock?: boolean;
  /** The CMS's collation may find more than is equal. */
  readonly stored?: CharacterSet | undefined;
  readonly heavy?: Heavy;
}

/** Rows that are changed or removed are always named. */
interface Target<C extends Columns> {
  readonly where: WhereOptions<Row<C>>;
  readonly limit?: number;
}

export interface Finders<C extends Columns> {
  findAll<N extends NameOf<C> = NameOf<C>>(selection?: Selection<C, N>): Promise<Pick<Row<C>, N>[]>;
  findOne<N extends NameOf<C> = NameOf<C>>(selection: Selection<C, N>): Promise<Pick<Row<C>, N> | null>;
  /** Prepared, for what requests wait for. Values must name one row by a key; none may be null. */
  lookUp(key: Partial<Row<C>>): Promise<Row<C> | null>;
  /** Prepared too; an empty key names every row. */
  lookUpAll<N extends NameOf<C> = NameOf<C>>(key: Key<C>, how?: LookUp<C, N>): Promise<Pick<Row<C>, N>[]>;
  count(selection?: Pick<Selection<C>, 'where'>): Promise<number>;
  /** By values of the attributes; `count: 0` does not occur. */
  count<N extends NameOf<C>>(
    selection: Pick<Selection<C>, 'where'> & { readonly group: readonly N[] },
  ): Promise<(Pick<Row<C>, N> & { readonly count: number })[]>;
  max<N extends NameOf<C>>(attribute: N, selection?: Pick<Selection<C>, 'where'>): Promise<Row<C>[N] | null>;
}

interface BulkOptions<C extends Columns> {
  /** Columns that a row with a taken key gets from the new one. */
  readonly updateOnDuplicate?: NameOf<C>[];
  readonly ignoreDuplicates?: boolean;
  readonly conflictAttributes?: NameOf<C>[];
}

export interface Changes<C extends Columns> extends Finders<C> {
  /** Returns the id if the table counts one. Throws conflict when a key is taken. */
  create(row: NewRow<C>): Promise<number>;
  /** Rows name the same attributes; all are added or none. */
  bulkCreate(rows: readonly NewRow<C>[], options?: BulkOptions<C>): Promise<void>;
  /** Returns the number of changed rows. MariaDB does not count rows that already had the values. */
  update(values: Partial<Values<Row<C>>>, target: Target<C>): Promise<number>;
  destroy(target: Target<C>): Promise<number>;
}

export interface Model<C extends Columns = Columns> {
  readonly table: string;
  readonly columns: C;
  columnOf(attribute: string): string;
  /** For statements that docs/sql.md lists. */
  selectList(reader: Pick<Reader, 'dialect'>, alias?: string, attributes?: readonly NameOf<C>[]): string;
  decode<N extends NameOf<C> = NameOf<C>>(values: RawRow, attributes?: readonly N[]): Pick<Row<C>, N>;
  /** Own tables have no prefix. */
  on(tx: Tx, prefix?: string): Changes<C>;
  on(reader: Reader, prefix?: string): Finders<C>;
  modelIn(sequelize: Sequelize, prefix: string): ModelStatic<SequelizeModel>;
}
