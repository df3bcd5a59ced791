/** API keys, OAuth clients and tokens, sessions, previews, and what limits requests and guesses. */
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
  {
    name: 'rate_counters',
    columns: [required('bucket', 'varchar(190)'), required('ends_on', 'bigint(20)'), required('hits', 'bigint(20)')],
    primaryKey: ['bucket'],
    indexes: [{ name: 'ends_on', columns: ['ends_on'] }],
  },
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
  {
    name: 'previews',
    columns: [
      id(),
      required('lookup_id', 'varchar(16)'),
      required('secret_hash', digest),
      required('context_key', 'varchar(100)'),
      nullable('resource_id', 'int(10) unsigned'),
      nullable('draft_revision', 'int(10) unsigned'),
      nullable('user_id', 'int(10) unsigned'),
      required('expires_on', time),
      nullable('revoked_on', time),
      required('created_on', time),
      required('created_by', 'varchar(190)'),
      // The session or log-in of the manager that made it; it ends with it. A sealed id of 191 characters has 304.
      nullable('session_hash', digest),
      nullable('cms_session', 'varchar(320)'),
    ],
    indexes: [
      { name: 'lookup_id', columns: ['lookup_id'], unique: true },
      { name: 'expires_on', columns: ['expires_on'] },
    ],
  },
]);
