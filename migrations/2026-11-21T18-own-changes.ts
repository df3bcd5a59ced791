/** What changed under which generation of the content, for a few minutes: processes drop exactly those answers. */
import { nullable, required, stepOf, type Table } from './table.js';

const tables: readonly Table[] = [
  {
    name: 'changes',
    columns: [
      required('generation', 'bigint(20)'),
      required('created_on', 'bigint(20)'),
      nullable('payload', 'mediumtext'),
    ],
    primaryKey: ['generation'],
  },
];

export const { up, down } = stepOf(tables);
