/** `hcd resource unpublish ID`: hides a resource. */
import { defineCommand } from '../command.js';
import { required } from '../parameters.js';
import { eventsParameter } from './field-flags.js';
import { idValue } from './id-value.js';
import { changeResource } from './write-resource.js';

export const command = defineCommand({
  path: 'resource unpublish',
  summary: 'Withdraw a resource',
  description:
    'Hides a resource: published and its time are cleared, and so are planned dates. The resource stays in the content; its descendants stay as they are.',
  arguments: { id: required(idValue, { placeholder: 'ID', description: 'Id of the resource' }) },
  options: { events: eventsParameter },
  examples: [
    { line: 'resource unpublish 42', does: 'Withdraw a page' },
    { line: 'resource unpublish 42 --events --json', does: 'The same, with events for subscribers, for a script' },
  ],
  async run(target, deps) {
    return changeResource(target, deps, { published: false, pub_date: null, unpub_date: null });
  },
});
