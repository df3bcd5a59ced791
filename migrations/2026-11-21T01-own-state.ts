/** The program's own small facts: root secret, generation of the content. */
import type { MigrationContext } from '../src/store/migrations/migration.js';
import { createTables, dropTables, required, type Table } from './table.js';

const tables: readonly Table[] = [
  {
    name: 'state',
    columns: [required('key', 'varchar(100)'), required('value', 'text'), required('updated_at', 'bigint(20)')],
    primaryKey: ['key'],
  },
];

export const up = (context: MigrationContext): Promise<void> => createTables(context, tables);
export const down = (context: MigrationContext): Promise<void> => dropTables(context, tables);
