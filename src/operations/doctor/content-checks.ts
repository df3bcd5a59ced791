/** Checks of the resources: URIs that two of them have, parents that do not exist, chains of parents without an end. */
import { dialectOf } from '../../store/base/dialect.js';
import type { Store } from '../../store/open/open.js';
import { type Check, count, type Finding, ok, type StoreFacts, sample, warning } from './check.js';

export const contentChecks: readonly Check[] = [
  { name: 'duplicate-uris', needs: 'content', run: checkDuplicateUris },
  { name: 'parents', needs: 'content', run: checkParents },
  { name: 'tree', needs: 'content', run: checkTree },
];

/** Duplicates that are shown one by one. */
const shownDuplicates = 5;

async function checkDuplicateUris({ store }: StoreFacts): Promise<Finding | Finding[]> {
  const { content, prefix } = store;
  const { exactText } = dialectOf(content.dialect);
  const groups = await content.primary.select({
    sql: `SELECT MIN(\`context_key\`), MIN(\`uri\`) FROM \`${prefix}site_content\`
      WHERE \`deleted\` = 0 AND \`uri\` IS NOT NULL AND \`uri\` <> ''
      GROUP BY ${exactText('`context_key`')}, ${exactText('`uri`')} HAVING COUNT(*) > 1 ORDER BY 1, 2`,
    params: [],
    heavy: true,
  });
  if (groups.length === 0) return ok('no two resources of a context have the same URI');
  const findings: Finding[] = [];
  for (const [context, uri] of groups.slice(0, shownDuplicates)) {
    findings.push(await describeDuplicate(store, { context: String(context), uri: String(uri) }));
  }
  const more = groups.length - findings.length;
  return more === 0
    ? findings
    : [...findings, warning(`${count(more, 'more URI', 'more URIs')} that several resources have`, null)];
}

/** The order is the one in which the page lookup decides. */
async function describeDuplicate(
  { content, prefix }: Store,
  { context, uri }: { readonly context: string; readonly uri: string },
): Promise<Finding> {
  const { exactText, exactMark } = dialectOf(content.dialect);
  const rows = await content.primary.select({
    sql: `SELECT \`id\`, \`published\` FROM \`${prefix}site_content\`
      WHERE ${exactText('`context_key`')} = ${exactMark} AND ${exactText('`uri`')} = ${exactMark} AND \`deleted\` = 0
      ORDER BY \`published\` DESC, \`parent\`, \`menuindex\`, \`id\``,
    params: [context, uri],
    heavy: true,
  });
  const [winner, ...others] = rows.map(([id]) => Number(id));
  const served =
    Number(rows[0]?.[1]) === 1 ? `resource ${winner} is served` : `none of them is published (first ${winner})`;
  return warning(
    `${context}: ${JSON.stringify(uri)}: ${served}, not ${sample(others)}`,
    'Give each of them another alias or URI',
  );
}

async function checkParents({ store: { content, prefix } }: StoreFacts): Promise<Finding> {
  const table = `\`${prefix}site_content\``;
  const rows = await content.primary.select({
    sql: `SELECT c.\`id\` FROM ${table} AS c LEFT JOIN ${table} AS p ON p.\`id\` = c.\`parent\`
      WHERE c.\`parent\` <> 0 AND p.\`id\` IS NULL ORDER BY c.\`id\``,
    params: [],
    heavy: true,
  });
  if (rows.length === 0) return ok('every parent exists');
  const ids = rows.map(([id]) => Number(id));
  return warning(
    `${count(ids.length, 'resource has', 'resources have')} a parent that does not exist: ${sample(ids)}`,
    'Move them below another parent',
  );
}

async function checkTree({ store: { content, prefix } }: StoreFacts): Promise<Finding> {
  const sql = `SELECT \`id\`, \`parent\` FROM \`${prefix}site_content\` WHERE \`parent\` <> 0 ORDER BY \`id\``;
  const rows = await content.primary.select({ sql, params: [], heavy: true });
  const cycles = findCycles(new Map(rows.map(([id, parent]) => [Number(id), Number(parent)])));
  if (cycles.length === 0) return ok('every chain of parents ends at the root');
  return warning(
    `${count(cycles.length, 'chain of parents forms', 'chains of parents form')} a loop: ${sample(cycles.map((ids) => [...ids, ids[0]].join(' > ')))}`,
    'Move one resource of each loop to the root',
  );
}

/** Each circle once, as the ids on it. `parents` holds the parent of each id that has one. */
export function findCycles(parents: ReadonlyMap<number, number>): number[][] {
  const done = new Set<number>();
  const cycles: number[][] = [];
  for (const start of parents.keys()) {
    const path = new Map<number, number>();
    let at: number | undefined = start;
    while (at !== undefined && !done.has(at) && !path.has(at)) {
      path.set(at, path.size);
      at = parents.get(at);
    }
    const entry = at === undefined ? undefined : path.get(at);
    if (entry !== undefined) cycles.push([...path.keys()].slice(entry));
    for (const id of path.keys()) done.add(id);
  }
  return cycles;
}
