/** OAuth of the gateway: clients, and the access tokens that were issued to them. */
import { digest, nullable, required, stepOf, time } from './table.js';

export const { up, down } = stepOf([
  {
    name: 'oauth_clients',
    columns: [
      required('client_id', 'varchar(64)'),
      required('secret_hash', digest),
      nullable('previous_hash', digest),
      nullable('previous_ends_on', time),
      required('name', 'varchar(100)'),
      required('scopes', 'text'),
      required('grants', 'varchar(190)'),
      nullable('rate_limit_max', 'int(10) unsigned'),
      nullable('rate_limit_window', 'int(10) unsigned'),
      nullable('revoked_on', time),
      nullable('rotated_on', time),
      // When it last got a token.
      nullable('last_used_on', time),
      required('created_on', time),
      required('created_by', 'varchar(190)'),
    ],
    primaryKey: ['client_id'],
  },
  {
    name: 'oauth_tokens',
    columns: [
      required('token_hash', digest),
      required('token_id', 'varchar(16)'),
      required('client_id', 'varchar(64)'),
      nullable('user_id', 'int(10) unsigned'),
      // A change of the password by any program ends the token.
      nullable('password_mark', 'varchar(64)'),
      required('scopes', 'text'),
      required('issued_on', time),
      required('expires_on', time),
      nullable('revoked_on', time),
    ],
    primaryKey: ['token_hash'],
    indexes: [
      { name: 'token_id', columns: ['token_id'], unique: true },
      { name: 'expires_on', columns: ['expires_on'] },
    ],
  },
]);
