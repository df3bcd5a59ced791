/** `hcd resource show ID`: one resource with all its fields. */
import { readContent } from '../../src/content/administration/browse-content.js';
import { openAdministration } from '../../src/content/live/administrator.js';
import { defineCommand } from '../command.js';
import { fieldsParameter, showIntent } from '../content/list-records.js';
import { required, toggle } from '../parameters.js';
import { idValue, nameMissing } from './shared.js';

export const command = defineCommand({
  path: 'resource show',
  summary: 'Show a resource',
  description:
    'Shows a resource of any context, even when it is unpublished or deleted. Template variables are shown as stored: bindings that run code are not evaluated.',
  arguments: { id: required(idValue, { placeholder: 'ID', description: 'Id of the resource' }) },
  options: { tvs: toggle('Also show template variables'), fields: fieldsParameter },
  examples: [
    { line: 'resource show 42', does: 'Show all fields' },
    {
      line: 'resource show 42 --fields pagetitle,uri --tvs --json',
      does: 'Show two fields and the template variables as JSON',
    },
  ],
  async run({ id, tvs, fields }, deps) {
    const intent = showIntent({ fields, tvs });
    const admin = await openAdministration(await deps.openReady(), deps);
    const record = await readContent(admin, { object: 'resources', key: id, intent }).catch((error: unknown) => {
      throw nameMissing(error, id);
    });
    return { kind: 'record', record };
  },
});
