/** What was last seen of each resource, so that changes by other programs are noticed, named and announced. */
import { digest, flag, nullable, required, stepOf } from './table.js';

const id = 'int(10) unsigned';

export const { up, down } = stepOf([
  {
    name: 'known_resources',
    columns: [
      required('resource', id),
      required('digest', digest),
      required('context_key', 'varchar(100)'),
      nullable('uri', 'text'),
      required('parent', id),
      required('published', flag),
      required('deleted', flag),
    ],
    primaryKey: ['resource'],
  },
]);
