/** `hcd position add`: add a banner position. */
import { addPosition } from '../../src/banners/management/positions.js';
import { aboutContext } from '../banner/shared.js';
import { defineSiteCommand } from '../command.js';
import { anyText, optional, required } from '../parameters.js';

export const command = defineSiteCommand({
  description:
    'Adds a position where pages show banners. A page requests its banners by name or id: GET /slots/NAME. Link banners to the position with hcd position link.',
  arguments: { name: required(anyText, 'Name of the position') },
  options: { contextKey: optional(anyText, aboutContext) },
  examples: {
    'position add sidebar --context-key web': 'Add a position for one context',
    'position add header --json': 'Add a position and print it as JSON',
  },
  async run({ name, contextKey = '' }, deps) {
    const position = await addPosition(deps.store, { name, context_key: contextKey, username: deps.writer });
    const notes = [`To link a banner: hcd position link ${position.id} BANNER`];
    return { kind: 'record', record: { ...position }, notes };
  },
});
