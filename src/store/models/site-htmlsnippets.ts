/** Chunks. */
import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

export interface SiteHtmlsnippetsRow {
  id: number;
  source: number;
  property_preprocess: number;
  name: string;
  description: string;
  editor_type: number;
  category: number;
  cache_type: number;
  snippet: string | null;
  locked: number;
  properties: string | null;
  static: number;
  static_file: string;
}

export function defineSiteHtmlsnippets(
  sequelize: Sequelize,
  prefix: string,
): ModelStatic<Model<SiteHtmlsnippetsRow, Partial<SiteHtmlsnippetsRow>>> {
  return sequelize.define<Model<SiteHtmlsnippetsRow, Partial<SiteHtmlsnippetsRow>>>(
    'site_htmlsnippets',
    {
      id: { type: DataTypes.INTEGER, autoIncrement: true, primaryKey: true },
      source: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      property_preprocess: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
      name: { type: DataTypes.STRING(50), allowNull: false, defaultValue: '' },
      description: { type: DataTypes.STRING(255), allowNull: false, defaultValue: 'Chunk' },
      editor_type: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      category: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      cache_type: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
      snippet: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      locked: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
      properties: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      static: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
      static_file: { type: DataTypes.STRING(255), allowNull: false, defaultValue: '' },
    },
    { tableName: `${prefix}site_htmlsnippets`, timestamps: false },
  );
}
