/** Ancestors of categories: each category itself at depth 0, and every ancestor up to the virtual root 0. */
import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

export interface CategoriesClosureRow {
  ancestor: number;
  descendant: number;
  depth: number;
}

export function defineCategoriesClosure(
  sequelize: Sequelize,
  prefix: string,
): ModelStatic<Model<CategoriesClosureRow, Partial<CategoriesClosureRow>>> {
  return sequelize.define<Model<CategoriesClosureRow, Partial<CategoriesClosureRow>>>(
    'categories_closure',
    {
      ancestor: { type: DataTypes.INTEGER, primaryKey: true, allowNull: false, defaultValue: 0 },
      descendant: { type: DataTypes.INTEGER, primaryKey: true, allowNull: false, defaultValue: 0 },
      depth: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
    },
    { tableName: `${prefix}categories_closure`, timestamps: false },
  );
}
