/** `hcd page history ID`: what was published, number by number. */
import { defineCommand } from '../command.js';
import { pageParameter, partParameters } from './parameters.js';

export const command = defineCommand({
  path: 'page history',
  summary: 'List the publications of a page',
  description:
    'Lists what was published of a page, the newest first: number, time, who did it, the earlier number that it brought back, and the length of the document as JSON. Every publication is kept as it was. hcd page diff compares two of them, hcd page rollback brings one back.',
  arguments: { id: pageParameter },
  options: partParameters,
  examples: [
    { line: 'page history 42', does: 'See when a page was published' },
    { line: 'page history 42 --limit 1 --json', does: 'Read the last publication, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-history.js')).runHistory(options, deps),
});
