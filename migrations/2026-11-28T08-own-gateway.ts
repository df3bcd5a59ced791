/** Answers to POST requests with an Idempotency-Key, and the audit log of the gateway. */
import { digest, nullable, required, stepOf, time } from './table.js';

export const { up, down } = stepOf([
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
    indexes: [{ name: 'expires_on', columns: ['expires_on'] }],
  },
  {
    name: 'audit',
    columns: [
      // 32 bits would not suffice for a busy site that logs its reads.
      { name: 'id', type: 'bigint(20) unsigned', nullable: false, extra: 'auto increment' },
      required('request_id', 'varchar(64)'),
      required('identity', 'varchar(190)'),
      required('method', 'varchar(8)'),
      required('path', 'varchar(2048)'),
      required('context', 'varchar(64)'),
      required('status', 'smallint(5) unsigned'),
      required('duration_ms', 'int(10) unsigned'),
      // Unix milliseconds by the clock of the database.
      required('created_on', 'bigint(20)'),
    ],
    indexes: [
      { name: 'created_on', columns: ['created_on', 'id'] },
      { name: 'identity', columns: ['identity', 'created_on', 'id'] },
      { name: 'request_id', columns: ['request_id'] },
    ],
  },
]);
