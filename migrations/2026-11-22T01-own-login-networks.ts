/** Networks from which users logged in recently. */
import { required, stepOf } from './table.js';

export const { up, down } = stepOf([
  {
    name: 'login_networks',
    columns: [
      // Keyed digest of user name and network in hexadecimal digits.
      required('pair_hash', 'varchar(64)'),
      // Unix milliseconds.
      required('ends_on', 'bigint(20)'),
    ],
    primaryKey: ['pair_hash'],
    indexes: [{ name: 'ends_on', columns: ['ends_on'] }],
  },
]);
