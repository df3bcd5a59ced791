/** `hcd page list`: the pages with their numbers and plans. */
import { choiceValue } from '../../src/config/value-type.js';
import type { PageState } from '../../src/pages/authoring/page-view.js';
import { defineCommand } from '../command.js';
import { optional, toggle } from '../parameters.js';
import { partParameters } from './parameters.js';

const states = ['draft', 'published', 'changed', 'withdrawn'] as const satisfies readonly PageState[];

export const command = defineCommand({
  path: 'page list',
  summary: 'List pages with their state and plans',
  description:
    'Lists every resource that has a page document, by its id: state, revision of the draft, the number under which readers see the page (0 while it is not published), and what is planned. States: draft (was never published), published, changed (published, and the draft has been saved since), withdrawn. A narrow terminal shows fewer columns and says which are missing.',
  arguments: {},
  options: {
    state: optional(choiceValue(states), { placeholder: 'STATE', description: 'Only pages in this state' }),
    planned: toggle('Only pages with a planned publication or withdrawal'),
    ...partParameters,
  },
  examples: [
    { line: 'page list --state changed', does: 'Show pages whose draft differs from what readers see' },
    { line: 'page list --limit 1000 --json', does: 'Read a thousand pages, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-list.js')).runList(options, deps),
});
