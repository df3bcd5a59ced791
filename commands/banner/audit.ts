/** `hcd banner audit`: who changed which banner. */
import { listAudit } from '../../src/banners/management/list-audit.js';
import { auditActions, auditEntities } from '../../src/banners/management/note-write.js';
import { choiceValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { optional, toggle } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { auditJson } from './banner-json.js';
import { defaultLimit, partParameters } from './parameters.js';

const columns = ['id', 'created_at', 'username', 'action', 'entity', 'entity_id', 'label'];

const spare = ['id', 'username', 'entity_id', 'entity'];

export const command = defineCommand({
  path: 'banner audit',
  summary: 'List changes of banners, positions, presets and conversions',
  description:
    'Lists the audit log of the banners, the newest entry first: what was changed, how, when and by whom. rest-api is a client of the banner API, cli is a command. With --json each entry has its payload: the values before and after.',
  arguments: {},
  options: {
    entity: optional(choiceValue(auditEntities), {
      placeholder: 'ENTITY',
      description:
        'Only changes of banners, positions or presets, or conversions; the API calls them ad, position, template and click',
    }),
    action: optional(choiceValue(auditActions), { placeholder: 'ACTION', description: 'Only this kind of change' }),
    oldest: toggle('The oldest entry first'),
    ...partParameters,
  },
  examples: [
    { line: 'banner audit --entity ad --action delete', does: 'Show which banners were removed' },
    { line: 'banner audit --limit 1000 --json', does: 'Read the log with the values, for a script' },
  ],
  async run(options, deps) {
    const { entity = null, action = null, oldest, limit = defaultLimit, offset = 0 } = options;
    const { entries, total } = await listAudit(await openReady(deps), {
      filter: { entity, action },
      page: { sort: 'id', descending: !oldest, limit, offset },
    });
    const isSilentlyCut = offset + entries.length < total && !deps.flags.json && !deps.io.stdout.isTerminal;
    const notes = isSilentlyCut ? [`${entries.length} of ${total} shown.`] : [];
    return { kind: 'list', columns, spare, rows: entries.map(auditJson), total, empty: 'No change fits.', notes };
  },
});
