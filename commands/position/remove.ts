/** `hcd position remove POSITION`: removes a position. */
import { readLinks } from '../../src/banners/management/position-links.js';
import { findPosition, removePosition } from '../../src/banners/management/positions.js';
import { positionParameter, username } from '../banner/shared.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';

export const command = defineCommand({
  path: 'position remove',
  summary: 'Remove a banner position',
  description: 'Removes a position and its links to banners permanently. The banners and their statistics are kept.',
  arguments: { position: positionParameter },
  options: {},
  examples: [
    { line: 'position remove sidebar', does: 'Remove a position' },
    { line: 'position remove 2 --yes --json', does: 'Remove a position without confirmation' },
  ],
  destructive: {},
  async run({ position }, deps) {
    const store = await deps.openReady();
    const { id, name } = await findPosition(store, position);
    const banners = (await readLinks(store, id)).length;
    await confirmChange(deps, `Remove position ${id} "${name}" and its links (banners: ${banners}) permanently?`);
    await removePosition(store, { id, username });
    const message = `Removed position ${id} "${name}" and its links to banners: ${banners}.`;
    return { kind: 'done', message, data: { id, removed: true, banners } };
  },
});
