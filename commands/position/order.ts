/** `hcd position order POSITION BANNER...`: the banners of a position in another order. */
import { orderPosition, readLinks } from '../../src/banners/management/position-links.js';
import { findPosition } from '../../src/banners/management/positions.js';
import { idValue, positionParameter, username } from '../banner/parameters.js';
import { defineCommand } from '../command.js';
import { repeated } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { linkRecord } from './link-record.js';

export const command = defineCommand({
  path: 'position order',
  summary: 'Order the banners of a position',
  description:
    'Puts the named banners first, in this order, and leaves the others behind them as they were; without names it shows the order. The order counts in the rotation idx. Prints the links.',
  arguments: {
    position: positionParameter,
    banners: repeated(idValue, { placeholder: 'BANNER', description: 'Ids of banners, the first one first' }),
  },
  options: {},
  examples: [
    { line: 'position order sidebar 7 3', does: 'Put two banners first' },
    { line: 'position order sidebar --json', does: 'Read the links of a position, for a script' },
  ],
  async run({ position, banners }, deps) {
    const store = await openReady(deps);
    const { id } = await findPosition(store, position);
    const links =
      banners.length === 0
        ? await readLinks(store, id)
        : await orderPosition(store, { position: id, ads: banners, username });
    return {
      kind: 'list',
      columns: ['idx', 'ad', 'id', 'weight'],
      rows: links.map(linkRecord),
      empty: `The position has no banner. Link one: hcd position link ${id} BANNER`,
    };
  },
});
