/** How far an unfinished `hcd db copy` into this database is. */
import { nullable, required, stepOf } from './table.js';

export const { up, down } = stepOf([
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
]);
