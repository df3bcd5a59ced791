/** `hcd position list`: the positions with their counters. */
import { listPositions } from '../../src/banners/management/positions.js';
import { choiceValue, textValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { defaultRows, optional, rowParameters } from '../parameters.js';

const columns = ['id', 'name', 'context_key', 'banners', 'impressions', 'clicks'];

const spare = ['context_key', 'banners'];

export const command = defineCommand({
  path: 'position list',
  summary: 'List banner positions',
  description:
    'Lists positions with the number of their banners, impressions and clicks. A position without a context applies to every context.',
  arguments: {},
  options: {
    query: optional(textValue(), {
      placeholder: 'TEXT',
      description: 'Show only positions with this text in the name',
    }),
    sort: optional(choiceValue(['id', 'name']), {
      placeholder: 'FIELD',
      description: 'Field to sort by (default: id)',
    }),
    ...rowParameters,
  },
  examples: [
    { line: 'position list', does: 'List all positions' },
    { line: 'position list --query side --json', does: 'List matching positions as JSON' },
  ],
  async run(options, deps) {
    const { query = null, sort = 'id', limit = defaultRows, offset = 0 } = options;
    const store = await deps.openReady();
    const { positions, total } = await listPositions(store, { query, sort, descending: false, limit, offset });
    return {
      kind: 'list',
      columns,
      spare,
      rows: positions.map((position) => ({ ...position })),
      total,
      offset,
      empty: 'No matching positions. Add one: hcd position add NAME',
    };
  },
});
