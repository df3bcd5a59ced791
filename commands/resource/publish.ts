/** `hcd resource publish`: publish a resource. */
import { defineCommand } from '../command.js';
import { changeResource, eventsParameter, resourceParameter } from './shared.js';

export const command = defineCommand({
  description:
    'Publishes a resource: sets published and the publication time, and cancels a scheduled publication. Servers show the resource within one second. A resource that is already published keeps its publication time.',
  arguments: { id: resourceParameter },
  options: { events: eventsParameter },
  examples: {
    'resource publish 42': 'Publish a resource',
    'resource publish 42 --events --json': 'Publish a resource and send webhook events',
  },
  run: (target, deps) => changeResource(target, deps, { published: true, pub_date: null }),
});
