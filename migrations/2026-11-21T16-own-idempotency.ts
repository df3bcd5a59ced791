/** Answers to POST requests with an Idempotency-Key, so that a request that comes again is answered again and done once. */
import type { MigrationContext } from '../src/store/migrations/migration.js';
import { createTables, dropTables, nullable, required, type Table } from './table.js';

/** Unix milliseconds. */
const time = 'bigint(20)';
/** SHA-256 in hexadecimal digits. */
const digest = 'varchar(64)';

const tables: readonly Table[] = [
  {
    name: 'idempotency_keys',
    columns: [
      // Of caller, method, path and key together: a path may be longer than an index takes.
      required('id', digest),
      required('claim', 'varchar(32)'),
      required('fingerprint', digest),
      required('actor', 'varchar(190)'),
      required('idempotency_key', 'varchar(128)'),
      nullable('status', 'int(10) unsigned'),
      nullable('headers', 'text'),
      nullable('body', 'longtext'),
      required('created_on', time),
      required('expires_on', time),
    ],
    primaryKey: ['id'],
    indexes: [{ name: 'expires_on', columns: ['expires_on'] }],
  },
];

export const up = (context: MigrationContext): Promise<void> => createTables(context, tables);
export const down = (context: MigrationContext): Promise<void> => dropTables(context, tables);
