/** The commands as a tree of words: the groups and their members. */
import type { Command } from './command.js';

export interface Program {
  readonly version: string;
  /** The summary of each group by its words, such as `oauth client`. */
  readonly groups: Readonly<Record<string, string>>;
  /** The summary of each command by its words, in the order of help. */
  readonly commands: Readonly<Record<string, string>>;
  /** Loads the command of these words. */
  readonly load: (path: string) => Promise<Command>;
}

export interface Node {
  readonly kind: 'command' | 'group';
  readonly path: string;
  readonly summary: string;
}

/** `add` and `create` are the same verb: both are accepted wherever one of them is listed. */
const sameVerb: Readonly<Record<string, string>> = { add: 'create', create: 'add' };

/** The other word for the last word of a path, if it has one. */
export function aliasOf(path: string): string | undefined {
  return sameVerb[lastWord(path)];
}

export function lastWord(path: string): string {
  return path.slice(path.lastIndexOf(' ') + 1);
}

/** The nodes directly below a path ('' is the top), in the order of the list of commands. */
export function childrenOf(program: Program, path: string): readonly Node[] {
  const start = path === '' ? '' : `${path} `;
  const depth = path === '' ? 0 : path.split(' ').length;
  const below = Object.keys(program.commands).filter((command) => command.startsWith(start));
  const paths = new Set(
    below.map((command) =>
      command
        .split(' ')
        .slice(0, depth + 1)
        .join(' '),
    ),
  );
  return [...paths].map((child) => nodeAt(program, child));
}

/** The node of a path that exists. */
export function nodeAt({ commands, groups }: Program, path: string): Node {
  const summary = commands[path];
  return summary === undefined
    ? { kind: 'group', path, summary: groups[path] ?? '' }
    : { kind: 'command', path, summary };
}

/** Every path of the tree, groups before what they hold; without the top. */
export function allNodes(program: Program, path = ''): readonly Node[] {
  return childrenOf(program, path).flatMap((node) =>
    node.kind === 'command' ? [node] : [node, ...allNodes(program, node.path)],
  );
}

/** Every command, in the order of help. */
export function loadAll(program: Program): Promise<readonly Command[]> {
  return Promise.all(Object.keys(program.commands).map(program.load));
}

/** The path with an alias of its verb replaced by the listed word; null when there is no such node. */
export function findPath(program: Program, words: readonly string[]): string | null {
  const path = words.join(' ');
  const alias = aliasOf(path);
  const other = alias === undefined ? path : [...words.slice(0, -1), alias].join(' ');
  const paths = new Set(allNodes(program).map((node) => node.path));
  return [path, other].find((candidate) => candidate === '' || paths.has(candidate)) ?? null;
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
