/** The CMS's login records and its log of what editors did. */
import { column, id, now, nullable, required, stepOf } from './table.js';

export const { up, down } = stepOf([
  {
    name: 'session',
    columns: [column('id', 'varchar(191)', ''), required('access', 'int(20) unsigned'), nullable('data', 'mediumtext')],
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
    indexes: [{ name: 'user_occurred', columns: ['user', 'occurred'] }],
  },
]);
