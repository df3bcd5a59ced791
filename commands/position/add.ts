/** `hcd position add NAME`: a new position for banners. */
import { addPosition } from '../../src/banners/management/positions.js';
import { username } from '../banner/shared.js';
import { defineCommand } from '../command.js';
import { anyText, optional, required } from '../parameters.js';
import { aboutContext } from './shared.js';

export const command = defineCommand({
  path: 'position add',
  summary: 'Add a banner position',
  description:
    'Adds a position where pages show banners. A page requests its banners by name or id: GET /slots/NAME. Link banners to the position with hcd position link.',
  arguments: { name: required(anyText, { placeholder: 'NAME', description: 'Name of the position' }) },
  options: { contextKey: optional(anyText, aboutContext) },
  examples: [
    { line: 'position add sidebar --context-key web', does: 'Add a position for one context' },
    { line: 'position add header --json', does: 'Add a position and print it as JSON' },
  ],
  async run({ name, contextKey = '' }, deps) {
    const position = await addPosition(await deps.openReady(), { name, context_key: contextKey, username });
    const notes = [`To link a banner: hcd position link ${position.id} BANNER`];
    return { kind: 'record', record: { ...position }, notes };
  },
});
