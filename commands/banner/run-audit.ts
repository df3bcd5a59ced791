/** Reads the audit log for `hcd banner audit`. */
import { listAudit } from '../../src/banners/management/list-audit.js';
import type { Deps } from '../deps.js';
import type { ListResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { auditJson } from './banner-json.js';
import { defaultLimit, type PartFlags } from './parameters.js';

const columns = ['id', 'created_at', 'username', 'action', 'entity', 'entity_id', 'label'];
const spare = ['id', 'username', 'entity_id', 'entity'];

export interface AuditOptions extends PartFlags {
  readonly entity: string | undefined;
  readonly action: string | undefined;
  readonly oldest: boolean;
}

export async function runAudit(options: AuditOptions, deps: Deps): Promise<ListResult> {
  const { entity = null, action = null, oldest, limit = defaultLimit, offset = 0 } = options;
  const { entries, total } = await listAudit(await openReady(deps), {
    filter: { entity, action },
    page: { sort: 'id', descending: !oldest, limit, offset },
  });
  const isSilentlyCut = offset + entries.length < total && !deps.flags.json && !deps.io.stdout.isTerminal;
  const notes = isSilentlyCut ? [`${entries.length} of ${total} shown.`] : [];
  return { kind: 'list', columns, spare, rows: entries.map(auditJson), total, empty: 'No change fits.', notes };
}
