/** The states of pages that the change feed last reported. Numbers are given in the transaction of the change. */
import type { Param, Reader, Statement, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import type { RowOf } from '../../store/models/model.js';
import { readState } from '../../store/state/state.js';
import { nextSiteRevision, siteRevisionKey } from '../authoring/write-page.js';
import { pages, updatePage } from '../models/pages.js';

const told = [
  ...(['resource', 'isPublished', 'lastPublished', 'isDelivered'] as const),
  ...(['siteRevision', 'deliveredContext', 'earlierContexts'] as const),
] as const;

export type ToldPage = Pick<RowOf<typeof pages>, (typeof told)[number]>;

/** A page whose state is not what the feed reported. */
export interface Difference {
  readonly told: ToldPage;
  readonly context: string | null;
}

/** Made once: requests wait for these statements. */
const columns = told.map((name) => `\`p\`.\`${pages.columnOf(name)}\``).join(', ');

export async function readSiteRevision(own: Reader): Promise<number> {
  return Number((await readState(own, siteRevisionKey)) ?? 0);
}

export interface ChangesQuestion {
  /** Number of the last change that the reader knows. */
  readonly since: number;
  readonly context: string;
}

/** The oldest first; also of pages that were delivered in the context before. */
export async function readPageChanges(
  own: Reader,
  { limit, ...question }: ChangesQuestion & { readonly limit: number },
): Promise<readonly ToldPage[]> {
  const { where, params } = changed(question);
  const rows = await own.select({
    sql: `SELECT ${columns} FROM \`hcd_pages\` AS p WHERE ${where} ORDER BY \`p\`.\`site_revision\` LIMIT ?`,
    params: [...params, limit],
  });
  return rows.map((row) => pages.decode(row, told));
}

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

/** For one database. `places` finds the id and context of every resource whose page may be delivered. */
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
    const context = row[told.length];
    return {
      told: pages.decode(row, told),
      context: context === null || context === undefined ? null : String(context),
    };
  });
}

/** Pages that are published or were delivered, by id. */
export async function readToldPages(
  own: Reader,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly ToldPage[]> {
  const rows = await own.select({
    sql: `SELECT ${columns} FROM \`hcd_pages\` AS p WHERE \`p\`.\`resource_id\` > ?
      AND (\`p\`.\`is_published\` = 1 OR \`p\`.\`is_delivered\` = 1) ORDER BY \`p\`.\`resource_id\` LIMIT ?`,
    params: [after, limit],
  });
  return rows.map((row) => pages.decode(row, told));
}

/** Skips pages that another writer has changed since. Returns how many were changed. */
export async function writeDifferences(tx: Tx, differences: readonly Difference[]): Promise<number> {
  const ids = differences.map((one) => one.told.resource);
  const order = ['resource' as const];
  const rows = await pages.on(tx).lookUpAll({ resource: ids }, { attributes: told, order, lock: true });
  const byResource = new Map(differences.map((one) => [one.told.resource, one]));
  let written = 0;
  for (const current of rows) {
    const difference = byResource.get(current.resource);
    // Publications lock in this order too: rows first, then the number.
    if (difference === undefined || !isSame(current, difference.told)) continue;
    await updatePage(tx, current.resource, { ...placeOf(difference), siteRevision: await nextSiteRevision(tx) });
    written += 1;
  }
  return written;
}

function placeOf({ told: before, context }: Difference) {
  const { deliveredContext: last, earlierContexts: earlier } = before;
  const deliveredContext = context ?? last;
  const isElsewhere = last !== '' && deliveredContext !== last;
  const earlierContexts = isElsewhere ? withContext(earlier ?? ',', last) : earlier;
  return { isDelivered: context !== null, deliveredContext, earlierContexts };
}

function withContext(list: string, context: string): string {
  return list.includes(`,${context},`) ? list : `${list}${context},`;
}

function isSame(one: ToldPage, other: ToldPage): boolean {
  return (
    one.siteRevision === other.siteRevision &&
    one.isPublished === other.isPublished &&
    one.isDelivered === other.isDelivered
  );
}
