/** The tree of commands as Studio makes forms of it: which are offered, and which of them only read. */
import { AppError } from '../../src/errors/app-error.js';
import type { Command } from '../command.js';
import type { Deps } from '../deps.js';
import type { NamedParameter } from '../parameters.js';
import type { Program } from '../program.js';
import type { CommandView, ParameterView } from './command-view.js';

/** They run until they are stopped, need a terminal, or set up what Studio itself runs on. */
const notOffered: ReadonlySet<string> = new Set([
  ...['init', 'demo', 'restore', 'serve', 'worker', 'mcp', 'webhook listen', 'studio', 'completion', 'help'],
]);

export const endlessFlags: ReadonlySet<string> = new Set(['watch']);

const readingVerbs: ReadonlySet<string> = new Set([
  ...['list', 'show', 'get', 'tree', 'history', 'diff', 'stats', 'audit', 'events', 'status', 'doctor', 'explain'],
  ...['openapi', 'types', 'export'],
]);

export function isReading(path: string): boolean {
  return readingVerbs.has(path.slice(path.lastIndexOf(' ') + 1));
}

export interface Offering {
  readonly program: Program;
  readonly isReadOnly: boolean;
}

export function offeredPaths({ program, isReadOnly }: Offering): readonly string[] {
  return Object.keys(program.commands).filter((path) => !notOffered.has(path) && (!isReadOnly || isReading(path)));
}

/** Choices of this site are looked up where the database answers. */
export async function describeCommands(offering: Offering, deps: Deps): Promise<readonly CommandView[]> {
  const commands = await Promise.all(offeredPaths(offering).map(offering.program.load));
  return Promise.all(
    commands.map(async (command) => {
      const { path, summary, description, examples, mayDestroy } = command;
      const offers = await offersOf(command, deps);
      const input = inputOf(command);
      const shown = ([name, one]: [string, NamedParameter]) =>
        one.kind === 'file' || endlessFlags.has(name) ? [] : [parameterView(one, offers.get(name))];
      return {
        ...{ path, summary, description },
        group: offering.program.groups[path.split(' ').slice(0, -1).join(' ')] ?? null,
        arguments: Object.entries(command.arguments).flatMap(shown),
        options: Object.entries(command.options).flatMap(shown),
        examples: Object.entries(examples).map(([line, text]) => ({ line, text })),
        destructive: mayDestroy,
        reading: isReading(path),
        input: input && fileView(input),
      };
    }),
  );
}

async function offersOf({ offers }: Command, deps: Deps): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const [name, offer] of Object.entries(offers)) {
    try {
      found.set(name, await offer(deps));
    } catch (error) {
      // The form works without: its command says what is wrong with the database.
      if (!(error instanceof AppError)) throw error;
    }
  }
  return found;
}

function fileView({ label, description, required }: NamedParameter): CommandView['input'] {
  return { label, description: description.replace(', or - for standard input', ''), required };
}

function parameterView(parameter: NamedParameter, offered: readonly string[] | undefined): ParameterView {
  const { label, description, required, repeatable, placeholder, accepts, schema, form } = parameter;
  return {
    ...{ name: label.replace(/^--/, ''), label, description, required, repeatable, placeholder, accepts, schema },
    ...typed(parameter),
    ...(offered && { choices: offered }),
    isOpen: form === 'text' && placeholder !== 'FLAG' && offered === undefined,
  };
}

/** Fields of records are read by their use cases; what they stand for says their kind. */
function typed({ kind, choices, placeholder }: NamedParameter): Pick<ParameterView, 'kind' | 'choices'> {
  if (kind === 'text' && placeholder === 'FLAG') return { kind: 'choice', choices: ['true', 'false'] };
  return { kind: kind === 'text' && placeholder === 'TIME' ? 'time' : kind, choices };
}

export function inputOf({ arguments: args, options }: Command): NamedParameter | null {
  const { file } = { ...options, ...args };
  return file?.kind === 'file' && !file.isOutput ? file : null;
}
