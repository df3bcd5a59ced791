/**
 * What a command is: static data, from which parsing, help, completion and man pages are made, and one function that
 * does the work. The file of a command has the command's path.
 */
import type { Deps } from './deps.js';
import { flagOf, type Parameter, type Parameters, type Values } from './parameters.js';
import type { Result } from './result.js';
import { usageError } from './usage-error.js';

export interface Example {
  /** The line without the leading `hcd`. */
  readonly line: string;
  readonly does: string;
}

interface CommandData {
  /** Words after `hcd`, such as `config show`. */
  readonly path: string;
  /** A few words for lists of commands: verb first, no full stop. */
  readonly summary: string;
  /** One or more paragraphs for help and man page; whole sentences. */
  readonly description: string;
  readonly examples: readonly [Example, Example, ...Example[]];
  /** Runs until it is stopped: gets the stop signal and ends by itself instead of being abandoned. */
  readonly endsItself?: boolean;
}

export type Offers = Readonly<Record<string, (deps: Deps) => Promise<readonly string[]>>>;

/** Marks a command that removes something permanently; empty when it always does. */
export interface Destructive<Options> {
  /** Only with some options. */
  readonly when?: {
    /** Opens a sentence of the help: "Without --overlap". */
    readonly says: string;
    readonly holds: (options: Options) => boolean;
  };
}

export interface CommandSpec<A extends Parameters, O extends Parameters> extends CommandData {
  readonly arguments: A;
  readonly options: O;
  /** What this site accepts for a list, to be chosen from when it is asked for; by name. */
  readonly offers?: Offers;
  /** It asks on a terminal (confirmChange) and is refused without --yes where it cannot ask. */
  readonly destructive?: Destructive<Values<A & O>>;
  readonly run: (options: Values<A & O>, deps: Deps) => Promise<Result>;
}

/** The texts of one command line, sorted by parameter and not yet read. */
export interface RawInput {
  readonly arguments: readonly string[];
  readonly options: ReadonlyMap<string, readonly string[]>;
}

/** A command whose parameters have been read. */
export interface BoundCommand {
  /** With these values it removes something permanently. */
  readonly isDestructive: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  readonly run: (deps: Deps) => Promise<Result>;
}

export interface Command extends Required<CommandData> {
  readonly words: readonly string[];
  readonly arguments: Parameters;
  readonly options: Parameters;
  readonly offers: Offers;
  /** Whether it is destructive, at least with some options. */
  readonly mayDestroy: boolean;
  /** The names of required parameters without a text. Throws usage when a text that is there cannot be read. */
  readonly missing: (raw: RawInput) => readonly string[];
  /** Reads the texts. Throws usage with every problem at once. */
  readonly bind: (raw: RawInput) => BoundCommand;
}

/** Makes a command from its data; the types of `options` in `run` follow from the parameters. */
export function defineCommand<const A extends Parameters, const O extends Parameters>(
  spec: CommandSpec<A, O>,
): Command {
  const { destructive, ...data } = spec;
  const parameters: Parameters = { ...spec.arguments, ...spec.options };
  const given = (raw: RawInput): Given => ({
    texts: new Map([...argumentTexts(spec.arguments, raw.arguments), ...raw.options]),
    label: (name) => labelOf(spec, name),
  });
  return Object.freeze({
    ...data,
    description: destructive === undefined ? spec.description : `${spec.description}\n\n${warning(destructive)}`,
    endsItself: spec.endsItself ?? false,
    offers: spec.offers ?? {},
    words: Object.freeze(spec.path.split(' ')),
    mayDestroy: destructive !== undefined,
    missing(raw: RawInput): readonly string[] {
      const { texts, label } = given(raw);
      const entries = Object.entries(parameters);
      const isMissing = ([name, parameter]: [string, Parameter<unknown>]): boolean =>
        parameter.required && (texts.get(name) ?? []).length === 0;
      readValues(Object.fromEntries(entries.filter((entry) => !isMissing(entry))), { texts, label });
      return entries.filter(isMissing).map(([name]) => name);
    },
    bind(raw: RawInput): BoundCommand {
      const options = readValues(parameters, given(raw));
      const values = decodeValues<A & O>(options);
      const isDestructive = destructive !== undefined && (destructive.when?.holds(values) ?? true);
      return { isDestructive, options, run: (deps) => spec.run(values, deps) };
    },
  });
}

function warning({ when }: Destructive<never>): string {
  const start = when === undefined ? 'Asks for confirmation' : `${when.says} it asks for confirmation`;
  return `${start}. Scripts and cron jobs need --yes.`;
}

/** How the user knows a parameter of a command: `--name` or `NAME`. */
export function labelOf({ arguments: args }: { readonly arguments: Parameters }, name: string): string {
  return args[name]?.placeholder ?? flagOf(name);
}

interface Given {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly label: (name: string) => string;
}

/** Reads all parameters and reports all problems together. */
export function readValues(parameters: Parameters, given: Given): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const texts = given.texts.get(name) ?? [];
    const parsed = parameter.read(texts);
    if (texts.length > 1 && !parameter.repeatable && parameter.placeholder !== null) {
      problems[given.label(name)] = 'can be given only once';
    } else if (parsed.ok) values[name] = parsed.value;
    else problems[given.label(name)] = parsed.problem;
  }
  if (Object.keys(problems).length > 0) throw usageError(problems);
  return Object.freeze(values);
}

/** Words go to the arguments in order; a repeatable one takes the rest. */
function argumentTexts(args: Parameters, words: readonly string[]): [string, readonly string[]][] {
  const names: [string, Parameter<unknown>][] = Object.entries(args);
  return names.map(([name, parameter], index) => [
    name,
    parameter.repeatable ? words.slice(index) : words.slice(index, index + 1),
  ]);
}

/** Each value came out of the `read` of its own parameter, so the record has the types that they declare. */
function decodeValues<P extends Parameters>(values: Readonly<Record<string, unknown>>): Values<P> {
  return values as Values<P>;
}
