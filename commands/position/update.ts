/** `hcd position update`: update a banner position. */
import { findPosition, updatePosition } from '../../src/banners/management/positions.js';
import { aboutContext, positionParameter } from '../banner/shared.js';
import { defineCommand } from '../command.js';
import { anyText, optional, usageError } from '../parameters.js';

export const command = defineCommand({
  description:
    'Changes the name or the context of a position and keeps its banners. Pages that request it by its old name no longer find it. An empty --context-key applies it to every context.',
  arguments: { position: positionParameter },
  options: {
    name: optional(anyText, 'New name'),
    contextKey: optional(anyText, aboutContext),
  },
  examples: {
    'position update 2 --name sidebar-top': 'Rename a position',
    'position update sidebar --context-key "" --json': 'Apply a position to every context',
  },
  async run({ position, name, contextKey }, deps) {
    if (name === undefined && contextKey === undefined) {
      throw usageError({ '--name': 'is required when --context-key is not given' });
    }
    const { store } = await deps.openSite();
    const { id } = await findPosition(store, position);
    const changed = await updatePosition(store, {
      id,
      ...(name === undefined ? {} : { name }),
      ...(contextKey === undefined ? {} : { context_key: contextKey }),
      username: deps.writer,
    });
    return { kind: 'record', record: { ...changed } };
  },
});
