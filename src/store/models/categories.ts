/** Element categories. */
import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

export interface CategoriesRow {
  id: number;
  parent: number | null;
  category: string;
  rank: number;
}

export function defineCategories(
  sequelize: Sequelize,
  prefix: string,
): ModelStatic<Model<CategoriesRow, Partial<CategoriesRow>>> {
  return sequelize.define<Model<CategoriesRow, Partial<CategoriesRow>>>(
    'categories',
    {
      id: { type: DataTypes.INTEGER, autoIncrement: true, primaryKey: true },
      parent: { type: DataTypes.INTEGER, allowNull: true, defaultValue: 0 },
      category: { type: DataTypes.STRING(45), allowNull: false, defaultValue: '' },
      rank: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
    },
    { tableName: `${prefix}categories`, timestamps: false },
  );
}
