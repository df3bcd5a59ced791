/**
 * Associations for joins, as in Sequelize: what is declared once with `belongsTo` or `hasMany` is read by `include`.
 *
 *     const client = belongsTo(oauthTokens, oauthClients, { as: 'client', foreignKey: 'clientId', targetKey: 'clientId' });
 *     const rows = await oauthTokens.on(db).findAll({ include: [{ association: client, attributes: ['name'] }] });
 *     rows[0]?.client?.name;
 *
 * Rows are those of the join: a row with three rows of a `hasMany` comes three times. `order: [['client', 'name', 'ASC']]`
 * orders by what is joined; so `as` must not be the name of a column.
 */
import type { FindOptions, Includeable, ModelStatic, Model as SequelizeModel } from 'sequelize';
import type { RawValue } from '../base/database.js';
import type { Association, Columns, Inclusion, Model, NameOf } from './finders.js';

/** The row of the target whose `targetKey` the source holds in `foreignKey`. */
export function belongsTo<C extends Columns, T extends Columns, const As extends string>(
  _source: Model<C>,
  target: Model<T>,
  keys: { readonly as: As; readonly foreignKey: NameOf<C>; readonly targetKey: NameOf<T> },
): Association<As, T> {
  const declare = (source: Static, joined: Static) => void source.belongsTo(joined, { ...keys, constraints: false });
  return { as: keys.as, target, declare };
}

/** The rows of the target that hold the `sourceKey` of the source in `foreignKey`. */
export function hasMany<C extends Columns, T extends Columns, const As extends string>(
  _source: Model<C>,
  target: Model<T>,
  keys: { readonly as: As; readonly sourceKey: NameOf<C>; readonly foreignKey: NameOf<T> },
): Association<As, T> {
  const declare = (source: Static, joined: Static) => void source.hasMany(joined, { ...keys, constraints: false });
  return { as: keys.as, target, declare };
}

/** The join as Sequelize takes it. `prefix` is that of the source. */
export function includeIn(
  { association, attributes, where, required = false }: Inclusion,
  { model, prefix }: { readonly model: Static; readonly prefix: string },
): Includeable {
  const { as, target } = association;
  if (model.sequelize === undefined) throw new Error('a model without a database');
  const joined = target.modelIn(model.sequelize, prefix);
  if (model.associations[as] === undefined) association.declare(model, joined);
  return { model: joined, as, attributes: [...(attributes ?? namesOf(target))], required, ...(where && { where }) };
}

/** The joined row among the cells of a row. */
export function includedIn({ association, attributes, required }: Inclusion, row: unknown): object | null {
  const { as, target } = association;
  const cells = (attributes ?? namesOf(target)).map((name) => [name, cellOf(row, `${as}.${name}`) ?? null] as const);
  if (required !== true && cells.every(([, cell]) => cell === null)) return null;
  return Object.fromEntries(cells.map(([name, cell]) => [name, target.columns[name]?.decode(cell)]));
}

/** Without what is computed when a row is read. */
function namesOf({ columns }: Model): string[] {
  return Object.keys(columns).filter((name) => columns[name]?.expression === undefined);
}

export type Static = ModelStatic<SequelizeModel>;

/** Without subqueries: a limit counts the joined rows. */
export async function findRaw(model: Static, options: FindOptions): Promise<unknown[]> {
  return model.findAll({ ...options, subQuery: false, raw: true });
}

export function cellOf(row: unknown, name: string): RawValue | undefined {
  return Reflect.get(Object(row), name);
}
