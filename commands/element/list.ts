/** `hcd element list KIND`: contexts, chunks, templates and the other elements. */
import { defineCommand } from '../command.js';
import { listRecordsOf } from '../content/list-records.js';
import { listParameters } from '../content/query-flags.js';
import { required } from '../parameters.js';
import { elementKindValue } from './kinds.js';

export const command = defineCommand({
  path: 'element list',
  summary: 'List elements of a kind',
  description:
    'Lists contexts, chunks, templates, snippets, template variables (tvs), categories or content types. Filters, order and search are those of the gateway. Prints the first 100 unless --limit says otherwise. With --json each record has all its fields, unless --fields chooses some.',
  arguments: { kind: required(elementKindValue, { placeholder: 'KIND', description: 'What to list' }) },
  options: listParameters,
  examples: [
    { line: 'element list templates', does: 'List the templates' },
    { line: "element list tvs --filter 'name[like]=image%' --json", does: 'Read some template variables' },
  ],
  run: ({ kind, ...flags }, deps) =>
    listRecordsOf(deps, {
      object: kind.object,
      flags,
      columns: kind.columns,
    }),
});
