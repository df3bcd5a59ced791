/** Planned publications and withdrawals of `hcd_pages` that are due by the database's clock. */
import type { Reader } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/state/ledger.js';

export type PlannedStep = 'publish' | 'withdraw';

/** What of a page is due; the earlier step where both are. */
export interface DuePage {
  readonly resource: number;
  readonly step: PlannedStep;
}

const isDueToPublish = (now: string): string =>
  `\`publish_on\` <= ${now} AND (\`failed_draft\` IS NULL OR \`failed_draft\` <> \`revision\`)`;

/** Some of the pages with a step that is due and an id beyond `after`, by id; two index ranges. */
export async function readDuePages(
  reader: Reader,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly number[]> {
  const now = nowMilliseconds(reader.dialect);
  const rows = await reader.select({
    sql: `SELECT \`resource_id\` FROM \`hcd_pages\` WHERE ${isDueToPublish(now)} AND \`resource_id\` > ?
      UNION SELECT \`resource_id\` FROM \`hcd_pages\` WHERE \`unpublish_on\` <= ${now} AND \`resource_id\` > ?
      ORDER BY 1 LIMIT ?`,
    params: [after, after, limit],
  });
  return rows.map(([resource]) => Number(resource));
}

/** The step of a page that is due now; null when another process was faster, or somebody changed the plan. */
export async function readDueStep(reader: Reader, resource: number): Promise<PlannedStep | null> {
  const now = nowMilliseconds(reader.dialect);
  const rows = await reader.select({
    sql: `SELECT CASE WHEN ${isDueToPublish(now)} THEN \`publish_on\` END, CASE WHEN \`unpublish_on\` <= ${now} THEN \`unpublish_on\` END
      FROM \`hcd_pages\` WHERE \`resource_id\` = ?`,
    params: [resource],
  });
  const [publishOn, unpublishOn] = (rows[0] ?? [null, null]).map((value) => (value === null ? null : Number(value)));
  if (publishOn === null || publishOn === undefined) return typeof unpublishOn === 'number' ? 'withdraw' : null;
  return typeof unpublishOn === 'number' && unpublishOn < publishOn ? 'withdraw' : 'publish';
}
