/** `hcd resource list`: list resources. */
import { defineCommand } from '../command.js';
import { listParameters, listRecordsOf, resourceParameters } from '../content/list-records.js';

export const command = defineCommand({
  description:
    'Lists resources of every context, published and unpublished. Filtering, sorting and searching work as in the gateway with gateway_extended_columns on. With --json each record has all its fields, unless --fields selects some.',
  options: { ...listParameters, ...resourceParameters },
  examples: {
    'resource list --filter published=0 --sort -editedon': 'List unpublished resources, the last edited first',
    "resource list --context web --filter 'template[in]=2,3' --fields id,pagetitle,uri --limit 1000":
      'List the resources of two templates',
  },
  run: (options, deps) =>
    listRecordsOf(deps, {
      object: 'resources',
      flags: options,
      columns: ['id', 'context_key', 'parent', 'pagetitle', 'uri', 'published', 'deleted', 'hidemenu'],
    }),
});
