/**
 * What readers were told of pages, in `hcd_pages`: which are delivered, in which context, and the number of the last
 * change of each in the whole site. Numbers are given in the transaction of the change, so they appear in their order.
 */
import type { Param, RawRow, Reader, Statement, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { nextNumber, readState } from '../../store/state/state.js';

/** Key of the number of the last change of any page in `hcd_state`. */
export const siteRevisionKey = 'pages_revision';

/** The last change of one page, as readers were told. */
export interface ToldPage {
  readonly resource: number;
  readonly isPublished: boolean;
  readonly lastPublished: number;
  readonly isDelivered: boolean;
  readonly siteRevision: number;
  /** Where it is or was last delivered; empty before the first time. */
  readonly deliveredContext: string;
  /** Contexts before that one, as `,web,en,`; empty for none. */
  readonly earlierContexts: string;
}

/** A page that readers were told otherwise than it is. */
export interface Difference {
  readonly told: ToldPage;
  /** The context in which it is to be delivered; null = not at all. */
  readonly context: string | null;
}

const names = [
  'resource_id',
  'is_published',
  'last_published',
  'is_delivered',
  'site_revision',
  'delivered_context',
  'earlier_contexts',
];
const columns = names.map((name) => `\`p\`.\`${name}\``).join(', ');

/** 0 before the first publication. */
export async function readSiteRevision(own: Reader): Promise<number> {
  return Number((await readState(own, siteRevisionKey)) ?? 0);
}

export interface ChangesQuestion {
  /** Number of the last change that the reader knows. */
  readonly since: number;
  readonly context: string;
}

/** The oldest changes of pages that are or were delivered in the context, at most `limit`. */
export async function readPageChanges(
  own: Reader,
  { limit, ...question }: ChangesQuestion & { readonly limit: number },
): Promise<readonly ToldPage[]> {
  const { where, params } = changed(question);
  const rows = await own.select({
    sql: `SELECT ${columns} FROM \`hcd_pages\` AS p WHERE ${where} ORDER BY \`p\`.\`site_revision\` LIMIT ?`,
    params: [...params, limit],
  });
  return rows.map(decodeTold);
}

/** How many changes there are. */
export async function countPageChanges(own: Reader, question: ChangesQuestion): Promise<number> {
  const { where, params } = changed(question);
  const sql = `SELECT COUNT(*) FROM \`hcd_pages\` AS p WHERE ${where}`;
  return Number((await own.select({ sql, params, heavy: { over: 'hcd_pages' } }))[0]?.[0] ?? 0);
}

function changed({ since, context }: ChangesQuestion): { readonly where: string; readonly params: readonly Param[] } {
  return {
    where: `\`p\`.\`site_revision\` > ? AND (\`p\`.\`delivered_context\` = ? OR INSTR(\`p\`.\`earlier_contexts\`, ?) > 0)`,
    params: [since, context, `,${context},`],
  };
}

/**
 * Pages that readers were told otherwise than they are, by id after the given one, where content and own tables are in
 * one database. `places` finds every resource whose page may be delivered, as id and context.
 */
export async function readDifferences(
  db: Reader,
  { places, after, limit }: { readonly places: Statement; readonly after: number; readonly limit: number },
): Promise<readonly Difference[]> {
  const { exactText } = dialectOf(db.dialect);
  const isOut = '`p`.`is_published` = 1 AND `p`.`last_published` > 0 AND t.`id` IS NOT NULL';
  const rows = await db.select({
    sql: `SELECT ${columns}, CASE WHEN ${isOut} THEN t.\`context_key\` END
      FROM \`hcd_pages\` AS p LEFT JOIN (${places.sql}) AS t ON t.\`id\` = \`p\`.\`resource_id\`
      WHERE \`p\`.\`resource_id\` > ? AND (\`p\`.\`is_published\` = 1 OR \`p\`.\`is_delivered\` = 1) AND (
        \`p\`.\`is_delivered\` <> CASE WHEN ${isOut} THEN 1 ELSE 0 END
        OR (${isOut} AND ${exactText('t.`context_key`')} <> ${exactText('`p`.`delivered_context`')}))
      ORDER BY \`p\`.\`resource_id\` LIMIT ?`,
    params: [...places.params, after, limit],
    heavy: true,
  });
  return rows.map((row) => {
    const context = row[names.length];
    return { told: decodeTold(row), context: context === null || context === undefined ? null : String(context) };
  });
}

/** Pages that are published or were delivered, by id, after the given one. */
export async function readToldPages(
  own: Reader,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly ToldPage[]> {
  const rows = await own.select({
    sql: `SELECT ${columns} FROM \`hcd_pages\` AS p WHERE \`p\`.\`resource_id\` > ?
      AND (\`p\`.\`is_published\` = 1 OR \`p\`.\`is_delivered\` = 1) ORDER BY \`p\`.\`resource_id\` LIMIT ?`,
    params: [after, limit],
  });
  return rows.map(decodeTold);
}

/**
 * Tells readers how it is now, each page under a number of its own; gives how many were changed. Pages that somebody
 * else has changed since they were read are left as they are.
 */
export async function writeDifferences(tx: Tx, differences: readonly Difference[]): Promise<number> {
  const sorted = [...differences].sort((one, other) => one.told.resource - other.told.resource);
  const now = await lockTold(
    tx,
    sorted.map(({ told }) => told.resource),
  );
  let written = 0;
  for (const difference of sorted) {
    const { told } = difference;
    const current = now.get(told.resource);
    // Rows first, the number afterwards: who publishes locks in this order too.
    if (current === undefined || !isSame(current, told)) continue;
    await writeTold(tx, difference, await nextNumber(tx, siteRevisionKey));
    written += 1;
  }
  return written;
}

async function lockTold(tx: Tx, resources: readonly number[]): Promise<ReadonlyMap<number, ToldPage>> {
  if (resources.length === 0) return new Map();
  const rows = await tx.select({
    sql: `SELECT ${columns} FROM \`hcd_pages\` AS p WHERE \`p\`.\`resource_id\` IN (${resources.map(() => '?').join(', ')})
      ORDER BY \`p\`.\`resource_id\`${tx.dialect === 'mariadb' ? ' FOR UPDATE' : ''}`,
    params: resources,
  });
  return new Map(rows.map(decodeTold).map((row) => [row.resource, row]));
}

async function writeTold(tx: Tx, { told, context }: Difference, siteRevision: number): Promise<void> {
  const deliveredContext = context ?? told.deliveredContext;
  const isElsewhere = told.deliveredContext !== '' && deliveredContext !== told.deliveredContext;
  const earlier = isElsewhere ? withContext(told.earlierContexts, told.deliveredContext) : told.earlierContexts;
  await tx.run({
    sql: 'UPDATE `hcd_pages` SET `is_delivered` = ?, `delivered_context` = ?, `earlier_contexts` = ?, `site_revision` = ? WHERE `resource_id` = ?',
    params: [context === null ? 0 : 1, deliveredContext, earlier === '' ? null : earlier, siteRevision, told.resource],
  });
}

function withContext(list: string, context: string): string {
  return list.includes(`,${context},`) ? list : `${list === '' ? ',' : list}${context},`;
}

function isSame(one: ToldPage, other: ToldPage): boolean {
  return (
    one.siteRevision === other.siteRevision &&
    one.isPublished === other.isPublished &&
    one.isDelivered === other.isDelivered
  );
}

function decodeTold(row: RawRow): ToldPage {
  const [resource, isPublished, lastPublished, isDelivered, siteRevision, deliveredContext, earlierContexts] = row;
  return {
    resource: Number(resource),
    isPublished: Number(isPublished) === 1,
    lastPublished: Number(lastPublished),
    isDelivered: Number(isDelivered) === 1,
    siteRevision: Number(siteRevision),
    deliveredContext: String(deliveredContext),
    earlierContexts: String(earlierContexts ?? ''),
  };
}
