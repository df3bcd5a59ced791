/** `hcd element show KIND ID_OR_NAME`: one element with all its fields. */
import { textValue } from '../../src/config/value-type.js';
import { findElement } from '../../src/content/administration/browse-content.js';
import { openAdministration } from '../../src/content/live/administrator.js';
import { defineCommand } from '../command.js';
import { fieldsParameter, showIntent } from '../content/list-records.js';
import { required } from '../parameters.js';
import { elementKindValue } from './kinds.js';

export const command = defineCommand({
  path: 'element show',
  summary: 'Show an element',
  description:
    'Shows an element with all its fields. A number is an id; when no element has that id, it is a name. Names are case-sensitive. When several elements have the name, the command fails and lists their ids.',
  arguments: {
    kind: required(elementKindValue, { placeholder: 'KIND', description: 'Kind of element' }),
    element: required(textValue(), {
      placeholder: 'ID_OR_NAME',
      description: 'Id or name of the element, or key of the context',
    }),
  },
  options: { fields: fieldsParameter },
  examples: [
    { line: 'element show template Home', does: 'Show a template by its name' },
    { line: 'element show chunk 7 --fields snippet --json', does: 'Show the text of a chunk as JSON' },
  ],
  async run({ kind, element, fields }, deps) {
    const intent = showIntent({ fields });
    const admin = await openAdministration(await deps.openReady(), deps);
    const record = await findElement(admin, { ...kind, idOrName: element, intent });
    return { kind: 'record', record };
  },
});
