/** `hcd object list`: what the gateway exposes, with the origin of each object. */
import { defineCommand } from '../command.js';

export const command = defineCommand({
  path: 'object list',
  summary: 'List the registered objects',
  description:
    'Lists the core objects and those of definition files and plugins as a server started here would expose them: table, number of fields, what callers may do, where the definition is. Definitions that do not fit their tables are refused with every offending line.',
  arguments: {},
  options: {},
  examples: [
    { line: 'object list', does: 'Show what is registered' },
    { line: 'object list --json', does: 'Read the objects with their relations' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (_options, deps) => (await import('./run-list.js')).runList(deps),
});
