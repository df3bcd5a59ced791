/** Answers to POST requests with an Idempotency-Key. */
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
]);
