/** `hcd element list`: list elements of one kind. */
import { defineCommand } from '../command.js';
import { listParameters, listRecordsOf } from '../content/list-records.js';
import { required } from '../parameters.js';
import { elementKindValue } from './shared.js';

export const command = defineCommand({
  description:
    'Lists contexts, chunks, templates, snippets, template variables (tvs), categories or content types. Filtering, sorting and searching work as in the gateway. With --json each record has all its fields, unless --fields selects some.',
  arguments: { kind: required(elementKindValue, 'Kind of element') },
  options: listParameters,
  examples: {
    'element list templates': 'List the templates',
    "element list tvs --filter 'name[like]=image%' --json": 'List some template variables as JSON',
  },
  run: ({ kind, ...flags }, deps) => listRecordsOf(deps, { object: kind.object, flags, columns: kind.columns }),
});
