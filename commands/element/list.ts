/** `hcd element list`: list elements of one kind. */
import { defineCommand } from '../command.js';
import { listParameters, listRecordsOf } from '../content/list-records.js';
import { columnsOf, kindParameter } from './shared.js';

export const command = defineCommand({
  description:
    'Lists contexts, chunks, templates, snippets, template variables (tvs), categories, content types or media sources. Filtering, sorting and searching work as in the gateway. With --json each record has all its fields, unless --fields selects some.',
  arguments: { kind: kindParameter },
  options: listParameters,
  examples: {
    'element list templates': 'List the templates',
    "element list tvs --filter 'name[like]=image%' --json": 'List some template variables as JSON',
  },
  async run({ kind, ...flags }, deps) {
    const list = await listRecordsOf(deps, { object: kind.object, flags, columns: columnsOf(kind) });
    const isWhole = flags.filter.length === 0 && flags.q === undefined && list.total === 0;
    const none = `No ${kind.object}. To create one: hcd element create ${kind.singular} NAME`;
    return isWhole ? { ...list, empty: none, notes: deps.io.stdout.isTerminal ? [] : [none] } : list;
  },
});
