/** `hcd position list`: list banner positions. */
import { listPositions } from '../../src/banners/management/positions.js';
import { choiceValue, textValue } from '../../src/config/value-type.js';
import { defineSiteCommand } from '../command.js';
import { defaultRows, optional, rowParameters } from '../parameters.js';

export const command = defineSiteCommand({
  description:
    'Lists positions with the number of their banners, impressions and clicks. A position without a context applies to every context.',
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
  examples: {
    'position list': 'List all positions',
    'position list --query side --json': 'List matching positions as JSON',
  },
  async run(options, deps) {
    const { query = null, sort = 'id', limit = defaultRows, offset = 0 } = options;
    const { rows, total } = await listPositions(deps.store, { query, sort, descending: false, limit, offset });
    return {
      kind: 'list',
      columns: ['id', 'name', 'context_key', 'banners', 'impressions', 'clicks'],
      spare: ['context_key', 'banners'],
      rows: rows.map((position) => ({ ...position })),
      total,
      offset,
      empty: 'No matching positions. Add one: hcd position add NAME',
    };
  },
});
