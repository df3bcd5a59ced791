/** `hcd resource unpublish`: unpublish a resource. */
import { defineCommand } from '../command.js';
import { changeResource, eventsParameter, resourceParameter } from './shared.js';

export const command = defineCommand({
  description:
    'Unpublishes a resource: clears published, the publication time and all scheduled dates. Its descendants do not change.',
  arguments: { id: resourceParameter },
  options: { events: eventsParameter },
  examples: {
    'resource unpublish 42': 'Unpublish a resource',
    'resource unpublish 42 --events --json': 'Unpublish a resource and send webhook events',
  },
  run: (target, deps) => changeResource(target, deps, { published: false, pub_date: null, unpub_date: null }),
});
