/** `hcd resource publish ID`: makes a resource visible now. */
import { defineCommand } from '../command.js';
import { required } from '../parameters.js';
import { eventsParameter } from './field-flags.js';
import { idValue } from './id-value.js';
import { changeResource } from './write-resource.js';

export const command = defineCommand({
  path: 'resource publish',
  summary: 'Publish a resource',
  description:
    'Makes a resource visible now: published is set, with the time of it, and a planned publication is cleared. Servers show it within a second. A resource that is published already keeps its time.',
  arguments: { id: required(idValue, { placeholder: 'ID', description: 'Id of the resource' }) },
  options: { events: eventsParameter },
  examples: [
    { line: 'resource publish 42', does: 'Publish a draft' },
    { line: 'resource publish 42 --events --json', does: 'The same, with events for subscribers, for a script' },
  ],
  async run(target, deps) {
    return changeResource(target, deps, { published: true, pub_date: null });
  },
});
