/** `hcd position add NAME`: a place at which banners are shown. */
import { addPosition } from '../../src/banners/management/positions.js';
import { username } from '../banner/parameters.js';
import { defineCommand } from '../command.js';
import { optional, required } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { aboutContext, anyText } from './parameters.js';

export const command = defineCommand({
  path: 'position add',
  summary: 'Add a position for banners',
  description:
    'Adds a place at which banners are shown. Pages ask for its banners by name or id: GET /slots/NAME. Link banners to it with hcd position link.',
  arguments: { name: required(anyText, { placeholder: 'NAME', description: 'Name of the position' }) },
  options: { contextKey: optional(anyText, aboutContext) },
  examples: [
    { line: 'position add sidebar --context-key web', does: 'Add a place of one context' },
    { line: 'position add header --json', does: 'Add a place, for a script' },
  ],
  async run({ name, contextKey = '' }, deps) {
    const position = await addPosition(await openReady(deps), { name, context_key: contextKey, username });
    const notes = [`Link banners to it: hcd position link ${position.id} BANNER`];
    return { kind: 'record', record: { ...position }, notes };
  },
});
