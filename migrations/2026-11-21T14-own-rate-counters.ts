/** Requests of each caller in its current window, for rate limits that several processes share. */
import { required, stepOf } from './table.js';

export const { up, down } = stepOf([
  {
    name: 'rate_counters',
    columns: [required('bucket', 'varchar(190)'), required('ends_on', 'bigint(20)'), required('hits', 'bigint(20)')],
    primaryKey: ['bucket'],
    indexes: [{ name: 'ends_on', columns: ['ends_on'] }],
  },
]);
