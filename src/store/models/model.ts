/**
 * Models: each is the one place that names the columns of a table. `model.on(reader)` has the finders of Sequelize, which
 * give decoded rows, and `model.on(tx)` its changes, which belong to the transaction; no hooks, scopes or time stamps.
 */
import {
  type fn,
  literal,
  type ModelStatic,
  type Order,
  type ProjectionAlias,
  type Sequelize,
  type Model as SequelizeModel,
  type Transaction,
  Utils,
  type WhereOptions,
} from 'sequelize';
import type { DialectName, RawRow, RawValue, Reader, Tx } from '../base/database.js';
import type { Column } from './columns.js';

type Static = ModelStatic<SequelizeModel>;
type Columns = Readonly<Record<string, Column>>;

/** A decoded row; values by the names of the attributes. */
export type Row<C extends Columns> = { readonly [K in keyof C]: C[K] extends Column<infer T> ? T : never };

type OptionalNames<C extends Columns> = { [K in keyof C]: C[K]['isOptional'] extends true ? K : never }[keyof C];

/** A row to be made; what has a default, may be NULL or is counted can be left out. */
export type NewRow<C extends Columns> = Values<Omit<Row<C>, OptionalNames<C>>> &
  Partial<Values<Pick<Row<C>, OptionalNames<C>>>>;

/** Values, or expressions of the database. */
type Values<R> = { readonly [K in keyof R]: R[K] | ReturnType<typeof literal | typeof fn> };

interface Selection<C extends Columns> {
  readonly where?: WhereOptions<Row<C>>;
  readonly order?: Order;
  readonly limit?: number;
}

/** Values that rows have, or lists of which they have one; none of them null. */
export type Key<C extends Columns> = { readonly [K in keyof C]?: Row<C>[K] | readonly Row<C>[K][] };

interface LookUp<C extends Columns, K extends keyof C> {
  /** All attributes without it. */
  readonly attributes?: readonly K[];
  /** Ascending. */
  readonly order?: readonly (keyof C & string)[];
  readonly limit?: number;
  /** Keeps the rows from other writers until the end of the transaction. SQLite has one writer at a time. */
  readonly lock?: boolean;
}

const wholeRows = {};

/** Rows that are changed or removed are always named. */
interface Target<C extends Columns> {
  readonly where: WhereOptions<Row<C>>;
  readonly limit?: number;
}

export interface Finders<C extends Columns> {
  findAll(selection?: Selection<C>): Promise<Row<C>[]>;
  /** The first of the rows; null without one. */
  findOne(selection: Selection<C>): Promise<Row<C> | null>;
  /**
   * The row with these values, by a statement that stays prepared; for what requests wait for. Values must name one row
   * by a key: they are compared by `=`, so none may be null.
   */
  lookUp(key: Partial<Row<C>>): Promise<Row<C> | null>;
  /** All rows with these values, prepared likewise; an empty key names every row. */
  lookUpAll<K extends keyof C = keyof C>(key: Key<C>, how?: LookUp<C, K>): Promise<Pick<Row<C>, K>[]>;
  count(selection?: Pick<Selection<C>, 'where'>): Promise<number>;
}

export interface Changes<C extends Columns> extends Finders<C> {
  /** Adds a row and gives its id, where the table counts one. Throws conflict when a key is taken. */
  create(row: NewRow<C>): Promise<number>;
  /** Adds rows; one whose primary key is taken gets the values of `updateOnDuplicate` from the new one. */
  bulkCreate(
    rows: readonly NewRow<C>[],
    options?: { readonly updateOnDuplicate?: (keyof C & string)[] },
  ): Promise<void>;
  /** Gives how many rows changed. MariaDB does not count those that had the values already. */
  update(values: Partial<Values<Row<C>>>, target: Target<C>): Promise<number>;
  /** Gives how many rows were removed. */
  destroy(target: Target<C>): Promise<number>;
}

export interface Model<C extends Columns = Columns> {
  /** Without prefix. */
  readonly table: string;
  readonly columns: C;
  /** The column of an attribute. */
  columnOf(attribute: string): string;
  /** For statements that docs/sql.md lists: the select list, and the row that it gives. */
  selectList(reader: Pick<Reader, 'dialect'>, alias?: string): string;
  decode(values: RawRow): Row<C>;
  /** `prefix` is that of the site, for tables of the CMS. */
  on(tx: Tx, prefix?: string): Changes<C>;
  on(reader: Reader, prefix?: string): Finders<C>;
}

/** The row of a model: `type ApiKeyRow = RowOf<typeof apiKeys>`. */
export type RowOf<M> = M extends Model<infer C> ? Row<C> : never;

/** Attributes are written in camel case and their columns with underscores, unless the attribute names a `field`. */
export function defineModel<const C extends Columns>(table: string, columns: C): Model<C> {
  const attributes = Object.entries(columns);
  const stored = attributes.filter(([, { expression }]) => expression === undefined);
  const columnNames = new Map(attributes.map(([name, { attribute }]) => [name, attribute.field ?? snakeCase(name)]));
  const columnOf = (name: string): string => columnNames.get(name) ?? snakeCase(name);
  /** Of look-ups, by dialect, table and attributes: a request waits for them. */
  const texts = new Map<string, string>();
  const known = new WeakMap<Sequelize, Map<string, Static>>();

  function modelIn(sequelize: Sequelize, tableName: string): Static {
    const byTable = known.get(sequelize) ?? new Map<string, Static>();
    known.set(sequelize, byTable);
    const found = byTable.get(tableName);
    if (found !== undefined) return found;
    const described = stored.map(([name, { attribute }]) => [name, { ...attribute, field: columnOf(name) }]);
    const options = { tableName, timestamps: false, freezeTableName: true };
    const made: Static = sequelize.define(tableName, Object.fromEntries(described), options);
    byTable.set(tableName, made);
    return made;
  }

  function on(reader: Tx, prefix = ''): Changes<C> {
    const tableName = prefix + table;
    const run = <T>(work: (model: Static, transaction: Transaction) => Promise<T>): Promise<T> =>
      reader.query(tableName, ({ sequelize, transaction }) => work(modelIn(sequelize, tableName), transaction));
    const findAll = async (selection: Selection<C> = {}): Promise<Row<C>[]> => {
      const selected = attributes.map(([name, { expression }]): string | ProjectionAlias =>
        expression === undefined ? name : [literal(expression(reader.dialect)), name],
      );
      const rows: unknown[] = await run((model, transaction) =>
        model.findAll({ ...selection, attributes: selected, raw: true, transaction }),
      );
      return rows.map((row) => decodeWith((name) => Reflect.get(Object(row), name)));
    };
    async function lookUpAll<K extends keyof C = keyof C>(
      key: Key<C>,
      how: LookUp<C, K> = wholeRows,
    ): Promise<Pick<Row<C>, K>[]> {
      const params: RawValue[] = [];
      let shape: string | null = `${reader.dialect} ${tableName}`;
      for (const [name, given] of Object.entries(key)) {
        const values: readonly unknown[] = Array.isArray(given) ? given : [given];
        if (values.length === 0) return [];
        for (const value of values) params.push(columns[name]?.encode(value) ?? null);
        // Texts with lists of any length would be too many to keep.
        shape = shape === null || values.length > 1 ? null : `${shape} ${name}`;
      }
      if (shape !== null && how !== wholeRows) shape += JSON.stringify(how);
      const text = shape === null ? undefined : texts.get(shape);
      const sql = text ?? lookUpText(reader.dialect, { tableName, key, how });
      if (shape !== null && text === undefined) texts.set(shape, sql);
      const rows = await reader.select({ sql, params });
      const asked = attributesOf(how.attributes);
      return rows.map((row) => decodeWith((_name, at) => row[at], asked));
    }
    return {
      findAll,
      findOne: async (selection) => (await findAll({ ...selection, limit: 1 }))[0] ?? null,
      lookUp: async (key) => (await lookUpAll(key))[0] ?? null,
      lookUpAll,
      count: (selection = {}) => run((model, transaction) => model.count({ ...selection, transaction })),
      async create(row) {
        const made = await run((model, transaction) => model.create(encode(row), { transaction }));
        return Number(made.get('id') ?? 0);
      },
      async bulkCreate(rows, { updateOnDuplicate } = {}) {
        const options = updateOnDuplicate === undefined ? {} : { updateOnDuplicate };
        await run((model, transaction) => model.bulkCreate(rows.map(encode), { ...options, transaction }));
      },
      async update(values, target) {
        const [changes] = await run((model, transaction) => model.update(encode(values), { ...target, transaction }));
        return changes;
      },
      destroy: (target) => run((model, transaction) => model.destroy({ ...target, transaction })),
    };
  }

  function lookUpText(
    dialect: DialectName,
    { tableName, key, how }: { tableName: string; key: Key<C>; how: LookUp<C, keyof C> },
  ): string {
    const { order = [], limit, lock } = how;
    const quoted = (attribute: string): string => `\`${columnOf(attribute)}\``;
    const conditions = Object.entries(key).map(([name, given]) =>
      Array.isArray(given) && given.length > 1
        ? `${quoted(name)} IN (${given.map(() => '?').join(', ')})`
        : `${quoted(name)} = ?`,
    );
    return [
      `SELECT ${listOf(dialect, { asked: attributesOf(how.attributes) })} FROM \`${tableName}\``,
      ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join(' AND ')}`]),
      ...(order.length === 0 ? [] : [`ORDER BY ${order.map(quoted).join(', ')}`]),
      ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
      ...(lock === true && dialect === 'mariadb' ? ['FOR UPDATE'] : []),
    ].join(' ');
  }

  function attributesOf(names: readonly (keyof C)[] | undefined): typeof attributes {
    return names === undefined ? attributes : attributes.filter(([name]) => names.includes(name));
  }

  /** `asked` in the order of the model. */
  function listOf(dialect: DialectName, { alias, asked }: { alias?: string; asked: typeof attributes }): string {
    const from = alias === undefined ? '' : `${alias}.`;
    return asked.map(([name, { expression }]) => expression?.(dialect) ?? `${from}\`${columnOf(name)}\``).join(', ');
  }

  function decodeWith(cellOf: (name: string, at: number) => RawValue | undefined, asked = attributes): Row<C> {
    const row: Record<string, unknown> = {};
    asked.forEach(([name, column], at) => {
      row[name] = column.decode(cellOf(name, at) ?? null);
    });
    return row as Row<C>;
  }

  function encode(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    return Object.fromEntries(
      given.map(([name, value]) => [name, isExpression(value) ? value : columns[name]?.encode(value)]),
    );
  }

  return Object.freeze({
    table,
    columns,
    columnOf,
    selectList: (reader: Pick<Reader, 'dialect'>, alias?: string) =>
      listOf(reader.dialect, { asked: attributes, ...(alias === undefined ? {} : { alias }) }),
    decode: (values: RawRow) => decodeWith((_name, at) => values[at]),
    on,
  });
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function isExpression(value: unknown): boolean {
  return value instanceof Utils.SequelizeMethod;
}
