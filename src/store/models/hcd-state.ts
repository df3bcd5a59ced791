/** The program's own small facts; `updated_at` is Unix milliseconds. */
import { DataTypes, type Model, type ModelStatic, type Sequelize } from 'sequelize';

export interface HcdStateRow {
  key: string;
  value: string;
  updated_at: number;
}

export function defineHcdState(sequelize: Sequelize): ModelStatic<Model<HcdStateRow, Partial<HcdStateRow>>> {
  return sequelize.define<Model<HcdStateRow, Partial<HcdStateRow>>>(
    'hcd_state',
    {
      key: { type: DataTypes.STRING(100), primaryKey: true, allowNull: false },
      value: { type: DataTypes.TEXT, allowNull: false },
      updated_at: { type: DataTypes.BIGINT, allowNull: false },
    },
    { tableName: 'hcd_state', timestamps: false },
  );
}
