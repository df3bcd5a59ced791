/** `hcd preset remove PRESET`: a preset that is needed no more. */
import { textValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { required } from '../parameters.js';

export const command = defineCommand({
  path: 'preset remove',
  summary: 'Remove a preset of banners',
  description: 'Removes a preset for good; banners that were made from it stay as they are.',
  arguments: {
    preset: required(textValue(), { placeholder: 'PRESET', description: 'Id or name of the preset' }),
  },
  options: {},
  examples: [
    { line: 'preset remove Notice', does: 'Remove a preset' },
    { line: 'preset remove 2 --yes --json', does: 'The same, from a script' },
  ],
  destructive: {},
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-preset.js')).runRemove(options, deps),
});
