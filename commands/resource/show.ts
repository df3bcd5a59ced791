/** `hcd resource show`: show a resource. */
import { readContent } from '../../src/content/administration/browse-content.js';
import { openAdministration } from '../../src/content/live/administrator.js';
import { defineSiteCommand } from '../command.js';
import { fieldsParameter, showIntent } from '../content/list-records.js';
import { toggle } from '../parameters.js';
import { notFound, resourceId, resourceParameter } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Shows a resource of any context, even when it is unpublished or deleted. Template variables are shown as stored: bindings that run code are not evaluated.',
  arguments: { id: resourceParameter },
  options: { tvs: toggle('Also show template variables'), fields: fieldsParameter },
  examples: {
    'resource show 42': 'Show all fields',
    'resource show lamps/pier.html --fields pagetitle,uri --tvs --json':
      'Show two fields and the template variables as JSON',
  },
  async run({ id: idOrUri, tvs, fields }, deps) {
    const intent = showIntent({ fields, tvs });
    const admin = await openAdministration(deps.store, deps);
    const id = await resourceId(admin, idOrUri);
    const asked = { object: 'resources', key: id, intent };
    return { kind: 'record', record: await readContent(admin, asked).catch(notFound(id)) };
  },
});
