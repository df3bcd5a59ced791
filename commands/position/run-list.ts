/** Reads positions for `hcd position list`. */
import { listPositions } from '../../src/banners/management/positions.js';
import { defaultLimit, type PartFlags } from '../banner/parameters.js';
import type { Deps } from '../deps.js';
import type { ListResult } from '../result.js';
import { openReady } from '../store/open-ready.js';

const columns = ['id', 'name', 'context_key', 'banners', 'impressions', 'clicks'];
const spare = ['context_key', 'banners'];

export interface ListOptions extends PartFlags {
  readonly query: string | undefined;
  readonly sort: 'id' | 'name' | undefined;
}

export async function runList(options: ListOptions, deps: Deps): Promise<ListResult> {
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
}
