/**
 * A command: static data, from which parsing, help, completion and man pages are made, and one function that does
 * the work. Its path and summary are in program.ts.
 */
import { escapeControls } from '../src/log/escape.js';
import { isoTimeOfMs } from '../src/values/dates.js';
import type { Deps, SiteDeps } from './deps.js';
import {
  type NamedParameters,
  named,
  type Parameters,
  type ReadValues,
  readValues,
  type Values,
} from './parameters.js';

type NoParameters = Record<never, never>;

export type Offers = Readonly<Record<string, (deps: Deps) => Promise<readonly string[]>>>;

/** Marks a command that removes something permanently; empty when it always does. */
interface Destructive<Options> {
  /** Only with some options. */
  readonly when?: {
    /** Opens a sentence of the help: "Without --overlap". */
    readonly says: string;
    readonly holds: (options: Options) => boolean;
  };
}

interface CommandSpec<A extends Parameters, O extends Parameters, D = Deps> {
  /** One or more paragraphs for help and man page; whole sentences. */
  readonly description: string;
  /** By line without the leading `hcd`: what it does. */
  readonly examples: Readonly<Record<string, string>>;
  readonly arguments?: A;
  readonly options?: O;
  /** The values that this site accepts for a list, for its prompt; by name. */
  readonly offers?: Offers;
  /** It asks on a terminal (confirmChange) and is refused without --yes where it cannot ask. */
  readonly destructive?: Destructive<Values<A & O>>;
  /** Runs until it is stopped: gets the stop signal and ends by itself instead of being abandoned. */
  readonly endsItself?: boolean;
  readonly run: (options: Values<A & O>, deps: D) => Promise<Result>;
}

/** The texts of one command line, sorted by parameter and not yet read. */
export interface RawInput {
  readonly arguments: readonly string[];
  readonly options: ReadonlyMap<string, readonly string[]>;
}

export interface BoundCommand {
  /** With these values it removes something permanently. */
  readonly isDestructive: boolean;
  readonly options: ReadValues;
  readonly run: (deps: Deps) => Promise<Result>;
}

export interface CommandBody {
  readonly description: string;
  readonly examples: Readonly<Record<string, string>>;
  readonly arguments: NamedParameters;
  readonly options: NamedParameters;
  readonly offers: Offers;
  readonly endsItself: boolean;
  /** Whether it is destructive, at least with some options. */
  readonly mayDestroy: boolean;
  /** The names of required parameters without a text. Throws usage when a text that is there cannot be read. */
  readonly missing: (raw: RawInput) => readonly string[];
  /** Reads the texts. Throws usage with every problem at once. */
  readonly bind: (raw: RawInput) => BoundCommand;
}

export interface Command extends CommandBody {
  /** Words after `hcd`, such as `config show`. */
  readonly path: string;
  /** A few words for lists of commands: verb first, no full stop. */
  readonly summary: string;
}

/** Makes a command from its data; the types of `options` in `run` follow from the parameters. */
export function defineCommand<const A extends Parameters = NoParameters, const O extends Parameters = NoParameters>(
  spec: CommandSpec<A, O>,
): CommandBody {
  const { destructive, description, examples, offers = {}, endsItself = false } = spec;
  const args = named(spec.arguments ?? {}, 'argument');
  const options = named(spec.options ?? {}, 'flag');
  const parameters = { ...args, ...options };
  const textsOf = (raw: RawInput) => new Map([...argumentTexts(args, raw.arguments), ...raw.options]);
  return Object.freeze({
    description: destructive === undefined ? description : `${description}\n\n${warning(destructive)}`,
    examples,
    arguments: args,
    options,
    offers,
    endsItself,
    mayDestroy: destructive !== undefined,
    missing(raw: RawInput): readonly string[] {
      const texts = textsOf(raw);
      const names = Object.keys(parameters);
      const isMissing = (name: string) => parameters[name]?.required === true && (texts.get(name) ?? []).length === 0;
      readValues(Object.fromEntries(Object.entries(parameters).filter(([name]) => !isMissing(name))), texts);
      return names.filter(isMissing);
    },
    bind(raw: RawInput): BoundCommand {
      const read = readValues(parameters, textsOf(raw));
      const values = decodeValues<A & O>(read);
      const isDestructive = destructive !== undefined && (destructive.when?.holds(values) ?? true);
      return { isDestructive, options: read, run: (deps) => spec.run(values, deps) };
    },
  });
}

/** Makes a command that works with the records of the site: it gets the configured store, open and migrated. */
export function defineSiteCommand<const A extends Parameters = NoParameters, const O extends Parameters = NoParameters>(
  spec: CommandSpec<A, O, SiteDeps>,
): CommandBody {
  return defineCommand({
    ...spec,
    run: async (options, deps) => spec.run(options, await deps.openSite()),
  });
}

function warning({ when }: Destructive<never>): string {
  const start = when === undefined ? 'Asks for confirmation' : `${when.says} it asks for confirmation`;
  return `${start}. Scripts and cron jobs need --yes.`;
}

/** Words go to the arguments in order; a repeatable one takes the rest. */
function argumentTexts(args: NamedParameters, words: readonly string[]): [string, readonly string[]][] {
  return Object.entries(args).map(([name, { repeatable }], index) => [
    name,
    repeatable ? words.slice(index) : words.slice(index, index + 1),
  ]);
}

/** Each value came out of the `read` of its own parameter, so the record has the types that they declare. */
function decodeValues<P extends Parameters>(values: ReadValues): Values<P> {
  return values as Values<P>;
}

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

export type JsonRecord = { readonly [name: string]: JsonValue };

export type Result = ListResult | RecordResult | TextResult | DoneResult | NothingResult;

/** Lines, and false for those that do not apply. */
export type Notes = readonly (string | false)[];

interface AnyResult {
  /** 1 when the work was done but its finding is bad, as with `doctor`. Default 0. */
  readonly exitCode?: 0 | 1 | 3;
  /** Lines for people on standard error, such as "The key is shown only now." Not shown with --quiet. */
  readonly notes?: Notes;
}

export type Marks = Readonly<Record<string, Readonly<Record<string, 'warning' | 'past'>>>>;

/** Many records: a table on a terminal, one tab-separated line each in a pipe, `{data: [...], meta: {total}}`. */
export interface ListResult extends AnyResult {
  readonly kind: 'list';
  /** Members that tables and pipes show, in order; JSON has all members. */
  readonly columns: readonly string[];
  readonly rows: readonly JsonRecord[];
  /** Number of all records, when `rows` is one page. Default: the number of rows. */
  readonly total?: number;
  /** Rows before the first one, for a list that is shown in pages: in a pipe a note says that more rows follow. */
  readonly offset?: number;
  /** Columns that a narrow terminal leaves out, in this order. */
  readonly spare?: readonly string[];
  /** By column and value: what is highlighted on a terminal, and what is dimmed. */
  readonly marks?: Marks;
  /** Printed on a terminal instead of an empty table. */
  readonly empty?: string;
}

/** One record: a line `name value` per member, `{data: {...}}`. */
export interface RecordResult extends AnyResult {
  readonly kind: 'record';
  readonly record: JsonRecord;
  /** Members to show, in order; default all. JSON has all members. */
  readonly fields?: readonly string[];
}

/** Text that is the result itself, such as a script; printed as it is. */
export interface TextResult extends AnyResult {
  readonly kind: 'text';
  readonly text: string;
  readonly data: JsonValue;
}

/** Something was done. The sentence is for people (not with --quiet), the data for `--json`. */
export interface DoneResult extends AnyResult {
  readonly kind: 'done';
  readonly message: string;
  readonly data: JsonValue;
}

/** A long-running command ended; `{data: null}`. */
export interface NothingResult extends AnyResult {
  readonly kind: 'nothing';
  /** With `--json` the command has written its results itself, one JSON object per line. */
  readonly hasWritten?: boolean;
}

/** `2026-11-21T09:30:00Z` of Unix milliseconds, as records have it; null stays null. */
export function isoTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : isoTimeOfMs(milliseconds);
}

/** Values of one line in a pipe, separated by tabs. */
export function tabLine(values: readonly (JsonValue | undefined)[]): string {
  const cell = (value: JsonValue | undefined): string =>
    value === null || value === undefined ? '' : escapeControls(plainText(value).replaceAll('\\', '\\\\'));
  return `${values.map(cell).join('\t')}\n`;
}

/** A value as people read it; a list of simple values is separated by commas. */
export function plainText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((element) => typeof element !== 'object')) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
