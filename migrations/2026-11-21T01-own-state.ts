/** The program's own small facts: root secret, generation of the content. */
import { required, stepOf } from './table.js';

export const { up, down } = stepOf([
  {
    name: 'state',
    columns: [required('key', 'varchar(100)'), required('value', 'text'), required('updated_at', 'bigint(20)')],
    primaryKey: ['key'],
  },
]);
