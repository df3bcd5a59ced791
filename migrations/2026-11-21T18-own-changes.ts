/** What changed under which generation of the content, for a few minutes: processes drop exactly those answers. */
import type { MigrationContext } from '../src/store/migrations/migration.js';
import { createTables, dropTables, nullable, required, type Table } from './table.js';

const tables: readonly Table[] = [
  {
    name: 'changes',
    columns: [
      required('generation', 'bigint(20)'),
      required('created_on', 'bigint(20)'),
      nullable('payload', 'mediumtext'),
    ],
    primaryKey: ['generation'],
  },
];

export const up = (context: MigrationContext): Promise<void> => createTables(context, tables);
export const down = (context: MigrationContext): Promise<void> => dropTables(context, tables);
