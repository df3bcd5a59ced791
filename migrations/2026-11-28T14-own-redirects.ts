/** Old addresses of pages, and where they lead. */
import { count, digest, nullable, required, stepOf, time } from './table.js';

export const { up, down } = stepOf([
  {
    name: 'redirects',
    columns: [
      { name: 'id', type: 'bigint(20) unsigned', nullable: false, extra: 'auto increment' },
      // Of context and old address: an address may be longer than an index takes.
      required('digest', digest),
      required('context', 'varchar(100)'),
      required('source', 'text'),
      nullable('resource', count),
      nullable('target', 'text'),
      required('status', 'smallint(5) unsigned'),
      required('created_on', time),
    ],
    indexes: [
      { name: 'digest', columns: ['digest'], unique: true },
      { name: 'context', columns: ['context', 'id'] },
      { name: 'resource', columns: ['resource'] },
    ],
  },
]);
