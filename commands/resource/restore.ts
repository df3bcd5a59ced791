/** `hcd resource restore ID`: restores a deleted resource. */
import { defineCommand } from '../command.js';
import { required } from '../parameters.js';
import { eventsParameter } from './field-flags.js';
import { changeResource, idValue } from './shared.js';

export const command = defineCommand({
  path: 'resource restore',
  summary: 'Restore a deleted resource',
  description:
    'Restores a deleted resource and the descendants that were deleted with it. Refused when another resource uses its URI now.',
  arguments: { id: required(idValue, { placeholder: 'ID', description: 'Id of the resource' }) },
  options: { events: eventsParameter },
  examples: [
    { line: 'resource restore 42', does: 'Restore a resource and its descendants' },
    { line: 'resource restore 42 --events --json', does: 'Restore a resource and send webhook events' },
  ],
  async run(target, deps) {
    return changeResource(target, deps, { deleted: false });
  },
});
