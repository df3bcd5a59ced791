/** What changed under which generation of the content, for a few minutes: processes drop exactly those answers. */
import { nullable, required, stepOf } from './table.js';

export const { up, down } = stepOf([
  {
    name: 'changes',
    columns: [
      required('generation', 'bigint(20)'),
      required('created_on', 'bigint(20)'),
      nullable('payload', 'mediumtext'),
    ],
    primaryKey: ['generation'],
  },
]);
