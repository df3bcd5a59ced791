/** Writes the man pages and their list in package.json (`npm run man`). The same input makes the same bytes. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from '../commands/command.js';
import { topicTerms } from '../commands/help.js';
import { argumentTerms, flagTerms, globalTerms, type Term, topics, usageLine } from '../commands/help-text.js';
import { aliasPathOf, createProgram, loadAll, type Program } from '../commands/program.js';

interface ManPage {
  readonly file: string;
  readonly text: string;
}

/** Justified lines would put gaps into addresses and lists of values. */
const leftAligned = '.ad l';

/** `date` is that of the release, `YYYY-MM-DD`, or empty. */
export async function manPages(program: Program, { date }: { readonly date: string }): Promise<readonly ManPage[]> {
  const heading = (name: string): string =>
    `.TH ${name.toUpperCase().replaceAll('-', '\\-')} 1 ${argument(date)} ${argument(`hcd ${program.version}`)} ${argument('hcd manual')}\n${leftAligned}`;
  return [
    { file: 'hcd.1', text: programPage(program, heading('hcd')) },
    ...(await loadAll(program)).map((command) => {
      const name = pageName(command.path);
      return { file: `${name}.1`, text: commandPage(command, heading(name)) };
    }),
  ];
}

export function releaseDate(changelog: string): string {
  return /^## .*?(\d{4}-\d{2}-\d{2})/m.exec(changelog)?.[1] ?? '';
}

function pageName(path: string): string {
  return `hcd-${path.replaceAll(' ', '-')}`;
}

function programPage(program: Program, heading: string): string {
  return page([
    heading,
    section('NAME'),
    `${roff('hcd - headless content delivery server and its administration')}`,
    section('SYNOPSIS'),
    '.B hcd',
    roff('COMMAND [ARGUMENTS] [FLAGS]'),
    section('DESCRIPTION'),
    prose(
      'Serves a content gateway, page delivery and banners over one content store, and administers them from the command line. Every command has its own page and shows the same text with --help.',
    ),
    section('COMMANDS'),
    ...Object.entries(program.commands).flatMap(([path, summary]) =>
      tagged({ term: `hcd ${path}`, description: `${summary}.` }),
    ),
    section('FLAGS OF EVERY COMMAND'),
    ...globalTerms().flatMap(tagged),
    ...topics.flatMap((topic) => [
      section(topic.name === 'exit-codes' ? 'EXIT STATUS' : topic.name.toUpperCase()),
      prose(topic.text),
      ...topicTerms[topic.name].flatMap(tagged),
    ]),
    section('FILES'),
    ...tagged({ term: 'hcd.toml', description: 'The configuration file in the working directory.' }),
    ...tagged({ term: 'hcd.sqlite', description: 'The embedded database, unless another one is configured.' }),
    section('SEE ALSO'),
    references(Object.keys(program.commands).map(pageName)),
  ]);
}

function commandPage(command: Command, heading: string): string {
  const alias = aliasPathOf(command.path);
  const args = argumentTerms(command);
  const flags = flagTerms(command.options);
  return page([
    heading,
    section('NAME'),
    roff(`${pageName(command.path)} - ${command.summary}`),
    section('SYNOPSIS'),
    roff(usageLine(command)),
    ...(alias === undefined ? [] : ['.br', roff(usageLine({ ...command, path: alias }))]),
    section('DESCRIPTION'),
    prose(command.description),
    ...(args.length === 0 ? [] : [section('ARGUMENTS'), ...args.flatMap(tagged)]),
    ...(flags.length === 0 ? [] : [section('FLAGS'), ...flags.flatMap(tagged)]),
    section('FLAGS OF EVERY COMMAND'),
    ...globalTerms().flatMap(tagged),
    section('EXAMPLES'),
    ...Object.entries(command.examples).flatMap(([line, does]) => [
      '.PP',
      `${roff(does)}:`,
      '.PP',
      '.RS',
      '.nf',
      roff(`hcd ${line}`),
      '.fi',
      '.RE',
    ]),
    section('EXIT STATUS'),
    prose(
      '0 done; 1 refused or failed; 2 usage error; 3 configuration or database not ready; 70 internal error; 130 interrupted; 141 the reader of the output went away.',
    ),
    section('SEE ALSO'),
    references(['hcd']),
  ]);
}

function page(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

function section(title: string): string {
  return `.SH ${argument(title.replaceAll('-', ' '))}`;
}

function prose(text: string): string {
  return text.split('\n\n').map(roff).join('\n.PP\n');
}

function tagged({ term, description }: Term): string[] {
  return ['.TP', `\\fB${roff(term)}\\fR`, roff(description)];
}

function references(names: readonly string[]): string {
  return names.map((name, index) => `.BR ${roff(name)} (1)${index < names.length - 1 ? ',' : ''}`).join('\n');
}

/** No text contains it. */
const breakHere = '\u0000';

/** Escapes what roff would read as syntax. Long lists without a space may be broken after a comma. */
function roff(text: string): string {
  return text
    .replace(/\S{40,}/g, (word) => word.replaceAll(',', `,${breakHere}`))
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replaceAll('…', '\\[u2026]')
    .replaceAll(breakHere, '\\:')
    .replace(/^\./gm, '\\&.');
}

function argument(text: string): string {
  return `"${text.replaceAll('"', '\\(dq')}"`;
}

export async function writeManPages(root: string): Promise<void> {
  const folder = join(root, 'man');
  const changelog = join(root, 'CHANGELOG.md');
  const pages = await manPages(createProgram(), {
    date: existsSync(changelog) ? releaseDate(readFileSync(changelog, 'utf8')) : '',
  });
  mkdirSync(folder, { recursive: true });
  const wanted = new Set(pages.map(({ file }) => file));
  for (const file of readdirSync(folder)) if (file.endsWith('.1') && !wanted.has(file)) rmSync(join(folder, file));
  for (const { file, text } of pages) writeFileSync(join(folder, file), text);
  listPages(join(root, 'package.json'), [...wanted].sort());
}

/** npm links only the pages that package.json lists, when a program is installed globally. */
function listPages(file: string, pages: readonly string[]): void {
  if (!existsSync(file)) return;
  const manifest: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
  const man = pages.map((page) => `./man/${page}`);
  writeFileSync(file, `${JSON.stringify({ ...manifest, man }, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // The compiled file is two folders below the package.
  await writeManPages(fileURLToPath(new URL('../..', import.meta.url)));
}
