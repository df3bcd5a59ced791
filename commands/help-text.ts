/** The text of `--help`, for the width of the terminal. */
import type { Command } from './command.js';
import { globalParameters, helpFlag, type NamedParameter, type NamedParameters, versionFlag } from './parameters.js';
import { aliasPathOf, childrenOf, isCommand, type Program, summaryOf } from './program.js';
import { displayWidth, joinParts, widestProse, wrapText, wrapWords } from './terminal-text.js';

const narrow = 60;

const aboutProgram = 'Headless content delivery: a content gateway, page delivery and banners over one content store.';

export async function helpText(program: Program, path: string, width: number = widestProse): Promise<string> {
  return isCommand(program, path) ? commandHelp(await program.load(path), width) : groupHelp(program, path, width);
}

function commandHelp(command: Command, width: number): string {
  const alias = aliasPathOf(command.path);
  return joinSections([
    wrapText(command.description, { indent: 0, width }),
    section('Usage', usageLines(usageLine(command), width)),
    alias === undefined ? '' : section('Also', usageLines(`hcd ${alias}`, width)),
    termSection('Arguments', argumentTerms(command), width),
    termSection('Flags', flagTerms(command.options), width),
    termSection('Global flags', globalTerms(), width),
    section(
      'Examples',
      Object.entries(command.examples).flatMap(([line, does]) => [
        ...wrapWords(does, width - 4).map((text) => `  # ${text}`),
        ...commandLines(`hcd ${line}`, width),
      ]),
    ),
  ]);
}

function groupHelp(program: Program, path: string, width: number): string {
  const isProgram = path === '';
  const command = isProgram ? 'hcd COMMAND' : `hcd ${path} COMMAND`;
  const terms = topics.map(({ name, summary }) => ({ term: `hcd help ${name}`, description: summary }));
  return joinSections([
    wrapText(isProgram ? aboutProgram : `${summaryOf(program, path)}.`, { indent: 0, width }),
    section('Usage', usageLines(`${command}${isProgram ? ' [ARGUMENTS]' : ''} [FLAGS]`, width)),
    termSection('Commands', childTerms(program, path), width),
    termSection('Global flags', globalTerms(), width),
    isProgram ? termSection('Topics', terms, width) : '',
    wrapText(`Run ${command} --help for the flags and examples of a command.`, { indent: 0, width }),
  ]);
}

function childTerms(program: Program, path: string): readonly Term[] {
  return childrenOf(program, path).map((child) => ({ term: child, description: summaryOf(program, child) }));
}

function termSection(title: string, terms: readonly Term[], width: number): string {
  const longest = Math.max(0, ...terms.map(({ term }) => term.length));
  const column = width < narrow ? 2 : Math.min(30, longest);
  const lines = terms.flatMap(({ term, description }) => {
    const body = wrapText(description, { indent: column + 4, width });
    return term.length > column
      ? [wrapText(term, { indent: 2, width }), body]
      : [`  ${term.padEnd(column)}  ${body.trimStart()}`];
  });
  return section(title, lines);
}

function usageLines(line: string, width: number): readonly string[] {
  return wrapWords(line, width - 6).map((text, index) => `${index === 0 ? '  ' : '      '}${text}`);
}

/** Broken between words, never within quotes, so that a shell reads it on. */
function commandLines(line: string, width: number): readonly string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && displayWidth(`    ${last} ${word} \\`) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : `  ${word}`);
  }
  return lines.map((text, index) => `${index === 0 ? '  $ ' : '    '}${text}${index < lines.length - 1 ? ' \\' : ''}`);
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}:\n${lines.join('\n')}`;
}

function joinSections(sections: readonly string[]): string {
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

export interface Term {
  readonly term: string;
  readonly description: string;
}

export function usageLine(command: Command): string {
  const args = Object.values(command.arguments).map(argumentTerm);
  const needed = Object.values(command.options).filter((option) => option.required);
  const hasMore = Object.keys(command.options).length > needed.length;
  return ['hcd', command.path, ...args, ...needed.map(flagTerm), ...(hasMore ? ['[FLAGS]'] : [])].join(' ');
}

export function argumentTerms(command: Command): readonly Term[] {
  return Object.values(command.arguments).map((one) => ({ term: argumentTerm(one), description: descriptionOf(one) }));
}

export function flagTerms(parameters: NamedParameters): readonly Term[] {
  return Object.values(parameters).map((flag) => ({ term: flagTerm(flag), description: descriptionOf(flag) }));
}

function flagTerm({ label, placeholder }: NamedParameter): string {
  return placeholder === null ? label : `${label} ${placeholder}`;
}

export function globalTerms(): readonly Term[] {
  const own = [helpFlag, versionFlag].map(({ flags, description }) => ({ term: flags, description }));
  return [...flagTerms(globalParameters), ...own];
}

function argumentTerm({ label, repeatable, required }: NamedParameter): string {
  const word = `${label}${repeatable ? '...' : ''}`;
  return required ? word : `[${word}]`;
}

function descriptionOf({ description, accepts, required, repeatable }: NamedParameter): string {
  return joinParts([description, accepts, required && 'required', repeatable && 'can be repeated'], '; ');
}

/** They belong to no single command. */
export interface Topic {
  readonly name: 'environment' | 'exit-codes' | 'formatting';
  readonly summary: string;
  readonly text: string;
}

export const topics: readonly Topic[] = Object.freeze([
  {
    name: 'environment',
    summary: 'Environment variables and the configuration file',
    text: [
      'A value comes from the first of: flag, environment, configuration file, default. An empty variable counts as unset, except HCD_CONTENT_PREFIX.',
      'The configuration file is hcd.toml in the working directory, or the file of --config. Its keys are the names that hcd config show prints, for example: port = 8080. Relative paths in the file are relative to its folder.',
      'HCD_ followed by the upper-case name of a runtime setting sets that setting for the process; hcd config show lists it as locked.',
      'NO_COLOR, when set, turns color off, like --no-color.',
    ].join('\n\n'),
  },
  {
    name: 'exit-codes',
    summary: 'Exit codes',
    text: 'Every command exits with one of these codes.',
  },
  {
    name: 'formatting',
    summary: 'Output on a terminal, in a pipe and with --json',
    text: [
      'Standard output contains only the result; notes, prompts, progress and the log go to standard error. On a terminal lists are tables that fit its width, with times relative to now. In a pipe each record is one line of values separated by tabs, without a heading; tabs, line breaks and backslashes in values are written as \\t, \\n and \\\\. Other control characters, and characters that reorder text, are always written as \\u and four digits.',
      'A terminal prompts for missing required values, unless --yes or --json is given. Changes that cannot be undone, such as revoking, removing and pruning, ask for confirmation on a terminal and require --yes elsewhere.',
      'With --json standard output is exactly one JSON object, for every exit code:',
    ].join('\n\n'),
  },
]);
