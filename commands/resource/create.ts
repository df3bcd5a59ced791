/** `hcd resource create`: a new resource from flags, JSON or a file. */
import { createResourceByHand } from '../../src/content/administration/edit-content.js';
import { defineCommand } from '../command.js';
import type { Deps } from '../deps.js';
import { bodyOf, eventsParameter, writeParameters } from './field-flags.js';
import { openToEdit, wholeRecord, writtenRecord } from './write-resource.js';

export const command = defineCommand({
  path: 'resource create',
  summary: 'Create a resource',
  description:
    'Creates a resource by the rules of the gateway: what is left out gets the defaults of the content system, the alias is made from the title, the address from the alias and the place in the tree, and an address that is taken is refused. pagetitle is needed. Flags are 1, 0, true or false; times are ISO 8601 or Unix seconds.',
  arguments: {},
  options: { ...writeParameters, events: eventsParameter },
  examples: [
    { line: 'resource create --pagetitle News --parent 2 --published 1', does: 'Create a page below another' },
    {
      line: 'resource create --file page.json --tv color=blue --json',
      does: 'Create a page from a file, for a script',
    },
  ],
  async run(flags, deps) {
    const given = bodyOf(flags, await wholeRecord(flags, deps));
    // Before the database is opened: what is missing on the command line is wrong usage.
    const body = given['pagetitle'] === undefined ? { ...given, pagetitle: await askTitle(deps) } : given;
    const editing = await openToEdit(deps, flags);
    return writtenRecord(await createResourceByHand(editing, body));
  },
});

function askTitle({ prompt }: Deps): Promise<string> {
  const check = (text: string): string | null => (text.trim() === '' ? 'A resource needs a title' : null);
  return prompt.text({ message: 'Title of the resource', flag: '--pagetitle', check });
}
