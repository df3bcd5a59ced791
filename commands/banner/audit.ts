/** `hcd banner audit`: who changed which banner. */
import { auditActions, auditEntities, listAudit } from '../../src/banners/management/audit.js';
import { choiceValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { defaultRows, optional, rowParameters, toggle } from '../parameters.js';
import { auditJson } from './shared.js';

const columns = ['id', 'created_at', 'username', 'action', 'entity', 'entity_id', 'label'];

const spare = ['id', 'username', 'entity_id', 'entity'];

export const command = defineCommand({
  path: 'banner audit',
  summary: 'List changes to banners, positions and presets',
  description:
    'Lists changes to banners, positions, presets and conversions, newest first: what changed, how, when and who changed it. The username is rest-api for the banner API and cli for a command. With --json each entry has its payload: the values before and after the change.',
  arguments: {},
  options: {
    entity: optional(choiceValue(auditEntities), {
      placeholder: 'ENTITY',
      description: 'Show only changes to one kind: ad (banner), position, template (preset) or click (conversion)',
    }),
    action: optional(choiceValue(auditActions), {
      placeholder: 'ACTION',
      description: 'Show only changes of this kind',
    }),
    oldest: toggle('Show the oldest entry first'),
    ...rowParameters,
  },
  examples: [
    { line: 'banner audit --entity ad --action delete', does: 'Show removed banners' },
    { line: 'banner audit --limit 1000 --json', does: 'Show 1000 entries with their values, as JSON' },
  ],
  async run(options, deps) {
    const { entity = null, action = null, oldest, limit = defaultRows, offset = 0 } = options;
    const { entries, total } = await listAudit(await deps.openReady(), {
      ...{ entity, action, limit, offset },
      sort: 'id',
      descending: !oldest,
    });
    return { kind: 'list', columns, spare, rows: entries.map(auditJson), total, offset, empty: 'No matching changes.' };
  },
});
