/** `hcd resource list`: resources by filter, order and search, as an administrator sees them. */
import { defineCommand } from '../command.js';
import { listParameters, listRecordsOf, resourceParameters } from '../content/list-records.js';

const columns = ['id', 'context_key', 'parent', 'pagetitle', 'uri', 'published', 'deleted', 'hidemenu'];

export const command = defineCommand({
  path: 'resource list',
  summary: 'List resources',
  description:
    'Lists resources of every context, published and unpublished. Filtering, sorting and searching work as in the gateway. With --json each record has all its fields, unless --fields selects some.',
  arguments: {},
  options: { ...listParameters, ...resourceParameters },
  examples: [
    {
      line: 'resource list --filter published=0 --sort -editedon',
      does: 'List unpublished resources, the last edited first',
    },
    {
      line: "resource list --context web --filter 'template[in]=2,3' --fields id,pagetitle,uri --limit 1000",
      does: 'List the resources of two templates',
    },
  ],
  run: (options, deps) => listRecordsOf(deps, { object: 'resources', flags: options, columns }),
});
