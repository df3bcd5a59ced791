/** `hcd resource list`: resources by filter, order and search, as an administrator sees them. */
import { defineCommand } from '../command.js';
import { listRecordsOf } from '../content/list-records.js';
import { listParameters, resourceParameters } from '../content/query-flags.js';

const columns = ['id', 'context_key', 'parent', 'pagetitle', 'uri', 'published', 'deleted', 'hidemenu'];

export const command = defineCommand({
  path: 'resource list',
  summary: 'List resources',
  description:
    'Lists resources of every context, published or not; deleted ones with --all. Filters, order and search are those of the gateway: fields that it cannot filter or sort by are refused. Prints the first 100 unless --limit says otherwise. With --json each record has all its fields, unless --fields chooses some.',
  arguments: {},
  options: { ...listParameters, ...resourceParameters },
  examples: [
    { line: 'resource list --filter published=0 --sort -editedon', does: 'List drafts, the last edited first' },
    {
      line: "resource list --context web --filter 'template[in]=2,3' --fields id,pagetitle,uri --limit 1000",
      does: 'List the pages of two templates',
    },
  ],
  run: (options, deps) => listRecordsOf(deps, { object: 'resources', flags: options, columns }),
});
