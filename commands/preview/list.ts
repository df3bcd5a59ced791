/** `hcd preview list`: list previews. */
import { listPreviews, mostListed } from '../../src/identity/previews/manage-previews.js';
import { defineSiteCommand } from '../command.js';
import { toggle } from '../parameters.js';
import { previewRecord } from './shared.js';

export const command = defineSiteCommand({
  description: `Lists previews, the newest first, at most ${mostListed}. Tokens are never shown. States: active, expired and revoked. A preview without a resource shows its whole context. Previews are removed 30 days after they ended.`,
  options: { usable: toggle('Show only previews that work now') },
  examples: {
    'preview list': 'List all previews',
    'preview list --usable --json': 'List the previews that work as JSON',
  },
  async run({ usable }, deps) {
    const previews = await listPreviews(deps.store, { usable, now: deps.clock.now() });
    return {
      kind: 'list',
      columns: [
        'id',
        'resource_id',
        'context_key',
        'draft_revision',
        'state',
        'expires_on',
        'created_by',
        'created_on',
      ],
      spare: ['created_on', 'draft_revision', 'created_by'],
      marks: { state: { expired: 'past', revoked: 'past' } },
      rows: previews.map(previewRecord),
      empty: 'No previews. Make one: hcd resource preview ID',
    };
  },
});
