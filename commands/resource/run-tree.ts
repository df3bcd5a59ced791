/** Reads the tree for `hcd resource tree` and turns it into text or JSON. */

import { type ResourceTree, readTree, type TreeNode } from '../../src/content/administration/resource-tree.js';
import { openAdministration } from '../../src/content/live/administrator.js';
import type { Deps } from '../deps.js';
import type { JsonRecord, Result } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';
import { drawTree, indentTree } from './render-tree.js';
import { nameMissing } from './run-show.js';
import { defaultLimit, maxDepth } from './tree-limits.js';

export interface TreeOptions {
  readonly id: number | undefined;
  readonly context: string | undefined;
  readonly depth: number | undefined;
  readonly limit: number | undefined;
  readonly all: boolean;
}

export async function runTree(options: TreeOptions, deps: Deps): Promise<Result> {
  const { id, context, depth = maxDepth, limit = defaultLimit, all } = options;
  if (id !== undefined && context !== undefined) {
    throw usageError({ '--context': 'is for the whole tree; an ID has its own context' });
  }
  const admin = await openAdministration(await openReady(deps), deps);
  const progress = deps.progress({ label: 'Reading resources', total: null });
  const asked = { root: id ?? null, context: context ?? null, withDeleted: all, depth, limit };
  const tree = await readTree(admin, { ...asked, onProgress: progress.update })
    .catch((error: unknown) => {
      throw id === undefined ? error : nameMissing(error, id);
    })
    .finally(progress.finish);
  return resultOf(tree, { deps, byContext: id === undefined });
}

function resultOf(
  tree: ResourceTree,
  { deps, byContext }: { readonly deps: Deps; readonly byContext: boolean },
): Result {
  const { stdout } = deps.io;
  const missing = tree.moreRoots + sumOfMissing(tree.roots);
  const cut = `Cut: ${tree.shown} resources are shown, at least ${missing} more are not; --depth, --limit or another ID shows them.`;
  const notes = [...(tree.shown === 0 ? ['No resources found.'] : []), ...(missing === 0 ? [] : [cut])];
  const data = { resources: tree.roots.map(jsonOf), shown: tree.shown, more: tree.moreRoots };
  // The drawing of a large tree is not made for nothing.
  if (deps.flags.json) return { kind: 'text', text: '', data, notes };
  const text = stdout.isTerminal ? drawTree(tree, { byContext, output: stdout }) : indentTree(tree);
  return { kind: 'text', text, data: null, notes };
}

function sumOfMissing(nodes: readonly TreeNode[]): number {
  return nodes.reduce((sum, { more, children }) => sum + more + sumOfMissing(children), 0);
}

function jsonOf(node: TreeNode): JsonRecord {
  const { id, pagetitle, context_key, published, deleted, hidemenu, more, children } = node;
  return {
    id,
    pagetitle,
    context_key,
    published,
    deleted,
    hidemenu,
    more,
    children: children.map(jsonOf),
  };
}
