/** `hcd resource publish ID`: publishes a resource. */
import { defineCommand } from '../command.js';
import { required } from '../parameters.js';
import { eventsParameter } from './field-flags.js';
import { changeResource, idValue } from './shared.js';

export const command = defineCommand({
  path: 'resource publish',
  summary: 'Publish a resource',
  description:
    'Publishes a resource: sets published and the publication time, and cancels a scheduled publication. Servers show the resource within one second. A resource that is already published keeps its publication time.',
  arguments: { id: required(idValue, { placeholder: 'ID', description: 'Id of the resource' }) },
  options: { events: eventsParameter },
  examples: [
    { line: 'resource publish 42', does: 'Publish a resource' },
    { line: 'resource publish 42 --events --json', does: 'Publish a resource and send webhook events' },
  ],
  async run(target, deps) {
    return changeResource(target, deps, { published: true, pub_date: null });
  },
});
