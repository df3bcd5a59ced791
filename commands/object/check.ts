/** `hcd object check FILE`: whether a server would accept a definition file. */
import { fileValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { required, toggle } from '../parameters.js';

export const command = defineCommand({
  path: 'object check',
  summary: 'Check a definition file of an extra object',
  description:
    'Reports every problem of the file with its line and column, as a server would at its start, and ends with 1 when there is one. Relations may name the objects of the objects folder. With --no-database only what shows in the file itself is checked: its form, not whether the table has the columns.',
  arguments: {
    file: required(fileValue, { placeholder: 'FILE', description: 'The file, such as objects/products.json' }),
  },
  options: { noDatabase: toggle('Check the file by itself and open no database') },
  examples: [
    { line: 'object check objects/products.json', does: 'Check a file against the tables' },
    { line: 'object check objects/products.json --no-database', does: 'Check its form, as in a build' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-check.js')).runCheck(options, deps),
});
