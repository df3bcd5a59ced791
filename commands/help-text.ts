/** The text of `--help`: computed from the data of commands and groups, the same on every terminal. */
import type { Command } from './command.js';
import { argumentTerms, flagTerms, globalTerms, type Term, usageLine } from './help-terms.js';
import { topics } from './topics.js';
import { aliasOf, childrenOf, nodeAt, type Program, summaryOf } from './tree.js';
import { wrapText } from './wrap-text.js';

/** Help of the path ('' is the program itself). */
export function helpText(program: Program, path: string): string {
  if (path === '') return programHelp(program);
  const node = nodeAt(program, path);
  return node.kind === 'command' ? commandHelp(node.command) : groupHelp(program, path, node.summary);
}

function commandHelp(command: Command): string {
  const alias = aliasOf(command.path);
  return joinSections([
    wrapText(command.description, { indent: 0 }),
    section('Usage', [`  ${usageLine(command)}`]),
    alias === undefined ? '' : section('Also', [`  hcd ${[...command.words.slice(0, -1), alias].join(' ')}`]),
    termSection('Arguments', argumentTerms(command)),
    termSection('Flags', flagTerms(command.options)),
    termSection('Global flags', globalTerms()),
    section(
      'Examples',
      command.examples.flatMap(({ line, does }) => [`  # ${does}`, `  $ hcd ${line}`]),
    ),
  ]);
}

function groupHelp(program: Program, path: string, summary: string): string {
  return joinSections([
    `${summary}.`,
    section('Usage', [`  hcd ${path} COMMAND [FLAGS]`]),
    termSection('Commands', childTerms(program, path)),
    termSection('Global flags', globalTerms()),
    `See hcd ${path} COMMAND --help for the flags and examples of a command.`,
  ]);
}

function programHelp(program: Program): string {
  return joinSections([
    'Headless content delivery: a content gateway, page delivery and banners over one content store.',
    section('Usage', ['  hcd COMMAND [ARGUMENTS] [FLAGS]']),
    termSection('Commands', childTerms(program, '')),
    termSection('Global flags', globalTerms()),
    termSection(
      'Topics',
      topics.map(({ name, summary }) => ({ term: `hcd help ${name}`, description: summary })),
    ),
    'See hcd COMMAND --help for the flags and examples of a command.',
  ]);
}

function childTerms(program: Program, path: string): readonly Term[] {
  return childrenOf(program, path).map((node) => ({ term: node.path, description: summaryOf(node) }));
}

function termSection(title: string, terms: readonly Term[]): string {
  const width = Math.min(30, Math.max(0, ...terms.map(({ term }) => term.length)));
  const lines = terms.map(({ term, description }) => {
    const body = wrapText(description, { indent: width + 4 });
    // A term wider than its column gets a line of its own.
    return term.length > width ? `  ${term}\n${body}` : `  ${term.padEnd(width)}  ${body.trimStart()}`;
  });
  return section(title, lines);
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}:\n${lines.join('\n')}`;
}

function joinSections(sections: readonly string[]): string {
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}
