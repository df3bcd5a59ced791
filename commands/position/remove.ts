/** `hcd position remove POSITION`: a place that is needed no more. */
import { readLinks } from '../../src/banners/management/position-links.js';
import { findPosition, removePosition } from '../../src/banners/management/positions.js';
import { positionParameter, username } from '../banner/parameters.js';
import { defineCommand } from '../command.js';
import { confirmChange } from '../confirm.js';
import { openReady } from '../store/open-ready.js';

export const command = defineCommand({
  path: 'position remove',
  summary: 'Remove a position of banners',
  description:
    'Removes a position and the links of its banners for good; the banners themselves and what visitors did there stay.',
  arguments: { position: positionParameter },
  options: {},
  examples: [
    { line: 'position remove sidebar', does: 'Remove a position' },
    { line: 'position remove 2 --yes --json', does: 'The same, from a script' },
  ],
  destructive: {},
  async run({ position }, deps) {
    const store = await openReady(deps);
    const { id, name } = await findPosition(store, position);
    const banners = (await readLinks(store, id)).length;
    await confirmChange(deps, `Remove position ${id} "${name}" with its links (banners: ${banners}) for good?`);
    await removePosition(store, { id, username });
    const message = `Removed position ${id} "${name}". Banners that were there: ${banners}.`;
    return { kind: 'done', message, data: { id, removed: true, banners } };
  },
});
