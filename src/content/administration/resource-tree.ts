/** The tree of resources, read level by level. Children beyond a depth or a limit are counted on their parent. */

import { batchesOf } from '../../values/batches.js';
import type { Administration } from '../live/administrator.js';
import { siteContent } from '../models/resources.js';
import type { RecordJson } from '../reading/select-rows.js';
import { everything, listContent, readContent, wholeList } from './browse-content.js';

export interface TreeNode {
  readonly id: number;
  readonly pagetitle: string;
  readonly context_key: string;
  readonly published: boolean;
  readonly deleted: boolean;
  readonly hidemenu: boolean;
  readonly children: readonly TreeNode[];
  readonly more: number;
}

export interface ResourceTree {
  readonly roots: readonly TreeNode[];
  readonly moreRoots: number;
  readonly shown: number;
}

interface TreeAsked {
  readonly root: number | null;
  readonly context: string | null;
  readonly withDeleted: boolean;
  readonly depth: number;
  readonly limit: number;
  readonly onProgress?: (read: number) => void;
}

interface Growing extends Omit<TreeNode, 'children' | 'more'> {
  readonly children: Growing[];
  more: number;
  isComplete: boolean;
}

type Nodes = Map<number, Growing>;

/** Far below the parameters that either database takes in a statement. */
const batchSize = 500;

const fields = ['id', 'parent', 'pagetitle', 'context_key', 'published', 'deleted', 'hidemenu'];

/** Siblings are in the order of their menu index. Throws not_found, validation_failed. */
export async function readTree(admin: Administration, asked: TreeAsked): Promise<ResourceTree> {
  const { root, limit, onProgress } = asked;
  const nodes: Nodes = new Map();
  const { rows, total } =
    root === null ? await readChildren(admin, asked, { parents: [0], limit }) : await readRoot(admin, root);
  const roots = rows.flatMap((row) => addNode(nodes, row) ?? []);
  // The resource to start at does not count as a level.
  let levels = root === null ? asked.depth - 1 : asked.depth;
  for (let level = roots; levels > 0 && level.length > 0; levels -= 1) {
    const next: Growing[] = [];
    for (const batch of batchesOf(level, batchSize)) {
      if (nodes.size >= limit) break;
      const parents = batch.map(({ id }) => id);
      const below = await readChildren(admin, asked, { parents, limit: limit - nodes.size });
      for (const row of below.rows) {
        const node = addNode(nodes, row);
        if (node !== null) next.push(node);
        if (node !== null) nodes.get(Number(row['parent']))?.children.push(node);
      }
      for (const parent of batch) parent.isComplete = !below.hasMore;
      onProgress?.(nodes.size);
    }
    level = next;
  }
  await countMissing(admin, asked, nodes);
  return { roots, moreRoots: total - roots.length, shown: nodes.size };
}

async function readRoot(admin: Administration, key: number) {
  return {
    rows: [await readContent(admin, { object: 'resources', key, intent: { ...everything, fields } })],
    total: 1,
  };
}

async function readChildren(
  admin: Administration,
  { context, withDeleted: includeDeleted }: TreeAsked,
  { parents, limit }: { readonly parents: readonly number[]; readonly limit: number },
) {
  const filters = [{ field: 'parent', operator: 'in', values: parents.map(String) }] as const;
  const sort = [{ field: 'menuindex', direction: 'asc' }] as const;
  const intent = wholeList({ fields, context, includeDeleted, filters, sort }, limit);
  const { rows, total, hasMore } = await listContent(admin, { object: 'resources', intent });
  return { rows: rows.map(({ record }) => record), total, hasMore };
}

async function countMissing(
  { reader }: Administration,
  { withDeleted, context }: TreeAsked,
  nodes: Nodes,
): Promise<void> {
  const open = [...nodes.values()].filter(({ isComplete }) => !isComplete);
  for (const batch of batchesOf(open, batchSize)) {
    const found = await siteContent.on(reader.db, reader.prefix).count({
      where: {
        parent: batch.map(({ id }) => id),
        ...(withDeleted ? {} : { deleted: false }),
        ...(context === null ? {} : { context_key: context }),
      },
      group: ['parent'],
    });
    const counts = new Map(found.map(({ parent, count }) => [parent, count]));
    for (const node of batch) node.more = Math.max(0, (counts.get(node.id) ?? 0) - node.children.length);
  }
}

/** Null for a resource that is in the tree already: parents of damaged data may form a circle. */
function addNode(nodes: Nodes, record: RecordJson): Growing | null {
  const id = Number(record['id']);
  if (nodes.has(id)) return null;
  const node: Growing = {
    id,
    pagetitle: String(record['pagetitle'] ?? ''),
    context_key: String(record['context_key'] ?? ''),
    published: record['published'] === true,
    deleted: record['deleted'] === true,
    hidemenu: record['hidemenu'] === true,
    ...{ children: [], more: 0, isComplete: false },
  };
  nodes.set(id, node);
  return node;
}
