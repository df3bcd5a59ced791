/** `hcd resource show ID`: one resource with all its fields. */
import { defineCommand } from '../command.js';
import { fieldsParameter } from '../content/query-flags.js';
import { required, toggle } from '../parameters.js';
import { idValue } from './id-value.js';

export const command = defineCommand({
  path: 'resource show',
  summary: 'Show a resource',
  description:
    'Shows one resource of any context, also when it is unpublished or deleted. Template variables are shown as they are stored: bindings that would run code are not evaluated.',
  arguments: { id: required(idValue, { placeholder: 'ID', description: 'Id of the resource' }) },
  options: { tvs: toggle('Show the template variables too'), fields: fieldsParameter },
  examples: [
    { line: 'resource show 42', does: 'Show every field' },
    { line: 'resource show 42 --fields pagetitle,uri --tvs --json', does: 'Read two fields and the variables' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-show.js')).runShow(options, deps),
});
