/** Sessions of people who logged in at the gateway; they end by the database's clock. */
import { required, stepOf, time } from './table.js';

export const { up, down } = stepOf([
  {
    name: 'sessions',
    columns: [
      required('id_hash', 'varchar(64)'),
      required('user_id', 'int(10) unsigned'),
      // A change of the password by any program ends the session.
      required('password_mark', 'varchar(64)'),
      required('created_on', time),
      required('last_seen_on', time),
      // When it ends unless it is used before, never later than ends_on.
      required('expires_on', time),
      required('ends_on', time),
    ],
    primaryKey: ['id_hash'],
    indexes: [
      { name: 'expires_on', columns: ['expires_on'] },
      { name: 'user_id', columns: ['user_id'] },
    ],
  },
]);
