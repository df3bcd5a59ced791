/** `hcd resource create`: a new resource from flags, JSON or a file. */
import { createResourceByHand } from '../../src/content/administration/edit-content.js';
import { defineCommand } from '../command.js';
import type { Deps } from '../deps.js';
import { wholeObject } from '../whole-object.js';
import { bodyOf, eventsParameter, writeParameters } from './field-flags.js';
import { openToEdit, writtenRecord } from './shared.js';

export const command = defineCommand({
  path: 'resource create',
  summary: 'Create a resource',
  description:
    'Creates a resource. The rules are those of the gateway: missing fields get the defaults of the content system, the alias is generated from the title, the URI from the alias and the place in the tree, and a URI that is in use is refused. pagetitle is required. Booleans are 1, 0, true or false. Times are ISO 8601 or Unix seconds.',
  arguments: {},
  options: { ...writeParameters, events: eventsParameter },
  examples: [
    { line: 'resource create --pagetitle News --parent 2 --published 1', does: 'Create a page under another page' },
    {
      line: 'resource create --file page.json --tv color=blue --json',
      does: 'Create a page from a file and print it as JSON',
    },
  ],
  async run(flags, deps) {
    const given = bodyOf(flags, await wholeObject(flags, deps));
    // Before the database is opened: what is missing on the command line is wrong usage.
    const body = given['pagetitle'] === undefined ? { ...given, pagetitle: await askTitle(deps) } : given;
    const editing = await openToEdit(deps, flags);
    return writtenRecord(await createResourceByHand(editing, body));
  },
});

function askTitle({ prompt }: Deps): Promise<string> {
  const check = (text: string): string | null => (text.trim() === '' ? 'must not be empty' : null);
  return prompt.text({ message: 'Page title', flag: '--pagetitle', check });
}
