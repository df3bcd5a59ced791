/** The words that can follow on a command line, as rows for the scripts of all shells. */
import { flagOf, globalParameters, helpFlag, type Parameter, type Parameters, versionFlag } from './parameters.js';
import { aliasOf, allNodes, childrenOf, lastWord, loadAll, type Node, type Program } from './program.js';

export interface Candidate {
  readonly word: string;
  readonly description: string;
}

export interface FlagCandidate extends Candidate {
  readonly value: 'none' | 'words' | 'file' | 'text';
  readonly choices: readonly string[];
}

export interface CompletionNode {
  readonly path: string;
  readonly words: readonly Candidate[];
  readonly flags: readonly FlagCandidate[];
  readonly takesFiles: boolean;
}

interface CompletionStep {
  readonly from: string;
  readonly word: string;
  readonly to: string;
}

export interface CompletionData {
  readonly nodes: readonly CompletionNode[];
  readonly steps: readonly CompletionStep[];
  readonly globalFlags: readonly FlagCandidate[];
}

export async function completionData(program: Program): Promise<CompletionData> {
  const paths = [
    '',
    ...allNodes(program)
      .filter((node) => node.kind === 'group')
      .map((node) => node.path),
  ];
  const groups = paths.map((path): CompletionNode => {
    const words = childrenOf(program, path).flatMap(candidatesFor);
    return { path, words, flags: [], takesFiles: false };
  });
  return {
    nodes: [
      ...groups,
      ...(await loadAll(program)).map(({ path, arguments: args, options }) => commandNode(path, args, options)),
    ],
    steps: paths.flatMap((from) => childrenOf(program, from).flatMap((child) => stepsTo(from, child))),
    globalFlags: [
      ...flagCandidates(globalParameters),
      ...[helpFlag, versionFlag].map(({ flags, description }): FlagCandidate => {
        return { word: flags.slice(flags.indexOf('--')), description, value: 'none', choices: [] };
      }),
    ],
  };
}

function commandNode(path: string, args: Parameters, options: Parameters): CompletionNode {
  const all = Object.values(args);
  return {
    path,
    words: all.flatMap(({ choices, description }) => choices.map((word) => ({ word, description }))),
    flags: flagCandidates(options),
    takesFiles: all.some(({ isFile }) => isFile),
  };
}

function candidatesFor(node: Node): Candidate[] {
  return namesOf(node).map((word) => ({ word, description: node.summary }));
}

function stepsTo(from: string, child: Node): CompletionStep[] {
  return namesOf(child).map((word) => ({ from, word, to: child.path }));
}

function namesOf(node: Node): string[] {
  const alias = node.kind === 'command' ? aliasOf(node.path) : undefined;
  return alias === undefined ? [lastWord(node.path)] : [lastWord(node.path), alias];
}

function flagCandidates(parameters: Parameters): FlagCandidate[] {
  return Object.entries(parameters).map(([name, parameter]) => ({
    word: flagOf(name),
    description: parameter.description,
    value: valueKind(parameter),
    choices: parameter.choices,
  }));
}

function valueKind(parameter: Parameter<unknown>): FlagCandidate['value'] {
  if (parameter.placeholder === null) return 'none';
  if (parameter.isFile) return 'file';
  return parameter.choices.length > 0 ? 'words' : 'text';
}
