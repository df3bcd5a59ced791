/** The CMS's login records and its log of what editors did. */
import type { MigrationContext } from '../src/store/migrations/migration.js';
import { column, createTables, dropTables, id, now, nullable, required, type Table } from './table.js';

const tables: readonly Table[] = [
  {
    name: 'session',
    columns: [column('id', 'varchar(191)', ''), required('access', 'int(20) unsigned'), nullable('data', 'mediumtext')],
    primaryKey: ['id'],
    indexes: [{ name: 'access', columns: ['access'] }],
  },
  {
    name: 'manager_log',
    columns: [
      id(),
      column('user', 'int(10) unsigned', 0),
      column('occurred', 'datetime', now),
      column('action', 'varchar(100)', ''),
      column('classKey', 'varchar(100)', ''),
      column('item', 'varchar(255)', '0'),
    ],
    primaryKey: ['id'],
    indexes: [{ name: 'user_occurred', columns: ['user', 'occurred'] }],
  },
];

export const up = (context: MigrationContext): Promise<void> => createTables(context, tables);
export const down = (context: MigrationContext): Promise<void> => dropTables(context, tables);
