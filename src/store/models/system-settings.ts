/** System settings. `editedon` is UTC text, YYYY-MM-DD HH:MM:SS. */
import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

export interface SystemSettingsRow {
  key: string;
  value: string;
  xtype: string;
  namespace: string;
  area: string;
  editedon: string | null;
}

export function defineSystemSettings(
  sequelize: Sequelize,
  prefix: string,
): ModelStatic<Model<SystemSettingsRow, Partial<SystemSettingsRow>>> {
  return sequelize.define<Model<SystemSettingsRow, Partial<SystemSettingsRow>>>(
    'system_settings',
    {
      key: { type: DataTypes.STRING(50), primaryKey: true, allowNull: false, defaultValue: '' },
      value: { type: DataTypes.TEXT, allowNull: false },
      xtype: { type: DataTypes.STRING(75), allowNull: false, defaultValue: 'textfield' },
      namespace: { type: DataTypes.STRING(40), allowNull: false, defaultValue: 'core' },
      area: { type: DataTypes.STRING(255), allowNull: false, defaultValue: '' },
      editedon: { type: 'TIMESTAMP', allowNull: true, defaultValue: null },
    },
    { tableName: `${prefix}system_settings`, timestamps: false },
  );
}
