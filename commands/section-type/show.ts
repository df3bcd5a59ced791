/** `hcd section-type show KEY`: one section type. */
import { defineCommand } from '../command.js';
import { toggle } from '../parameters.js';
import { keyParameter } from './parameters.js';

export const command = defineCommand({
  path: 'section-type show',
  summary: 'Show a section type, or its definition alone',
  description:
    'Shows a section type with its fields (those with an asterisk are required to publish), its template and the pages that use it. With --definition it prints the definition alone, as hcd section-type import takes it: the way to begin a type of your own. Of a hidden type that is the shipped definition, and importing it unchanged brings it back.',
  arguments: { key: keyParameter },
  options: { definition: toggle('Print the definition as JSON and nothing else') },
  examples: [
    { line: 'section-type show hero', does: 'See the fields of a type' },
    { line: 'section-type show hero --definition > hero.json', does: 'Save the definition to a file, to change it' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-show.js')).runShow(options, deps),
});
