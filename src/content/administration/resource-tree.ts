/** The tree of resources, read level by level. Children beyond a depth or a limit are counted on their parent. */

import { AppError } from '../../errors/app-error.js';
import { batchesOf } from '../../values/batches.js';
import type { Administration } from '../live/administrator.js';
import { siteContent } from '../models/resources.js';
import type { ListIntent } from '../query/ast.js';
import type { RecordJson } from '../reading/select-rows.js';
import { listContent, readContent, wholeList } from './browse-content.js';

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

/** Far below the parameters that either database takes in a statement. */
const batchSize = 500;

const fields = ['id', 'parent', 'pagetitle', 'context_key', 'published', 'deleted', 'hidemenu'];

/** Siblings are in the order of their menu index. Throws not_found, validation_failed. */
export async function readTree(admin: Administration, asked: TreeAsked): Promise<ResourceTree> {
  const growth = new Growth(admin, asked);
  const { roots, total } = await growth.plant();
  // The resource to start at does not count as a level.
  const levels = asked.root === null ? asked.depth - 1 : asked.depth;
  let level = roots;
  for (let depth = 0; depth < levels && level.length > 0; depth++) level = await growth.grow(level);
  await growth.countMissing();
  return { roots, moreRoots: total - roots.length, shown: growth.size };
}

class Growth {
  readonly #admin: Administration;
  readonly #asked: TreeAsked;
  readonly #nodes = new Map<number, Growing>();

  constructor(admin: Administration, asked: TreeAsked) {
    this.#admin = admin;
    this.#asked = asked;
  }

  get size(): number {
    return this.#nodes.size;
  }

  async plant(): Promise<{ readonly roots: Growing[]; readonly total: number }> {
    const { root } = this.#asked;
    if (root === null) {
      const { rows, total } = await this.#children([0]);
      return { roots: rows.flatMap((row) => this.#add(row) ?? []), total };
    }
    const record = await readContent(this.#admin, { object: 'resources', key: root, intent: this.#intent([]) });
    return { roots: [this.#add(record)].filter((node) => node !== null), total: 1 };
  }

  async grow(level: readonly Growing[]): Promise<Growing[]> {
    const next: Growing[] = [];
    for (const batch of batchesOf(level, batchSize)) {
      if (this.#room === 0) return next;
      const { rows, hasMore } = await this.#children(batch.map(({ id }) => id));
      for (const row of rows) {
        const node = this.#add(row);
        if (node) next.push(node);
        if (node) this.#nodes.get(Number(row['parent']))?.children.push(node);
      }
      for (const parent of batch) parent.isComplete = !hasMore;
      this.#asked.onProgress?.(this.size);
    }
    return next;
  }

  async countMissing(): Promise<void> {
    const { reader } = this.#admin;
    const open = [...this.#nodes.values()].filter(({ isComplete }) => !isComplete);
    for (const batch of batchesOf(open, batchSize)) {
      const { withDeleted, context } = this.#asked;
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

  get #room(): number {
    return Math.max(0, this.#asked.limit - this.size);
  }

  async #children(parents: readonly number[]) {
    const list = await listContent(this.#admin, { object: 'resources', intent: this.#intent(parents) });
    return { ...list, rows: list.rows.map(({ record }) => record) };
  }

  #intent(parents: readonly number[]): ListIntent {
    const { context, withDeleted: includeDeleted } = this.#asked;
    const filters = [{ field: 'parent', operator: 'in', values: parents.map(String) }] as const;
    const sort = [{ field: 'menuindex', direction: 'asc' }] as const;
    return wholeList({ fields, context, includeDeleted, filters, sort }, this.#room);
  }

  /** Null for a resource that is in the tree already: parents of damaged data may form a circle. */
  #add(record: RecordJson): Growing | null {
    const node: Growing = { ...decodeNode(record), children: [], more: 0, isComplete: false };
    if (this.#nodes.has(node.id)) return null;
    this.#nodes.set(node.id, node);
    return node;
  }
}

function decodeNode(record: RecordJson): Omit<Growing, 'children' | 'more' | 'isComplete'> {
  const { id, pagetitle, context_key, published, deleted, hidemenu } = record;
  if (typeof id !== 'number') throw new AppError('internal_error', { message: 'a resource without an id' });
  return {
    id,
    pagetitle: String(pagetitle ?? ''),
    context_key: String(context_key ?? ''),
    published: published === true,
    deleted: deleted === true,
    hidemenu: hidemenu === true,
  };
}
