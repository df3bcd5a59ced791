/** Template variables. */
import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

export interface SiteTmplvarsRow {
  id: number;
  source: number;
  property_preprocess: number;
  type: string;
  name: string;
  caption: string;
  description: string;
  editor_type: number;
  category: number;
  locked: number;
  elements: string | null;
  rank: number;
  display: string;
  default_text: string | null;
  properties: string | null;
  input_properties: string | null;
  output_properties: string | null;
  static: number;
  static_file: string;
}

export function defineSiteTmplvars(
  sequelize: Sequelize,
  prefix: string,
): ModelStatic<Model<SiteTmplvarsRow, Partial<SiteTmplvarsRow>>> {
  return sequelize.define<Model<SiteTmplvarsRow, Partial<SiteTmplvarsRow>>>(
    'site_tmplvars',
    {
      id: { type: DataTypes.INTEGER, autoIncrement: true, primaryKey: true },
      source: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      property_preprocess: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
      type: { type: DataTypes.STRING(20), allowNull: false, defaultValue: '' },
      name: { type: DataTypes.STRING(50), allowNull: false, defaultValue: '' },
      caption: { type: DataTypes.STRING(80), allowNull: false, defaultValue: '' },
      description: { type: DataTypes.STRING(255), allowNull: false, defaultValue: '' },
      editor_type: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      category: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      locked: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
      elements: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      rank: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      display: { type: DataTypes.STRING(20), allowNull: false, defaultValue: '' },
      default_text: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      properties: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      input_properties: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      output_properties: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      static: { type: DataTypes.TINYINT, allowNull: false, defaultValue: 0 },
      static_file: { type: DataTypes.STRING(255), allowNull: false, defaultValue: '' },
    },
    { tableName: `${prefix}site_tmplvars`, timestamps: false },
  );
}
