/** `hcd position remove`: remove a banner position. */
import { readLinks } from '../../src/banners/management/position-links.js';
import { findPosition, removePosition } from '../../src/banners/management/positions.js';
import { positionParameter } from '../banner/shared.js';
import { defineSiteCommand } from '../command.js';

export const command = defineSiteCommand({
  description: 'Removes a position and its links to banners permanently. The banners and their statistics are kept.',
  arguments: { position: positionParameter },
  examples: {
    'position remove sidebar': 'Remove a position',
    'position remove 2 --yes --json': 'Remove a position without confirmation',
  },
  destructive: {},
  async run({ position }, deps) {
    const { id, name } = await findPosition(deps.store, position);
    const banners = (await readLinks(deps.store, id)).length;
    await deps.confirm(`Remove position ${id} "${name}" and its links (banners: ${banners}) permanently?`);
    await removePosition(deps.store, { id, username: deps.writer });
    const message = `Removed position ${id} "${name}" and its links to banners: ${banners}.`;
    return { kind: 'done', message, data: { id, removed: true, banners } };
  },
});
