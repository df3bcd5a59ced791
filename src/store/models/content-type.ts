/** Content types. */
import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

export interface ContentTypeRow {
  id: number;
  name: string;
  description: string | null;
  mime_type: string | null;
  file_extensions: string | null;
  icon: string | null;
  headers: string | null;
  binary: number;
}

export function defineContentType(
  sequelize: Sequelize,
  prefix: string,
): ModelStatic<Model<ContentTypeRow, Partial<ContentTypeRow>>> {
  return sequelize.define<Model<ContentTypeRow, Partial<ContentTypeRow>>>(
    'content_type',
    {
      id: { type: DataTypes.INTEGER, autoIncrement: true, primaryKey: true },
      name: { type: DataTypes.STRING(191), allowNull: false },
      description: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      mime_type: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      file_extensions: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      icon: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      headers: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      binary: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
    },
    { tableName: `${prefix}content_type`, timestamps: false },
  );
}
