/** `hcd resource create`: create a resource. */
import { createResourceByHand } from '../../src/content/administration/edit-content.js';
import { defineCommand } from '../command.js';
import { notEmpty } from '../prompt.js';
import { wholeObject } from '../whole-object.js';
import { eventsParameter, openToEdit, writtenRecord } from './shared.js';
import { bodyOf, writeParameters } from './write.js';

export const command = defineCommand({
  description:
    'Creates a resource. The rules are those of the gateway: missing fields get the defaults of the content system, the alias is generated from the title, the URI from the alias and the place in the tree, and a URI that is in use is refused. pagetitle is required. Booleans are 1, 0, true or false. Times are ISO 8601 or Unix seconds.',
  options: { ...writeParameters, events: eventsParameter },
  examples: {
    'resource create --pagetitle Pier --template Product --parent lamps/ --published 1':
      'Create a page under another page',
    'resource create --file page.json --tv color=blue --json': 'Create a page from a file and print it as JSON',
  },
  async run(flags, deps) {
    const given = bodyOf(flags, await wholeObject(flags, deps));
    // Before the database is opened: a missing flag is a usage error.
    const body =
      given['pagetitle'] === undefined
        ? {
            ...given,
            pagetitle: await deps.prompt.text({ message: 'Page title', flag: '--pagetitle', check: notEmpty }),
          }
        : given;
    const editing = await openToEdit(deps, flags);
    const made = writtenRecord(await createResourceByHand(editing, body));
    const { id, published } = made.record;
    const notes = made.notes ?? [];
    return published === false
      ? { ...made, notes: [...notes, `It is not published: hcd resource publish ${id}`] }
      : made;
  },
});
