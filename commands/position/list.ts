/** `hcd position list`: the places at which banners are shown. */
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
  summary: 'List positions of banners',
  description:
    'Lists the positions with the number of their banners and what visitors did there. A position without a context is in every context.',
  arguments: {},
  options: {
    query: optional(textValue(), { placeholder: 'TEXT', description: 'Only positions with this in their name' }),
    sort: optional(choiceValue(['id', 'name']), { placeholder: 'FIELD', description: 'Order; id by default' }),
    ...partParameters,
  },
  examples: [
    { line: 'position list', does: 'Show all positions' },
    { line: 'position list --query side --json', does: 'Read some, for a script' },
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
      empty: 'There is no such position. Make one: hcd position add NAME',
      notes: isSilentlyCut ? [`${positions.length} of ${total} shown.`] : [],
    };
  },
});
