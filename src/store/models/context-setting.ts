/** Settings of one context, over the system settings. `editedon` is UTC text, YYYY-MM-DD HH:MM:SS. */
import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

export interface ContextSettingTableRow {
  context_key: string;
  key: string;
  value: string | null;
  xtype: string;
  namespace: string;
  area: string;
  editedon: string | null;
}

export function defineContextSetting(
  sequelize: Sequelize,
  prefix: string,
): ModelStatic<Model<ContextSettingTableRow, Partial<ContextSettingTableRow>>> {
  return sequelize.define<Model<ContextSettingTableRow, Partial<ContextSettingTableRow>>>(
    'context_setting',
    {
      context_key: { type: DataTypes.STRING(191), primaryKey: true, allowNull: false },
      key: { type: DataTypes.STRING(50), primaryKey: true, allowNull: false },
      value: { type: DataTypes.TEXT, allowNull: true, defaultValue: null },
      xtype: { type: DataTypes.STRING(75), allowNull: false, defaultValue: 'textfield' },
      namespace: { type: DataTypes.STRING(40), allowNull: false, defaultValue: 'core' },
      area: { type: DataTypes.STRING(255), allowNull: false, defaultValue: '' },
      editedon: { type: 'TIMESTAMP', allowNull: true, defaultValue: null },
    },
    { tableName: `${prefix}context_setting`, timestamps: false },
  );
}
