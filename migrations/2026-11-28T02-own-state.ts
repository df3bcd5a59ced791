/** Facts of the program itself: its state, unfinished copies, changes of the content, processes and refused requests. */
import { count, id, nullable, required, stepOf, time } from './table.js';

export const { up, down } = stepOf([
  {
    name: 'state',
    columns: [required('key', 'varchar(100)'), required('value', 'text'), required('updated_at', 'bigint(20)')],
    primaryKey: ['key'],
  },
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
  {
    name: 'changes',
    columns: [
      required('generation', 'bigint(20)'),
      required('created_on', 'bigint(20)'),
      nullable('payload', 'mediumtext'),
    ],
    primaryKey: ['generation'],
  },
  {
    name: 'processes',
    columns: [
      // Random: a process id is used again, and machines may share a name.
      required('id', 'varchar(32)'),
      required('host', 'varchar(190)'),
      required('pid', count),
      required('role', 'varchar(8)'),
      required('url', 'varchar(190)'),
      required('apis', 'varchar(64)'),
      required('version', 'varchar(64)'),
      required('started_on', time),
      required('seen_on', time),
      required('rss_bytes', 'bigint(20)'),
      // JSON.
      required('counts', 'text'),
      nullable('last_pass_on', time),
    ],
    indexes: [{ name: 'seen_on', columns: ['seen_on'] }],
  },
  {
    name: 'refusals',
    columns: [
      id(),
      required('request_id', 'varchar(64)'),
      required('created_on', time),
      required('api', 'varchar(32)'),
      required('method', 'varchar(16)'),
      // The pattern, never the address; NULL without a route.
      nullable('route', 'varchar(190)'),
      required('status', 'smallint(5) unsigned'),
      required('check_name', 'varchar(16)'),
      required('code', 'varchar(32)'),
      required('reason', 'text'),
      required('would_pass', 'text'),
    ],
    indexes: [
      { name: 'request_id', columns: ['request_id'] },
      { name: 'created_on', columns: ['created_on'] },
    ],
  },
]);
