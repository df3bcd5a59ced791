/** `hcd setting list`: the effective settings and where each value comes from. */
import { choiceValue, textValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { optional, toggle } from '../parameters.js';

export const command = defineCommand({
  path: 'setting list',
  summary: 'List settings with their values',
  description:
    'Lists the runtime settings of the three APIs with the value in effect and its source: environment, database or default. --all adds the settings of the content system itself; --context lists those that a context has for itself. Secrets are masked.',
  arguments: {},
  options: {
    api: optional(choiceValue(['gateway', 'pages', 'banners']), {
      placeholder: 'API',
      description: 'Only settings of this API',
    }),
    changed: toggle('Only settings that do not have their default'),
    all: toggle('List the settings of the content system too'),
    context: optional(textValue(), {
      placeholder: 'KEY',
      description: 'Only settings that this context has for itself',
    }),
  },
  examples: [
    { line: 'setting list --changed', does: 'Show what differs from the defaults' },
    { line: 'setting list --api gateway --json', does: 'Read the settings of one API' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-list.js')).runList(options, deps),
});
