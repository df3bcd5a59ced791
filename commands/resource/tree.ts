/** `hcd resource tree [ID]`: the tree of resources. */
import { integerValue, textValue } from '../../src/config/value-type.js';
import { type ResourceTree, readTree, type TreeNode } from '../../src/content/administration/resource-tree.js';
import { openAdministration } from '../../src/content/live/administrator.js';
import { groupBy } from '../../src/values/batches.js';
import { escapeControls } from '../../src/values/text.js';
import { defineCommand, type Result, tabLine } from '../command.js';
import type { Deps } from '../deps.js';
import { type Paint, paintFor } from '../paint.js';
import { idValue, optional, toggle, usageError } from '../parameters.js';
import type { Output } from '../streams.js';
import { cutToWidth, displayWidth } from '../terminal-text.js';
import { notFound } from './shared.js';

const defaultLimit = 1000;

/** No site is nested like this, and damaged data must not build endless branches. */
const maxDepth = 100;

export const command = defineCommand({
  description:
    'Shows all resources, or one resource and its descendants, as a tree in the order of the menu index. Unpublished resources are marked. The tree is read level by level until --depth or --limit; it shows where children are left out. In a pipe each line is indented by tabs and has id, title, marks, context and the number of children left out.',
  arguments: { id: optional(idValue, 'Resource to start at (default: all)', { placeholder: 'ID' }) },
  options: {
    context: optional(textValue(), 'Show only resources of this context', { placeholder: 'KEY' }),
    depth: optional(integerValue({ min: 1, max: maxDepth }), `Number of levels to show (default: ${maxDepth})`),
    limit: optional(integerValue({ min: 1, max: 100_000 }), `Maximum number of resources (default: ${defaultLimit})`),
    all: toggle('Also show deleted resources'),
  },
  examples: {
    'resource tree --depth 2': 'Show the top two levels of every context',
    'resource tree 42 --all --json': 'Show a branch with deleted resources as JSON',
  },
  async run(options, deps) {
    const { id, context, depth = maxDepth, limit = defaultLimit, all } = options;
    if (id !== undefined && context !== undefined) {
      throw usageError({ '--context': 'cannot be combined with ID' });
    }
    const admin = await openAdministration((await deps.openSite()).store, deps);
    const asked = { root: id ?? null, context: context ?? null, withDeleted: all, depth, limit };
    const tree = await deps
      .progress('Reading resources', ({ update }) => readTree(admin, { ...asked, onProgress: update }))
      .catch((error: unknown) => {
        if (id === undefined) throw error;
        return notFound(id)(error);
      });
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
  if (deps.flags.json) return { kind: 'text', text: '', data, notes };
  const text = stdout.isTerminal ? drawTree(tree, { byContext, output: stdout }) : indentTree(tree);
  return { kind: 'text', text, data: null, notes };
}

function sumOfMissing(nodes: readonly TreeNode[]): number {
  return nodes.reduce((sum, { more, children }) => sum + more + sumOfMissing(children), 0);
}

function jsonOf({ id, pagetitle, context_key, more, children, ...node }: TreeNode): object {
  const { published, deleted, hidemenu } = node;
  return { id, pagetitle, context_key, published, deleted, hidemenu, more, children: children.map(jsonOf) };
}

const step = 3;
const leastTitle = 8;

function flagsOf({ published, deleted, hidemenu }: TreeNode): string[] {
  return [...(published ? [] : ['unpublished']), ...(deleted ? ['deleted'] : []), ...(hidemenu ? ['hidden'] : [])];
}

function drawTree(
  tree: ResourceTree,
  { byContext, output }: { readonly byContext: boolean; readonly output: Output },
): string {
  const { columns } = output;
  const paint = paintFor(output);
  const moreRoots = tree.moreRoots === 0 ? [] : [paint.dim(`… ${tree.moreRoots} more at the top`)];
  const lines = byContext
    ? groupByContext(tree).flatMap(([context, roots]) => [
        paint.bold(escapeControls(context)),
        ...drawBranches(roots, { paint, room: columns, more: [] }),
      ])
    : tree.roots.flatMap((root) => drawNode(root, { paint, room: columns }));
  return [...lines, ...moreRoots].map((line) => `${line}\n`).join('');
}

/** Depth as tabs, then id, title, flags, context and the number of children that are not shown. */
function indentTree(tree: ResourceTree): string {
  const lines: string[] = [];
  const add = (node: TreeNode, depth: number): void => {
    const { id, pagetitle, context_key, more, children } = node;
    lines.push('\t'.repeat(depth) + tabLine([id, pagetitle, flagsOf(node), context_key, more]));
    for (const child of children) add(child, depth + 1);
  };
  for (const [, roots] of groupByContext(tree)) for (const root of roots) add(root, 0);
  return lines.join('');
}

function groupByContext({ roots }: ResourceTree): [string, readonly TreeNode[]][] {
  return [...groupBy(roots, ({ context_key }) => context_key)];
}

interface Place {
  readonly paint: Paint;
  readonly room: number;
}

function drawNode(node: TreeNode, { paint, room }: Place): string[] {
  const more = node.more === 0 ? [] : [paint.dim(`… ${node.more} more`)];
  return [label(node, { paint, room }), ...drawBranches(node.children, { paint, room, more })];
}

/** `more` is a last line without a resource. */
function drawBranches(
  nodes: readonly TreeNode[],
  { paint, room, more }: Place & { readonly more: readonly string[] },
): string[] {
  const blocks = [...nodes.map((node) => drawNode(node, { paint, room: room - step })), ...more.map((line) => [line])];
  return blocks.flatMap((block, index) => {
    const isLast = index === blocks.length - 1;
    return block.map((line, at) => {
      if (at === 0) return `${isLast ? '└─ ' : '├─ '}${line}`;
      return `${isLast ? '   ' : '│  '}${line}`;
    });
  });
}

function label(node: TreeNode, { paint, room }: Place): string {
  const flags = flagsOf(node);
  const id = String(node.id);
  const mark = flags.length === 0 ? '' : `[${flags.join(', ')}]`;
  const taken = displayWidth([id, '', ...(mark === '' ? [] : [mark])].join(' '));
  const title = cutToWidth(escapeControls(node.pagetitle), Math.max(leastTitle, room - taken));
  return [paint.dim(id), title, ...(mark === '' ? [] : [paint.yellow(mark)])].join(' ');
}
