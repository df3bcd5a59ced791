/** Values of template variables; without a row the default applies. */
import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

export interface SiteTmplvarContentvaluesRow {
  id: number;
  tmplvarid: number;
  contentid: number;
  value: string;
}

export function defineSiteTmplvarContentvalues(
  sequelize: Sequelize,
  prefix: string,
): ModelStatic<Model<SiteTmplvarContentvaluesRow, Partial<SiteTmplvarContentvaluesRow>>> {
  return sequelize.define<Model<SiteTmplvarContentvaluesRow, Partial<SiteTmplvarContentvaluesRow>>>(
    'site_tmplvar_contentvalues',
    {
      id: { type: DataTypes.INTEGER, autoIncrement: true, primaryKey: true },
      tmplvarid: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      contentid: { type: DataTypes.INTEGER, allowNull: false, defaultValue: 0 },
      value: { type: DataTypes.TEXT, allowNull: false },
    },
    { tableName: `${prefix}site_tmplvar_contentvalues`, timestamps: false },
  );
}
