/** A tree of resources as text: branches drawn for people, indentation by tabs in a pipe. */

import type { ResourceTree, TreeNode } from '../../src/content/administration/resource-tree.js';
import { escapeControls } from '../../src/log/escape.js';
import { cutToWidth, displayWidth } from '../display-width.js';
import type { Output } from '../io.js';
import { type Paint, paintFor } from '../paint.js';
import { renderLine } from '../table.js';

/** Columns of the lines that lead to one branch. */
const step = 3;
/** Columns that a title keeps in any case. */
const leastTitle = 8;

/** States that set a resource apart, in a fixed order. */
function flagsOf({ published, deleted, hidemenu }: TreeNode): string[] {
  return [...(published ? [] : ['unpublished']), ...(deleted ? ['deleted'] : []), ...(hidemenu ? ['hidden'] : [])];
}

/**
 * Roots of one context under its key; a tree that starts at a resource has no such heading. Titles are cut so that lines
 * fit.
 */
export function drawTree(
  tree: ResourceTree,
  { byContext, output }: { readonly byContext: boolean; readonly output: Output },
): string {
  const { columns } = output;
  const paint = paintFor(output);
  const moreRoots = tree.moreRoots === 0 ? [] : [paint.dim(`… ${tree.moreRoots} more at the top`)];
  const lines = byContext
    ? groupByContext(tree.roots).flatMap(([context, roots]) => [
        paint.bold(escapeControls(context)),
        ...drawBranches(roots, { paint, room: columns, more: [] }),
      ])
    : tree.roots.flatMap((root) => drawNode(root, { paint, room: columns }));
  return [...lines, ...moreRoots].map((line) => `${line}\n`).join('');
}

/** Depth as tabs, then id, title, flags, context and the number of children that are not shown. */
export function indentTree(tree: ResourceTree): string {
  const lines: string[] = [];
  const add = (node: TreeNode, depth: number): void => {
    const { id, pagetitle, context_key, more, children } = node;
    lines.push('\t'.repeat(depth) + renderLine([id, pagetitle, flagsOf(node), context_key, more]));
    for (const child of children) add(child, depth + 1);
  };
  for (const [, roots] of groupByContext(tree.roots)) for (const root of roots) add(root, 0);
  return lines.join('');
}

/** Contexts in the order in which their first root stands. */
function groupByContext(roots: readonly TreeNode[]): [string, readonly TreeNode[]][] {
  const groups = new Map<string, TreeNode[]>();
  for (const root of roots) {
    const group = groups.get(root.context_key);
    if (group) group.push(root);
    else groups.set(root.context_key, [root]);
  }
  return [...groups];
}

interface Place {
  readonly paint: Paint;
  /** Columns from here to the edge. */
  readonly room: number;
}

function drawNode(node: TreeNode, { paint, room }: Place): string[] {
  const more = node.more === 0 ? [] : [paint.dim(`… ${node.more} more`)];
  return [label(node, { paint, room }), ...drawBranches(node.children, { paint, room, more })];
}

/** The branches below one line; `more` is a last one without a resource. */
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
