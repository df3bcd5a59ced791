/** The commands as a tree of words: which groups exist and what stands below each. */
import type { Command } from './command.js';

export interface Group {
  /** Words such as `oauth client`. */
  readonly path: string;
  readonly summary: string;
}

export interface Program {
  readonly version: string;
  readonly commands: readonly Command[];
  readonly groups: readonly Group[];
}

export type Node =
  | { readonly kind: 'command'; readonly path: string; readonly command: Command }
  | { readonly kind: 'group'; readonly path: string; readonly summary: string };

/** `add` and `create` are the same verb: both are accepted wherever one of them is listed. */
const sameVerb: Readonly<Record<string, string>> = { add: 'create', create: 'add' };

/** The other word for the last word of a path, if it has one. */
export function aliasOf(path: string): string | undefined {
  return sameVerb[path.slice(path.lastIndexOf(' ') + 1)];
}

/** The nodes directly below a path ('' is the top), in the order of the list of commands. */
export function childrenOf(program: Program, path: string): readonly Node[] {
  const start = path === '' ? '' : `${path} `;
  const depth = path === '' ? 0 : path.split(' ').length;
  const found = new Map<string, Node>();
  for (const command of program.commands) {
    if (!command.path.startsWith(start)) continue;
    const child = command.words.slice(0, depth + 1).join(' ');
    if (!found.has(child)) found.set(child, nodeAt(program, child));
  }
  return [...found.values()];
}

/** The node of a path that exists. */
export function nodeAt(program: Program, path: string): Node {
  const command = program.commands.find((candidate) => candidate.path === path);
  if (command) return { kind: 'command', path, command };
  const group = program.groups.find((candidate) => candidate.path === path);
  return { kind: 'group', path, summary: group?.summary ?? '' };
}

/** Every path of the tree, groups before what they hold; without the top. */
export function allNodes(program: Program, path = ''): readonly Node[] {
  return childrenOf(program, path).flatMap((node) =>
    node.kind === 'command' ? [node] : [node, ...allNodes(program, node.path)],
  );
}

/** The path with an alias of its verb replaced by the listed word; null when there is no such node. */
export function findPath(program: Program, words: readonly string[]): string | null {
  const path = words.join(' ');
  const alias = aliasOf(path);
  const other = alias === undefined ? path : [...words.slice(0, -1), alias].join(' ');
  const paths = new Set(allNodes(program).map((node) => node.path));
  return [path, other].find((candidate) => candidate === '' || paths.has(candidate)) ?? null;
}

/** Summary of a node of either kind. */
export function summaryOf(node: Node): string {
  return node.kind === 'command' ? node.command.summary : node.summary;
}

/** The path that the words of a command line name before anything else comes; flags between are skipped. */
export function namedPath(program: Program, words: readonly string[]): string {
  let path = '';
  for (const word of words.filter((candidate) => !candidate.startsWith('-'))) {
    const longer = findPath(program, [...path.split(' ').filter((part) => part !== ''), word]);
    if (longer !== null) path = longer;
    else if (path !== '') break;
  }
  return path;
}
