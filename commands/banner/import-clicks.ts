/** `hcd banner import-clicks FILE`: clicks or impressions from a file. */
import { choiceValue, fileValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { required, toggle } from '../parameters.js';
import { eventTypes } from './import/event-columns.js';

export const command = defineCommand({
  path: 'banner import-clicks',
  summary: 'Import clicks or impressions',
  description:
    'Imports the events of a CSV file into the statistics. Its columns are those of GET /stats/export of the type, in any order; ad_id, position_id and the time are needed, the rest may be missing, and names are not read. Times are ISO 8601 with Z or an offset, or Unix seconds.\n\nThe whole file is checked first: an unknown banner or position, a bad value or a time to come is told with its line, and nothing is imported. An event counts once per visitor, banner, position and day: rows that are there already are counted and left out, so a file may be imported again. A visitor is the address where it is whole, else the row itself. Ids that the file gives are kept; an empty id is made.',
  arguments: { file: required(fileValue, { placeholder: 'FILE', description: 'The CSV file, in UTF-8' }) },
  options: {
    type: required(choiceValue(eventTypes), { placeholder: 'TYPE', description: 'What the rows are' }),
    dryRun: toggle('Check the file and count; change nothing'),
  },
  examples: [
    { line: 'banner import-clicks clicks.csv --type clicks --dry-run', does: 'See what a file would bring' },
    { line: 'banner import-clicks shown.csv --type impressions --json', does: 'Import impressions, from a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-import.js')).runImport(options, deps),
});
