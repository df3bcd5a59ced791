/** `hcd element show KIND ID_OR_NAME`: one element with all its fields. */
import { textValue } from '../../src/config/value-type.js';
import { findElement } from '../../src/content/administration/browse-content.js';
import { openAdministration } from '../../src/content/live/administrator.js';
import { defineCommand } from '../command.js';
import { fieldsParameter, showIntent } from '../content/query-flags.js';
import { required } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { elementKindValue } from './kinds.js';

export const command = defineCommand({
  path: 'element show',
  summary: 'Show an element',
  description:
    'Shows one element with all its fields. A number is an id first and a name only where no element has that id; names are compared exactly. Several elements of one name are refused with their ids.',
  arguments: {
    kind: required(elementKindValue, { placeholder: 'KIND', description: 'What to show' }),
    element: required(textValue(), { placeholder: 'ID_OR_NAME', description: 'Id or name; the key of a context' }),
  },
  options: { fields: fieldsParameter },
  examples: [
    { line: 'element show template Home', does: 'Show a template by name' },
    { line: 'element show chunk 7 --fields snippet --json', does: 'Read the text of a chunk' },
  ],
  async run({ kind, element, fields }, deps) {
    const intent = showIntent({ fields });
    const admin = await openAdministration(await openReady(deps), deps);
    const record = await findElement(admin, { ...kind, idOrName: element, intent });
    return { kind: 'record', record };
  },
});
