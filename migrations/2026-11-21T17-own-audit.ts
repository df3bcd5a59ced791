/** The audit log of the gateway. */
import { required, stepOf } from './table.js';

export const { up, down } = stepOf([
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
