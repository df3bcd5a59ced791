/** `hcd position update POSITION`: another name or context. */
import { findPosition, updatePosition } from '../../src/banners/management/positions.js';
import { positionParameter, username } from '../banner/parameters.js';
import { defineCommand } from '../command.js';
import { optional } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';
import { aboutContext, anyText } from './parameters.js';

export const command = defineCommand({
  path: 'position update',
  summary: 'Change a position of banners',
  description:
    'Changes the name or the context of a position; its banners stay. Pages that ask for it by its old name find it no more.',
  arguments: { position: positionParameter },
  options: {
    name: optional(anyText, { placeholder: 'NAME', description: 'The new name' }),
    contextKey: optional(anyText, aboutContext),
  },
  examples: [
    { line: 'position update 2 --name sidebar-top', does: 'Give a position another name' },
    { line: 'position update sidebar --context-key "" --json', does: 'Have it in every context, from a script' },
  ],
  async run({ position, name, contextKey }, deps) {
    if (name === undefined && contextKey === undefined) {
      throw usageError({ '--name': 'is required when --context-key is not given: there is nothing to change' });
    }
    const store = await openReady(deps);
    const { id } = await findPosition(store, position);
    const changed = await updatePosition(store, {
      id,
      ...(name === undefined ? {} : { name }),
      ...(contextKey === undefined ? {} : { context_key: contextKey }),
      username,
    });
    return { kind: 'record', record: { ...changed } };
  },
});
