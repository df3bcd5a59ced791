/** `hcd element show`: show an element. */
import { showElement } from '../../src/content/administration/show-element.js';
import { openAdministration } from '../../src/content/live/administrator.js';
import { defineSiteCommand } from '../command.js';
import { fieldsParameter, showIntent } from '../content/list-records.js';
import { elementParameter, kindParameter } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Shows an element with all its fields, its properties and the elements that it is joined to. A number is an id; when no element has that id, it is a name. Names are case-sensitive. When several elements have the name, the command fails and lists their ids.',
  arguments: { kind: kindParameter, element: elementParameter },
  options: { fields: fieldsParameter },
  examples: {
    'element show template Home': 'Show a template by its name',
    'element show chunk 7 --fields snippet --json': 'Show the text of a chunk as JSON',
  },
  async run({ kind, element, fields }, deps) {
    const admin = await openAdministration(deps.store, deps);
    const asked = { kind, idOrName: element, intent: showIntent({ fields }) };
    return { kind: 'record', record: await showElement(admin, asked) };
  },
});
