/** `hcd position order`: reorder the banners of a position. */
import { orderPosition, readLinks } from '../../src/banners/management/position-links.js';
import { findPosition } from '../../src/banners/management/positions.js';
import { linkRecord, positionParameter } from '../banner/shared.js';
import { defineSiteCommand } from '../command.js';
import { idValue, repeated } from '../parameters.js';

export const command = defineSiteCommand({
  description:
    'Moves the given banners to the start of a position, in this order. The other banners follow in their current order. Without banners the command only shows the order. The order applies to the rotation idx. Prints the links.',
  arguments: {
    position: positionParameter,
    banners: repeated(idValue, { placeholder: 'BANNER', description: 'Ids of the banners in their new order' }),
  },
  examples: {
    'position order sidebar 7 3': 'Put two banners first',
    'position order sidebar --json': 'Show the links of a position as JSON',
  },
  async run({ position, banners }, deps) {
    const { id } = await findPosition(deps.store, position);
    const links =
      banners.length === 0
        ? await readLinks(deps.store, id)
        : await orderPosition(deps.store, { position: id, ads: banners, username: deps.writer });
    return {
      kind: 'list',
      columns: ['idx', 'ad', 'id', 'weight'],
      rows: links.map(linkRecord),
      empty: `The position has no banners. Link one: hcd position link ${id} BANNER`,
    };
  },
});
