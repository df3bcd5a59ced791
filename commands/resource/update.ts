/** `hcd resource update ID`: changes fields of a resource from flags, JSON or a file. */
import { defineCommand } from '../command.js';
import { required } from '../parameters.js';
import { usageError } from '../usage-error.js';
import { wholeObject } from '../whole-object.js';
import { bodyOf, eventsParameter, writeParameters } from './field-flags.js';
import { changeResource, idValue } from './shared.js';

export const command = defineCommand({
  path: 'resource update',
  summary: 'Update a resource',
  description:
    'Changes the given fields of a resource of any context and keeps the others. The rules are those of the gateway. A new alias, parent or context also moves all descendants. Booleans are 1, 0, true or false. Times are ISO 8601 or Unix seconds.',
  arguments: { id: required(idValue, { placeholder: 'ID', description: 'Id of the resource' }) },
  options: { ...writeParameters, events: eventsParameter },
  examples: [
    { line: 'resource update 42 --pagetitle "Old news" --menuindex 3', does: 'Change two fields' },
    {
      line: 'resource update 42 --file changes.json --tv color=red',
      does: 'Change fields from a file and a template variable',
    },
  ],
  async run(flags, deps) {
    const body = bodyOf(flags, await wholeObject(flags, deps));
    if (Object.keys(body).length === 0) {
      throw usageError({ '--data': 'is required when no field is given' });
    }
    return changeResource(flags, deps, body);
  },
});
