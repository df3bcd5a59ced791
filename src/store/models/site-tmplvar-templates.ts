/** Which template variable belongs to which template. */
import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

export interface SiteTmplvarTemplatesRow {
  tmplvarid: number;
  templateid: number;
  rank: number;
}

export function defineSiteTmplvarTemplates(
  sequelize: Sequelize,
  prefix: string,
): ModelStatic<Model<SiteTmplvarTemplatesRow, Partial<SiteTmplvarTemplatesRow>>> {
  return sequelize.define<Model<SiteTmplvarTemplatesRow, Partial<SiteTmplvarTemplatesRow>>>(
    'site_tmplvar_templates',
    {
      tmplvarid: { type: DataTypes.INTEGER, primaryKey: true, allowNull: false, defaultValue: 0 },
      templateid: { type: DataTypes.INTEGER, primaryKey: true, allowNull: false, defaultValue: 0 },
      rank: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
    },
    { tableName: `${prefix}site_tmplvar_templates`, timestamps: false },
  );
}
