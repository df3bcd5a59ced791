/** `hcd banner audit`: who changed which banner. */

import { auditActions, auditEntities } from '../../src/banners/management/note-write.js';
import { choiceValue } from '../../src/config/value-type.js';
import { defineCommand } from '../command.js';
import { optional, toggle } from '../parameters.js';
import { partParameters } from './parameters.js';

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
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-audit.js')).runAudit(options, deps),
});
