/** `hcd position order POSITION BANNER...`: reorders the banners of a position. */
import { orderPosition, readLinks } from '../../src/banners/management/position-links.js';
import { findPosition } from '../../src/banners/management/positions.js';
import { idValue, positionParameter, username } from '../banner/shared.js';
import { defineCommand } from '../command.js';
import { repeated } from '../parameters.js';
import { linkRecord } from './shared.js';

export const command = defineCommand({
  path: 'position order',
  summary: 'Reorder the banners of a position',
  description:
    'Moves the given banners to the start of a position, in this order. The other banners follow in their current order. Without banners the command only shows the order. The order applies to the rotation idx. Prints the links.',
  arguments: {
    position: positionParameter,
    banners: repeated(idValue, { placeholder: 'BANNER', description: 'Ids of the banners in their new order' }),
  },
  options: {},
  examples: [
    { line: 'position order sidebar 7 3', does: 'Put two banners first' },
    { line: 'position order sidebar --json', does: 'Show the links of a position as JSON' },
  ],
  async run({ position, banners }, deps) {
    const store = await deps.openReady();
    const { id } = await findPosition(store, position);
    const links =
      banners.length === 0
        ? await readLinks(store, id)
        : await orderPosition(store, { position: id, ads: banners, username });
    return {
      kind: 'list',
      columns: ['idx', 'ad', 'id', 'weight'],
      rows: links.map(linkRecord),
      empty: `The position has no banners. Link one: hcd position link ${id} BANNER`,
    };
  },
});
