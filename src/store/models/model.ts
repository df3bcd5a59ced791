/** Each model is the one place that names the columns of a table. No hooks, scopes or time stamps. */
import {
  type FindOptions,
  fn,
  literal,
  type ModelStatic,
  type ProjectionAlias,
  type Sequelize,
  type Model as SequelizeModel,
  type Transaction,
  Utils,
} from 'sequelize';
import { perObject } from '../../values/kept-values.js';
import { snakeCase } from '../../values/text.js';
import type { DialectName, Param, RawValue, Reader, Tx } from '../base/database.js';
import { dialectOf, type Upsert } from '../base/dialect.js';
import type { Changes, Columns, Finders, Key, LookUp, Model, NameOf, Row, Selection } from './finders.js';

export type RowOf<M> = M extends Model<infer C> ? Row<C> : never;

const wholeRows = {};
/** Longer lists would make too many texts. */
const mostInText = 8;

/** Attributes are in camel case, columns with underscores unless `named`. */
export function defineModel<const C extends Columns>(table: string, columns: C): Model<C> {
  const names: readonly NameOf<C>[] = Object.keys(columns);
  const stored = names.filter((name) => columns[name]?.expression === undefined);
  const columnNames = new Map(names.map((name) => [name, columns[name]?.attribute.field ?? snakeCase(name)]));
  const columnOf = (name: string): string => columnNames.get(name) ?? snakeCase(name);
  const texts = new Map<string, string>();
  const tablesOf = perObject<Sequelize, Map<string, Static>>(() => new Map());

  function modelIn(sequelize: Sequelize, prefix: string): Static {
    const tableName = nameIn(prefix);
    const byTable = tablesOf(sequelize);
    const found = byTable.get(tableName);
    if (found !== undefined) return found;
    const described = stored.map((name) => [name, { ...columns[name]?.attribute, field: columnOf(name) }]);
    const options = { tableName, timestamps: false, freezeTableName: true };
    const made: Static = sequelize.define(tableName, Object.fromEntries(described), options);
    byTable.set(tableName, made);
    return made;
  }

  function nameIn(prefix: string): string {
    return table.startsWith('hcd_') ? table : prefix + table;
  }

  function on(reader: Tx, prefix = ''): Changes<C> {
    const tableName = nameIn(prefix);
    const run = <T>(work: (model: Static, transaction: Transaction) => Promise<T>): Promise<T> =>
      reader.query(tableName, ({ sequelize, transaction }) => work(modelIn(sequelize, prefix), transaction));

    async function findAll<N extends NameOf<C>>(selection: Selection<C, N> = {}): Promise<Pick<Row<C>, N>[]> {
      const { attributes = names, ...rest } = selection;
      const selected = attributes.map((name): string | ProjectionAlias => {
        const expression = columns[name]?.expression;
        return expression === undefined ? name : [literal(expression(reader.dialect)), name];
      });
      const rows = await run((model, transaction) => findRaw(model, { ...rest, attributes: selected, transaction }));
      return rows.map((row) => decodeWith<NameOf<C>>(attributes, (name) => cellOf(row, name)));
    }

    async function lookUpAll<N extends NameOf<C> = NameOf<C>>(
      key: Key<C>,
      how: LookUp<C, N> = wholeRows,
    ): Promise<Pick<Row<C>, N>[]> {
      const params: RawValue[] = [];
      let shape: string | null = `${reader.dialect} ${tableName}`;
      for (const [name, given] of Object.entries(key)) {
        const values: readonly unknown[] = Array.isArray(given) ? given : [given];
        if (values.length === 0) return [];
        for (const value of values) params.push(columns[name]?.encode(value) ?? null);
        shape = shape === null || values.length > mostInText ? null : `${shape} ${name} ${values.length}`;
      }
      if (shape !== null && how !== wholeRows) shape += JSON.stringify(how);
      const text = shape === null ? undefined : texts.get(shape);
      const sql = text ?? lookUpText(reader.dialect, { tableName, key, how });
      if (shape !== null && text === undefined) texts.set(shape, sql);
      const rows = await reader.select({ sql, params, heavy: how.heavy ?? false });
      return rows.map((row) => decodeWith<NameOf<C>>(how.attributes ?? names, (_name, at) => row[at]));
    }

    const count = async ({ group, ...rest }: { readonly group?: readonly string[] } = {}) => {
      if (group === undefined) return run((model, transaction) => model.count({ ...rest, transaction }));
      const attributes: (string | ProjectionAlias)[] = [...group, [fn('COUNT', literal('*')), 'count']];
      const rows = await run((model, transaction) =>
        findRaw(model, { ...rest, attributes, group: group.map(columnOf), transaction }),
      );
      return rows.map((row) => ({
        ...decodeWith(group, (name) => cellOf(row, name)),
        count: Number(cellOf(row, 'count')),
      }));
    };

    return {
      findAll,
      findOne: async (selection) => (await findAll({ ...selection, limit: 1 }))[0] ?? null,
      lookUp: async (key) => (await lookUpAll(key))[0] ?? null,
      lookUpAll,
      count: count as Finders<C>['count'],
      async max(attribute, selection = {}) {
        const largest = await run((model, transaction) =>
          model.max<RawValue, SequelizeModel>(attribute, { ...selection, transaction }),
        );
        return largest === null ? null : decodeWith([attribute], () => largest)[attribute];
      },
      async create(row) {
        const values = encode(row);
        // A column that the row does not name gets its default, not NULL.
        const made = await run((model, transaction) =>
          model.create(values, { fields: Object.keys(values), transaction }),
        );
        return Number(made.get('id') ?? 0);
      },
      async bulkCreate(rows, { ignoreDuplicates = false, ...options } = {}) {
        // INSERT IGNORE of MariaDB would also cut values that do not fit: a taken key writes its own values.
        const key = options.conflictAttributes ?? stored.filter((name) => columns[name]?.attribute.primaryKey);
        const conflicts = ignoreDuplicates ? { updateOnDuplicate: [...key] } : {};
        const values = rows.map(encode);
        const fields = [...new Set(values.flatMap(Object.keys))];
        await run((model, transaction) => model.bulkCreate(values, { ...options, ...conflicts, fields, transaction }));
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
    { tableName, key, how }: { readonly tableName: string; readonly key: Key<C>; readonly how: LookUp<C> },
  ): string {
    const { attributes = names, order = [], limit, lock, stored: kept } = how;
    const mark = kept === undefined ? '?' : dialectOf(dialect).candidateMark(kept);
    const quoted = (attribute: string): string => `\`${columnOf(attribute)}\``;
    const conditions = Object.entries(key).map(([name, given]) =>
      Array.isArray(given) && given.length > 1
        ? `${quoted(name)} IN (${given.map(() => mark).join(', ')})`
        : `${quoted(name)} = ${mark}`,
    );
    return [
      `SELECT ${listOf(dialect, { attributes })} FROM \`${tableName}\``,
      ...(conditions.length === 0 ? [] : [`WHERE ${conditions.join(' AND ')}`]),
      ...(order.length === 0 ? [] : [`ORDER BY ${order.map(quoted).join(', ')}`]),
      ...(limit === undefined ? [] : [`LIMIT ${limit}`]),
      ...(lock === true && dialect === 'mariadb' ? ['FOR UPDATE'] : []),
    ].join(' ');
  }

  function listOf(dialect: DialectName, list: { alias?: string; attributes: readonly string[] }): string {
    const from = list.alias === undefined ? '' : `${list.alias}.`;
    return list.attributes
      .map((name) => columns[name]?.expression?.(dialect) ?? `${from}\`${columnOf(name)}\``)
      .join(', ');
  }

  function decodeWith<N extends NameOf<C>>(
    attributes: readonly N[],
    cell: (name: N, at: number) => RawValue | undefined,
  ): Pick<Row<C>, N> {
    const row: Record<string, unknown> = {};
    attributes.forEach((name, at) => {
      row[name] = columns[name]?.decode(cell(name, at) ?? null);
    });
    return row as Pick<Row<C>, N>;
  }

  function encode(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    return Object.fromEntries(
      given.map(([name, value]) => [name, isExpression(value) ? value : columns[name]?.encode(value)]),
    );
  }

  const decode: Model<C>['decode'] = (values, attributes) =>
    decodeWith<NameOf<C>>(attributes ?? names, (_name, at) => values[at]);

  const selectList: Model<C>['selectList'] = ({ dialect }, alias, attributes = names) =>
    listOf(dialect, { attributes, ...(alias === undefined ? {} : { alias }) });

  return Object.freeze({ table, columns, columnOf, selectList, decode, on, modelIn });
}

function isExpression(value: unknown): boolean {
  return value instanceof Utils.SequelizeMethod;
}

type Static = ModelStatic<SequelizeModel>;

async function findRaw(model: Static, options: FindOptions): Promise<unknown[]> {
  return model.findAll({ ...options, raw: true });
}

function cellOf(row: unknown, name: string): RawValue | undefined {
  return Reflect.get(Object(row), name);
}

/** Of one statement, unless a single row has more. */
const mostRows = 200;
const mostLetters = 250_000;

/** Columns outside the key get the values of the new row. */
export async function upsertRows<Name extends string>(
  tx: Pick<Tx, 'dialect' | 'run'>,
  { table, columns, key }: Pick<Upsert, 'table'> & { readonly columns: readonly Name[]; readonly key: readonly Name[] },
  rows: readonly Readonly<Record<Name, Param>>[],
): Promise<void> {
  const { upsert } = dialectOf(tx.dialect);
  const update = columns.filter((name) => !key.includes(name));
  for (const some of statementsOf(rows.map((row) => columns.map((name) => row[name])))) {
    await tx.run({ sql: upsert({ table, columns, key, update, rows: some.length }), params: some.flat() });
  }
}

function* statementsOf(rows: readonly (readonly Param[])[]): Generator<readonly (readonly Param[])[]> {
  let some: (readonly Param[])[] = [];
  let letters = 0;
  for (const row of rows) {
    const more = row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);
    if (some.length === mostRows || (some.length > 0 && letters + more > mostLetters)) {
      yield some;
      some = [];
      letters = 0;
    }
    some.push(row);
    letters += more;
  }
  if (some.length > 0) yield some;
}

/** Extra objects have no models. Names are from models, or from definitions that fit the table. */
export type ColumnValues = Readonly<Record<string, Param>>;

export interface RowAddress {
  readonly table: string;
  readonly where: ColumnValues;
}

export async function insertRow(tx: Tx, table: string, values: ColumnValues): Promise<number> {
  const { quote } = dialectOf(tx.dialect);
  const names = Object.keys(values);
  const { lastId } = await tx.run({
    sql: `INSERT INTO ${quote(table)} (${names.map(quote).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    params: Object.values(values),
  });
  return lastId;
}

export async function updateRows(tx: Tx, { table, where }: RowAddress, values: ColumnValues): Promise<void> {
  const names = Object.keys(values);
  if (names.length === 0) return;
  const { quote } = dialectOf(tx.dialect);
  await tx.run({
    sql: `UPDATE ${quote(table)} SET ${names.map((name) => `${quote(name)} = ?`).join(', ')} WHERE ${conditionOf(tx, where)}`,
    params: [...Object.values(values), ...Object.values(where)],
  });
}

export async function deleteRows(tx: Tx, { table, where }: RowAddress): Promise<void> {
  const { quote } = dialectOf(tx.dialect);
  const sql = `DELETE FROM ${quote(table)} WHERE ${conditionOf(tx, where)}`;
  await tx.run({ sql, params: Object.values(where) });
}

/** `except` is the key of a row that does not count. */
export async function hasRow(
  reader: Reader,
  { table, where }: RowAddress,
  except: ColumnValues = {},
): Promise<boolean> {
  const { quote } = dialectOf(reader.dialect);
  const others = Object.keys(except).map((name) => ` AND ${quote(name)} <> ?`);
  const rows = await reader.select({
    sql: `SELECT 1 FROM ${quote(table)} WHERE ${conditionOf(reader, where)}${others.join('')} LIMIT 1`,
    params: [...Object.values(where), ...Object.values(except)],
  });
  return rows.length > 0;
}

function conditionOf({ dialect }: Reader, where: ColumnValues): string {
  const { quote } = dialectOf(dialect);
  return Object.keys(where)
    .map((name) => `${quote(name)} = ?`)
    .join(' AND ');
}
