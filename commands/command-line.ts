/** Parses a command line with commander. Parameters read the values, and help-text.ts writes help. */
import { Command as Commander, CommanderError, Option } from 'commander';
import { AppError } from '../src/errors/app-error.js';
import type { Command } from './command.js';
import {
  type GlobalFlags,
  globalParameters,
  helpFlag,
  type NamedParameters,
  readValues,
  type Texts,
  versionFlag,
} from './parameters.js';
import { aliasOf, childrenOf, isCommand, lastWord, namedPath, type Program } from './program.js';

export interface RunInvocation {
  readonly kind: 'run';
  readonly command: Command;
  /** Not yet read: the command may first prompt for missing ones. */
  readonly texts: Texts;
  readonly flags: GlobalFlags;
}

/** The path has the words of a command or group, and is '' for the program. */
export type TextInvocation =
  | { readonly kind: 'help'; readonly path: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'complete'; readonly words: readonly string[] };

type GivenTexts = Map<string, readonly string[]>;

interface Found {
  path: string;
  command: Command | null;
  readonly texts: GivenTexts;
  readonly flags: GivenTexts;
}

/** Throws usage for an unknown command or flag (with a suggestion) and for bad global flags. */
export async function parseCommandLine(
  program: Program,
  words: readonly string[],
): Promise<RunInvocation | TextInvocation> {
  if (words[0] === '__complete') return { kind: 'complete', words: words.slice(1) };
  const found: Found = { path: '', command: null, texts: new Map(), flags: new Map() };
  const root = buildRoot(program, found);
  try {
    await root.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return translate(error, { program, found, words });
    throw error;
  }
  if (found.command === null) return { kind: 'help', path: '' };
  const flags = readValues(globalParameters, found.flags);
  return { kind: 'run', command: found.command, texts: found.texts, flags: flags as GlobalFlags };
}

/** Works for a line that cannot be parsed as a whole. */
export function hasSwitch(words: readonly string[], flag: '--json' | '--quiet' | '--no-color'): boolean {
  const end = words.indexOf('--');
  return (end < 0 ? words : words.slice(0, end)).includes(flag);
}

function buildRoot(program: Program, found: Found): Commander {
  const root = prepare(new Commander('hcd'), { path: '', found });
  root.version(program.version, versionFlag.flags, versionFlag.description);
  addOptions(root, { parameters: globalParameters, texts: found.flags });
  return addChildren(root, { path: '', program, found });
}

interface Place {
  readonly path: string;
  readonly program: Program;
  readonly found: Found;
}

function buildNode(place: Place): Commander {
  const commander = prepare(new Commander(lastWord(place.path)), place);
  if (!isCommand(place.program, place.path)) return addChildren(commander, place);
  const alias = aliasOf(place.path);
  return alias === undefined ? commander : commander.alias(alias);
}

function addChildren(group: Commander, { path, program, found }: Place): Commander {
  for (const child of childrenOf(program, path)) group.addCommand(buildNode({ path: child, program, found }));
  return group.hook('preSubcommand', async (_group, child) => {
    const name = path === '' ? child.name() : `${path} ${child.name()}`;
    if (isCommand(program, name)) complete(child, { command: await program.load(name), found });
  });
}

function complete(
  commander: Commander,
  { command, found }: { readonly command: Command; readonly found: Found },
): void {
  addOptions(commander, { parameters: command.options, texts: found.texts });
  for (const argument of Object.values(command.arguments)) {
    // Missing ones are refused by their own parameter, together with every other problem.
    commander.argument(argument.repeatable ? `[${argument.placeholder}...]` : `[${argument.placeholder}]`);
  }
  commander.action(() => {
    found.command = command;
    for (const [index, [name, { repeatable }]] of Object.entries(command.arguments).entries()) {
      found.texts.set(name, commander.args.slice(index, repeatable ? undefined : index + 1));
    }
  });
}

/** Every text comes from output.ts, so commander must throw and not write. */
function prepare(commander: Commander, { path, found }: Pick<Place, 'path' | 'found'>): Commander {
  return commander
    .exitOverride()
    .helpCommand(false)
    .helpOption(helpFlag.flags, helpFlag.description)
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .configureHelp({
      formatHelp: () => {
        found.path = path;
        return '';
      },
    });
}

function addOptions(
  commander: Commander,
  { parameters, texts }: { readonly parameters: NamedParameters; readonly texts: GivenTexts },
): void {
  for (const [name, { label, placeholder }] of Object.entries(parameters)) {
    const option = new Option(placeholder === null ? label : `${label} <${placeholder}>`);
    commander.addOption(option).on(`option:${option.name()}`, (text: string = '') => {
      texts.set(name, [...(texts.get(name) ?? []), text]);
    });
  }
}

function translate(
  error: CommanderError,
  { program, found, words }: { readonly program: Program; readonly found: Found; readonly words: readonly string[] },
): TextInvocation {
  switch (error.code) {
    case 'commander.version':
      return { kind: 'version' };
    case 'commander.helpDisplayed':
      return { kind: 'help', path: found.path === '' ? namedPath(program, words) : found.path };
    case 'commander.help': {
      // No command, or a group alone: people get the overview, scripts with --json a refusal.
      if (!hasSwitch(words, '--json')) return { kind: 'help', path: found.path };
      throw new AppError('usage', { message: `"${['hcd', found.path].join(' ').trim()}" requires a command` });
    }
    default:
      throw new AppError('usage', { message: inOurWords(error.message) });
  }
}

function inOurWords(message: string): string {
  return message
    .replace(/^error: /, '')
    .replace(/\n/g, ' ')
    .replace(/^option '(--[\w-]+) <([^>]*)>' argument missing$/, '$1 requires a value: $2')
    .replace(/^too many arguments for '[^']*'\. Expected (\d+) arguments? but got (\d+)\.$/, (_all, expected, got) =>
      Number(expected) === 0 ? 'takes no arguments' : `too many arguments: ${got} instead of ${expected}`,
    )
    .replace(
      /^unknown (option|command) '(.*)'(?= \(Did |$)/,
      // The text after = may be a secret.
      (_all, kind, word) =>
        kind === 'option'
          ? `unknown flag ${JSON.stringify(word.replace(/=.*/s, ''))}`
          : `unknown ${kind} ${JSON.stringify(word)}`,
    )
    .replace(/ \(Did you mean ([^(]*)\?\)$/, '; did you mean $1?');
}
