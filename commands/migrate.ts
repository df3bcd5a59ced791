/** `hcd migrate [up|down|status]`: the schema of the store. */
import { choiceValue, textValue } from '../src/config/value-type.js';
import { defineCommand } from './command.js';
import { optional } from './parameters.js';

export const command = defineCommand({
  path: 'migrate',
  summary: 'Bring the schema of the database up to date',
  description:
    'Applies what is pending (up, the default), takes back the last step (down) or lists every step (status). On the database of an existing MODX site only the tables with the prefix hcd_ are made; its content tables are never created, altered or dropped. Several runs at once wait for each other.',
  arguments: {
    action: optional(choiceValue(['up', 'down', 'status']), {
      placeholder: 'ACTION',
      description: 'What to do; up when left out',
    }),
  },
  options: {
    to: optional(textValue(), {
      placeholder: 'NAME',
      description: 'With down: take back all steps down to and including this one',
    }),
  },
  examples: [
    { line: 'migrate', does: 'Apply what is pending' },
    { line: 'migrate status --json', does: 'List the steps for a script' },
  ],
  destructive: { when: { says: 'Down removes tables with their data:', holds: ({ action }) => action === 'down' } },
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./migrate/run-migrate.js')).runMigrate(options, deps),
});
