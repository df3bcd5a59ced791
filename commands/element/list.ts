/** `hcd element list KIND`: contexts, chunks, templates and the other elements. */
import { defineCommand } from '../command.js';
import { listParameters, listRecordsOf } from '../content/list-records.js';
import { required } from '../parameters.js';
import { elementKindValue } from './kinds.js';

export const command = defineCommand({
  path: 'element list',
  summary: 'List elements of one kind',
  description:
    'Lists contexts, chunks, templates, snippets, template variables (tvs), categories or content types. Filtering, sorting and searching work as in the gateway. With --json each record has all its fields, unless --fields selects some.',
  arguments: { kind: required(elementKindValue, { placeholder: 'KIND', description: 'Kind of element' }) },
  options: listParameters,
  examples: [
    { line: 'element list templates', does: 'List the templates' },
    { line: "element list tvs --filter 'name[like]=image%' --json", does: 'List some template variables as JSON' },
  ],
  run: ({ kind, ...flags }, deps) =>
    listRecordsOf(deps, {
      object: kind.object,
      flags,
      columns: kind.columns,
    }),
});
