/** Links that show one resource, or one context, before it is published. */
import { digest, id, nullable, required, stepOf, time } from './table.js';

export const { up, down } = stepOf([
  {
    name: 'previews',
    columns: [
      id(),
      required('lookup_id', 'varchar(16)'),
      required('secret_hash', digest),
      required('context_key', 'varchar(100)'),
      // NULL for a whole context.
      nullable('resource_id', 'int(10) unsigned'),
      nullable('draft_revision', 'int(10) unsigned'),
      nullable('user_id', 'int(10) unsigned'),
      required('expires_on', time),
      nullable('revoked_on', time),
      required('created_on', time),
      required('created_by', 'varchar(190)'),
    ],
    indexes: [
      { name: 'lookup_id', columns: ['lookup_id'], unique: true },
      { name: 'expires_on', columns: ['expires_on'] },
    ],
  },
]);
