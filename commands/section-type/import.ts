/** `hcd section-type import FILE`: section types of the site. */
import { fileValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { required, toggle } from '../parameters.js';

export const command = defineCommand({
  path: 'section-type import',
  summary: 'Add or replace section types from a file',
  description:
    'Reads one definition or an array of them as JSON: {"key", "version", "label", "category", "fields": [{"name", "type", "label", "required"}], "template", "availability", "thumbnail"}. All are checked, templates included, with every problem told at once; either all are taken in or none. A type of a key that is there takes its place, a shipped one too; pages that are published are rendered by it within a second. A definition that is the same as the shipped one brings that back.',
  arguments: {
    file: required(fileValue, { placeholder: 'FILE', description: 'The file, or - for standard input' }),
  },
  options: { dryRun: toggle('Check the definitions and change nothing') },
  examples: [
    { line: 'section-type import types.json', does: 'Put the section types of a file in force' },
    { line: 'section-type import types.json --dry-run --json', does: 'Check a file, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-import.js')).runImport(options, deps),
});
