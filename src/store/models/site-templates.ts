/** Templates. */
import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

export interface SiteTemplatesRow {
  id: number;
  source: number;
  property_preprocess: number;
  templatename: string;
  description: string;
  editor_type: number;
  category: number;
  icon: string;
  template_type: number;
  content: string;
  locked: number;
  properties: string | null;
  static: number;
  static_file: string;
  preview_file: string;
}

export function defineSiteTemplates(
  sequelize: Sequelize,
  prefix: string,
): ModelStatic<Model<SiteTemplatesRow, Partial<SiteTemplatesRow>>> {
  return sequelize.define<Model<SiteTemplatesRow, Partial<SiteTemplatesRow>>>(
    'site_templates',
    {
      id: { type: DataTypes.INTEGER, autoIncrement: true, primaryKey: true },
      source: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      property_preprocess: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
      templatename: { type: DataTypes.STRING(50), allowNull: false, defaultValue: '' },
      description: { type: DataTypes.STRING(255), allowNull: false, defaultValue: '' },
      editor_type: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      category: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      icon: { type: DataTypes.STRING(255), allowNull: false, defaultValue: '' },
      template_type: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      content: { type: DataTypes.TEXT, allowNull: false },
      locked: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
      properties: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      static: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
      static_file: { type: DataTypes.STRING(255), allowNull: false, defaultValue: '' },
      preview_file: { type: DataTypes.STRING(191), allowNull: false, defaultValue: '' },
    },
    { tableName: `${prefix}site_templates`, timestamps: false },
  );
}
