/** `hcd position show`: show a banner position. */
import { findPosition, readPosition } from '../../src/banners/management/positions.js';
import { positionParameter } from '../banner/shared.js';
import { defineSiteCommand } from '../command.js';

export const command = defineSiteCommand({
  description:
    'Shows a position with its context and the numbers of its banners, impressions and clicks. hcd position explain shows its banners.',
  arguments: { position: positionParameter },
  examples: {
    'position show sidebar': 'Show a position',
    'position show 2 --json': 'Show a position as JSON',
  },
  async run({ position }, { store }) {
    const { id } = await findPosition(store, position);
    return { kind: 'record', record: { ...(await readPosition(store, id)) } };
  },
});
