/** `hcd resource unpublish ID`: unpublishes a resource. */
import { defineCommand } from '../command.js';
import { required } from '../parameters.js';
import { eventsParameter } from './field-flags.js';
import { changeResource, idValue } from './shared.js';

export const command = defineCommand({
  path: 'resource unpublish',
  summary: 'Unpublish a resource',
  description:
    'Unpublishes a resource: clears published, the publication time and all scheduled dates. Its descendants do not change.',
  arguments: { id: required(idValue, { placeholder: 'ID', description: 'Id of the resource' }) },
  options: { events: eventsParameter },
  examples: [
    { line: 'resource unpublish 42', does: 'Unpublish a resource' },
    { line: 'resource unpublish 42 --events --json', does: 'Unpublish a resource and send webhook events' },
  ],
  async run(target, deps) {
    return changeResource(target, deps, { published: false, pub_date: null, unpub_date: null });
  },
});
