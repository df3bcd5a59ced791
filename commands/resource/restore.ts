/** `hcd resource restore ID`: takes a deletion back. */
import { defineCommand } from '../command.js';
import { required } from '../parameters.js';
import { eventsParameter } from './field-flags.js';
import { idValue } from './id-value.js';
import { changeResource } from './write-resource.js';

export const command = defineCommand({
  path: 'resource restore',
  summary: 'Restore a deleted resource',
  description:
    'Takes back a deletion: the resource and everything that was marked as deleted together with it. Refused when its address is taken by another resource by now.',
  arguments: { id: required(idValue, { placeholder: 'ID', description: 'Id of the resource' }) },
  options: { events: eventsParameter },
  examples: [
    { line: 'resource restore 42', does: 'Restore a page and what went with it' },
    { line: 'resource restore 42 --events --json', does: 'The same, with events for subscribers, for a script' },
  ],
  async run(target, deps) {
    return changeResource(target, deps, { deleted: false });
  },
});
