/** Contexts. */
import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

export interface ContextRow {
  key: string;
  name: string | null;
  description: string | null;
  rank: number;
}

export function defineContext(
  sequelize: Sequelize,
  prefix: string,
): ModelStatic<Model<ContextRow, Partial<ContextRow>>> {
  return sequelize.define<Model<ContextRow, Partial<ContextRow>>>(
    'context',
    {
      key: { type: DataTypes.STRING(100), primaryKey: true, allowNull: false },
      name: { type: DataTypes.STRING(191), allowNull: true, defaultValue: null },
      description: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      rank: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
    },
    { tableName: `${prefix}context`, timestamps: false },
  );
}
