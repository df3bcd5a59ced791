/** `hcd resource update`: update a resource. */
import { defineCommand } from '../command.js';
import { checkChanges, wholeObject } from '../whole-object.js';
import { changeResource, eventsParameter, resourceParameter } from './shared.js';
import { bodyOf, writeParameters } from './write.js';

export const command = defineCommand({
  description:
    'Changes the given fields of a resource of any context and keeps the others. The rules are those of the gateway. A new alias, parent or context also moves all descendants. Booleans are 1, 0, true or false. Times are ISO 8601 or Unix seconds.',
  arguments: { id: resourceParameter },
  options: { ...writeParameters, events: eventsParameter },
  examples: {
    'resource update 42 --pagetitle "Old news" --menuindex 3': 'Change two fields',
    'resource update 42 --file changes.json --tv color=red': 'Change fields from a file and a template variable',
  },
  async run(flags, deps) {
    const body = bodyOf(flags, await wholeObject(flags, deps));
    checkChanges(body);
    return changeResource(flags, deps, body);
  },
});
