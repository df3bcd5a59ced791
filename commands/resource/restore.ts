/** `hcd resource restore`: restore a deleted resource. */
import { defineCommand } from '../command.js';
import { changeResource, eventsParameter, resourceParameter } from './shared.js';

export const command = defineCommand({
  description:
    'Restores a deleted resource and the descendants that were deleted with it. Refused when another resource uses its URI now.',
  arguments: { id: resourceParameter },
  options: { events: eventsParameter },
  examples: {
    'resource restore 42': 'Restore a resource and its descendants',
    'resource restore 42 --events --json': 'Restore a resource and send webhook events',
  },
  run: (target, deps) => changeResource(target, deps, { deleted: false }),
});
