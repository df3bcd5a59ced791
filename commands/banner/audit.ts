/** `hcd banner audit`: list changes to banners, positions and presets. */
import { auditActions, auditEntities, listAudit } from '../../src/banners/management/audit.js';
import { choiceValue } from '../../src/config/value-type.js';
import { defineSiteCommand } from '../command.js';
import { defaultRows, optional, rowParameters, toggle } from '../parameters.js';
import { decodeJson } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Lists changes to banners, positions, presets and conversions, newest first: what changed, how, when and who changed it. The username is rest-api for the banner API, cli for a command and studio for a command in Studio. With --json each entry has its payload: the values before and after the change.',
  options: {
    entity: optional(
      choiceValue(auditEntities),
      'Show only changes to one kind: ad (banner), position, template (preset) or click (conversion)',
    ),
    action: optional(choiceValue(auditActions), 'Show only changes of this kind'),
    oldest: toggle('Show the oldest entry first'),
    ...rowParameters,
  },
  examples: {
    'banner audit --entity ad --action delete': 'Show removed banners',
    'banner audit --limit 1000 --json': 'Show 1000 entries with their values, as JSON',
  },
  async run(options, deps) {
    const { entity = null, action = null, oldest, limit = defaultRows, offset = 0 } = options;
    const { rows, total } = await listAudit(deps.store, {
      ...{ entity, action, limit, offset },
      sort: 'id',
      descending: !oldest,
    });
    return {
      kind: 'list',
      columns: ['id', 'created_at', 'username', 'action', 'entity', 'entity_id', 'label'],
      spare: ['id', 'username', 'entity_id', 'entity'],
      rows: rows.map(decodeJson),
      total,
      offset,
      empty: 'No matching changes.',
    };
  },
});
