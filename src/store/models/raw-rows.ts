/** Rows as the database gave them, by the names of the attributes. */
import type { FindOptions, ModelStatic, Model as SequelizeModel } from 'sequelize';
import type { RawValue } from '../base/database.js';

export type Static = ModelStatic<SequelizeModel>;

/** Without subqueries: a limit counts the joined rows. */
export async function findRaw(model: Static, options: FindOptions): Promise<unknown[]> {
  return model.findAll({ ...options, subQuery: false, raw: true });
}

export function cellOf(row: unknown, name: string): RawValue | undefined {
  return Reflect.get(Object(row), name);
}
