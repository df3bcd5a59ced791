/** API keys of the gateway. */
import { digest, id, nullable, required, stepOf, time } from './table.js';

export const { up, down } = stepOf([
  {
    name: 'api_keys',
    columns: [
      id(),
      required('lookup_id', 'varchar(16)'),
      required('secret_hash', digest),
      nullable('previous_hash', digest),
      nullable('previous_ends_on', time),
      nullable('name', 'varchar(100)'),
      required('scopes', 'text'),
      nullable('user_id', 'int(10) unsigned'),
      nullable('rate_limit_max', 'int(10) unsigned'),
      nullable('rate_limit_window', 'int(10) unsigned'),
      nullable('expires_on', time),
      nullable('revoked_on', time),
      nullable('rotated_on', time),
      nullable('last_used_on', time),
      required('created_on', time),
      required('created_by', 'varchar(190)'),
    ],
    indexes: [{ name: 'lookup_id', columns: ['lookup_id'], unique: true }],
  },
]);
