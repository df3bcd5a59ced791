/** `hcd position update POSITION`: changes the name or context. */
import { findPosition, updatePosition } from '../../src/banners/management/positions.js';
import { positionParameter, username } from '../banner/shared.js';
import { defineCommand } from '../command.js';
import { anyText, optional } from '../parameters.js';
import { usageError } from '../usage-error.js';
import { aboutContext } from './shared.js';

export const command = defineCommand({
  path: 'position update',
  summary: 'Update a banner position',
  description:
    'Changes the name or the context of a position and keeps its banners. Pages that request it by its old name no longer find it. An empty --context-key applies it to every context.',
  arguments: { position: positionParameter },
  options: {
    name: optional(anyText, { placeholder: 'NAME', description: 'New name' }),
    contextKey: optional(anyText, aboutContext),
  },
  examples: [
    { line: 'position update 2 --name sidebar-top', does: 'Rename a position' },
    { line: 'position update sidebar --context-key "" --json', does: 'Apply a position to every context' },
  ],
  async run({ position, name, contextKey }, deps) {
    if (name === undefined && contextKey === undefined) {
      throw usageError({ '--name': 'is required when --context-key is not given' });
    }
    const store = await deps.openReady();
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
