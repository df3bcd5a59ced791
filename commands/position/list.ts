/** `hcd position list`: the positions with their counters. */
import { listPositions } from '../../src/banners/management/positions.js';
import { choiceValue, textValue } from '../../src/config/value-type.js';
import { defaultLimit, partParameters } from '../banner/parameters.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { openReady } from '../store/open-ready.js';

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
    ...partParameters,
  },
  examples: [
    { line: 'position list', does: 'List all positions' },
    { line: 'position list --query side --json', does: 'List matching positions as JSON' },
  ],
  async run(options, deps) {
    const { query = null, sort = 'id', limit = defaultLimit, offset = 0 } = options;
    const store = await openReady(deps);
    const { positions, total } = await listPositions(store, { query, sort, descending: false, limit, offset });
    const isSilentlyCut = offset + positions.length < total && !deps.flags.json && !deps.io.stdout.isTerminal;
    return {
      kind: 'list',
      columns,
      spare,
      rows: positions.map((position) => ({ ...position })),
      total,
      empty: 'No matching positions. Add one: hcd position add NAME',
      notes: isSilentlyCut ? [`${positions.length} of ${total} shown.`] : [],
    };
  },
});
