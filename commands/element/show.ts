/** `hcd element show`: show an element. */
import { textValue } from '../../src/config/value-type.js';
import { findElement } from '../../src/content/administration/browse-content.js';
import { openAdministration } from '../../src/content/live/administrator.js';
import { defineSiteCommand } from '../command.js';
import { fieldsParameter, showIntent } from '../content/list-records.js';
import { required } from '../parameters.js';
import { elementKindValue } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Shows an element with all its fields. A number is an id; when no element has that id, it is a name. Names are case-sensitive. When several elements have the name, the command fails and lists their ids.',
  arguments: {
    kind: required(elementKindValue, 'Kind of element'),
    element: required(textValue(), {
      placeholder: 'ID_OR_NAME',
      description: 'Id or name of the element, or key of the context',
    }),
  },
  options: { fields: fieldsParameter },
  examples: {
    'element show template Home': 'Show a template by its name',
    'element show chunk 7 --fields snippet --json': 'Show the text of a chunk as JSON',
  },
  async run({ kind, element, fields }, deps) {
    const admin = await openAdministration(deps.store, deps);
    const asked = { ...kind, idOrName: element, intent: showIntent({ fields }) };
    return { kind: 'record', record: await findElement(admin, asked) };
  },
});
