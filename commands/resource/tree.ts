/** `hcd resource tree [ID]`: the tree of resources. */
import { integerValue, textValue } from '../../src/config/value-type.js';
import { type ResourceTree, readTree, type TreeNode } from '../../src/content/administration/resource-tree.js';
import { openAdministration } from '../../src/content/live/administrator.js';
import { defineCommand } from '../command.js';
import type { Deps } from '../deps.js';
import { optional, toggle } from '../parameters.js';
import type { JsonRecord, Result } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';
import { idValue } from './id-value.js';
import { nameMissing } from './name-missing.js';
import { drawTree, indentTree } from './render-tree.js';
import { defaultLimit, maxDepth } from './tree-limits.js';

export const command = defineCommand({
  path: 'resource tree',
  summary: 'Show resources as a tree',
  description:
    'Shows all resources, or one resource and its descendants, as a tree in the order of the menu index. Unpublished resources are marked. The tree is read level by level until --depth or --limit; it shows where children are left out. In a pipe each line is indented by tabs and has id, title, marks, context and the number of children left out.',
  arguments: { id: optional(idValue, { placeholder: 'ID', description: 'Resource to start at (default: all)' }) },
  options: {
    context: optional(textValue(), { placeholder: 'KEY', description: 'Show only resources of this context' }),
    depth: optional(integerValue({ min: 1, max: maxDepth }), {
      placeholder: 'N',
      description: `Number of levels to show (default: ${maxDepth})`,
    }),
    limit: optional(integerValue({ min: 1, max: 100_000 }), {
      placeholder: 'N',
      description: `Maximum number of resources (default: ${defaultLimit})`,
    }),
    all: toggle('Also show deleted resources'),
  },
  examples: [
    { line: 'resource tree --depth 2', does: 'Show the top two levels of every context' },
    { line: 'resource tree 42 --all --json', does: 'Show a branch with deleted resources as JSON' },
  ],
  async run(options, deps) {
    const { id, context, depth = maxDepth, limit = defaultLimit, all } = options;
    if (id !== undefined && context !== undefined) {
      throw usageError({ '--context': 'cannot be combined with ID' });
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
  },
});

function resultOf(
  tree: ResourceTree,
  { deps, byContext }: { readonly deps: Deps; readonly byContext: boolean },
): Result {
  const { stdout } = deps.io;
  const missing = tree.moreRoots + sumOfMissing(tree.roots);
  const cut = `Resources shown: ${tree.shown}; at least ${missing} more exist. Use --depth, --limit or another ID to see them.`;
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
