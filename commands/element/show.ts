/** `hcd element show KIND ID_OR_NAME`: one element with all its fields. */
import { textValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { fieldsParameter } from '../content/query-flags.js';
import { required } from '../parameters.js';
import { elementKindValue } from './kinds.js';

export const command = defineCommand({
  path: 'element show',
  summary: 'Show an element',
  description:
    'Shows one element with all its fields. A number is an id first and a name only where no element has that id; names are compared exactly. Several elements of one name are refused with their ids.',
  arguments: {
    kind: required(elementKindValue, { placeholder: 'KIND', description: 'What to show' }),
    element: required(textValue(), { placeholder: 'ID_OR_NAME', description: 'Id or name; the key of a context' }),
  },
  options: { fields: fieldsParameter },
  examples: [
    { line: 'element show template Home', does: 'Show a template by name' },
    { line: 'element show chunk 7 --fields snippet --json', does: 'Read the text of a chunk' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-show.js')).runShow(options, deps),
});
