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

export interface CommandSpec<A extends Parameters, O extends Parameters> extends CommandData {
  readonly arguments: A;
  readonly options: O;
  readonly run: (options: Values<A & O>, deps: Deps) => Promise<Result>;
}

/** The texts of one command line, sorted by parameter and not yet read. */
export interface RawInput {
  readonly arguments: readonly string[];
  readonly options: ReadonlyMap<string, readonly string[]>;
}

/** A command whose parameters have been read. */
export interface BoundCommand {
  readonly options: Readonly<Record<string, unknown>>;
  readonly run: (deps: Deps) => Promise<Result>;
}

export interface Command extends Required<CommandData> {
  readonly words: readonly string[];
  readonly arguments: Parameters;
  readonly options: Parameters;
  /** Reads the texts. Throws usage with every problem at once. */
  readonly bind: (raw: RawInput) => BoundCommand;
}

/** Makes a command from its data; the types of `options` in `run` follow from the parameters. */
export function defineCommand<const A extends Parameters, const O extends Parameters>(
  spec: CommandSpec<A, O>,
): Command {
  return Object.freeze({
    ...spec,
    endsItself: spec.endsItself ?? false,
    words: Object.freeze(spec.path.split(' ')),
    bind(raw: RawInput): BoundCommand {
      const texts = new Map([...argumentTexts(spec.arguments, raw.arguments), ...raw.options]);
      const options = readValues({ ...spec.arguments, ...spec.options }, { texts, label: labelFor(spec.arguments) });
      return { options, run: (deps) => spec.run(decodeValues<A & O>(options), deps) };
    },
  });
}

interface Given {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** How the user knows a parameter: `--name` or `NAME`. */
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
      problems[given.label(name)] = 'may be given once';
    } else if (parsed.ok) values[name] = parsed.value;
    else problems[given.label(name)] = parsed.problem;
  }
  if (Object.keys(problems).length > 0) throw usageError(problems);
  return Object.freeze(values);
}

function labelFor(args: Parameters): (name: string) => string {
  return (name) => args[name]?.placeholder ?? flagOf(name);
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
