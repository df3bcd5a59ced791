/** How far an unfinished `hcd db copy` into this database is. */
import type { MigrationContext } from '../src/store/migrations/migration.js';
import { createTables, dropTables, nullable, required, type Table } from './table.js';

const tables: readonly Table[] = [
  {
    name: 'copy',
    columns: [
      required('name', 'varchar(128)'),
      required('state', 'varchar(10)'),
      nullable('position', 'text'),
      required('copied', 'bigint(20)'),
      required('digest', 'varchar(32)'),
      required('updated_at', 'bigint(20)'),
    ],
    primaryKey: ['name'],
  },
];

export const up = (context: MigrationContext): Promise<void> => createTables(context, tables);
export const down = (context: MigrationContext): Promise<void> => dropTables(context, tables);
