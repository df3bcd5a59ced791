/** The values of template variables by resource, typed, with an index for numbers and one for texts. They are filled by the program. */
import { flag, nullable, required, stepOf } from './table.js';

export const { up, down } = stepOf([
  {
    name: 'tv_values',
    columns: [
      required('resource', 'int(10) unsigned'),
      required('tv', 'int(10) unsigned'),
      required('part', flag),
      required('place', 'int(10) unsigned'),
      nullable('number', 'double'),
      nullable('text', 'varchar(255)'),
      nullable('whole', 'mediumtext'),
    ],
    primaryKey: ['resource', 'tv', 'part', 'place'],
    indexes: [
      { name: 'by_number', columns: ['tv', 'part', 'number', 'resource'] },
      { name: 'by_text', columns: ['tv', 'part', 'text', 'resource'] },
    ],
  },
]);
