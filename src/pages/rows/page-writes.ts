/** Writes to `hcd_pages`: drafts, publication, withdrawal and plans. What may be written is decided by the services. */
import type { Param, Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/state/ledger.js';

/** Makes the row of a page without a draft; one that is there stays as it is. */
export async function createPageRow(
  tx: Tx,
  { resource, by }: { readonly resource: number; readonly by: string },
): Promise<void> {
  const now = nowMilliseconds(tx.dialect);
  const unlessThere =
    tx.dialect === 'mariadb'
      ? 'ON DUPLICATE KEY UPDATE `resource_id` = `resource_id`'
      : 'ON CONFLICT (`resource_id`) DO NOTHING';
  await tx.run({
    sql: `INSERT INTO \`hcd_pages\` (\`resource_id\`, \`created_on\`, \`edited_on\`, \`edited_by\`) VALUES (?, ${now}, ${now}, ?) ${unlessThere}`,
    params: [resource, by],
  });
}

export interface DraftWrite {
  readonly resource: number;
  /** The document as JSON. */
  readonly draft: string;
  readonly revision: number;
  readonly by: string;
}

/** Stores a draft under its new revision. A planned publication that was refused gets another chance. */
export async function writeDraft(tx: Tx, { resource, draft, revision, by }: DraftWrite): Promise<void> {
  await tx.run({
    sql: `UPDATE \`hcd_pages\` SET \`draft\` = ?, \`revision\` = ?, \`edited_on\` = ${nowMilliseconds(tx.dialect)}, \`edited_by\` = ?, \`failed_draft\` = NULL WHERE \`resource_id\` = ?`,
    params: [draft, revision, by, resource],
  });
}

export interface PublicationWrite {
  readonly resource: number;
  /** Number of the publication, whose copy is written already. */
  readonly lastPublished: number;
  /** Revision of the draft that is published. */
  readonly publishedDraft: number;
  readonly siteRevision: number;
}

/** The page is published from now on, which a planned publication is done with. */
export async function markPublished(tx: Tx, write: PublicationWrite): Promise<void> {
  const { resource, lastPublished, publishedDraft, siteRevision } = write;
  // The moment of the copy: two statements of one transaction may see two times.
  const moment =
    '(SELECT `published_on` FROM `hcd_page_revisions` AS `r` WHERE `r`.`resource_id` = ? AND `r`.`revision` = ?)';
  await tx.run({
    sql: `UPDATE \`hcd_pages\` SET \`is_published\` = 1, \`last_published\` = ?, \`published_draft\` = ?, \`site_revision\` = ?, \`published_on\` = ${moment},
      \`publish_on\` = NULL, \`failed_draft\` = NULL
      WHERE \`resource_id\` = ?`,
    params: [lastPublished, publishedDraft, siteRevision, resource, lastPublished, resource],
  });
}

/** A withdrawal that was planned for a time that has passed would undo what somebody publishes now. */
export async function dropPastWithdrawal(tx: Tx, resource: number): Promise<void> {
  await tx.run({
    sql: `UPDATE \`hcd_pages\` SET \`unpublish_on\` = NULL WHERE \`resource_id\` = ? AND \`unpublish_on\` <= ${nowMilliseconds(tx.dialect)}`,
    params: [resource],
  });
}

/** The page is not published any more; its numbers stay used. */
export async function markWithdrawn(
  tx: Tx,
  { resource, siteRevision }: { readonly resource: number; readonly siteRevision: number },
): Promise<void> {
  await tx.run({
    sql: 'UPDATE `hcd_pages` SET `is_published` = 0, `is_delivered` = 0, `site_revision` = ?, `unpublish_on` = NULL WHERE `resource_id` = ?',
    params: [siteRevision, resource],
  });
}

/** Times that are absent stay as they are; null takes a plan back. */
export interface PlanWrite {
  readonly resource: number;
  readonly publishOn?: number | null;
  readonly unpublishOn?: number | null;
}

export async function writePlan(tx: Tx, { resource, publishOn, unpublishOn }: PlanWrite): Promise<void> {
  const changes: readonly (readonly [column: string, value: Param])[] = [
    ...(publishOn === undefined
      ? []
      : ([
          ['publish_on', publishOn],
          ['failed_draft', null],
        ] as const)),
    ...(unpublishOn === undefined ? [] : ([['unpublish_on', unpublishOn]] as const)),
  ];
  await tx.run({
    sql: `UPDATE \`hcd_pages\` SET ${changes.map(([column]) => `\`${column}\` = ?`).join(', ')} WHERE \`resource_id\` = ?`,
    params: [...changes.map(([, value]) => value), resource],
  });
}

/** The draft of this revision cannot be published: its plan waits until it is changed. */
export async function markPlanRefused(
  tx: Tx,
  { resource, revision }: { readonly resource: number; readonly revision: number },
): Promise<void> {
  await tx.run({
    sql: 'UPDATE `hcd_pages` SET `failed_draft` = ? WHERE `resource_id` = ?',
    params: [revision, resource],
  });
}

/** Every refused plan is tried again: what documents are held against has changed. */
export async function forgetRefusedPlans(tx: Tx): Promise<void> {
  await tx.run({ sql: 'UPDATE `hcd_pages` SET `failed_draft` = NULL WHERE `failed_draft` IS NOT NULL', params: [] });
}
