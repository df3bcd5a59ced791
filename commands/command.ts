/** A command as static data and one function. Its path and summary are in program.ts. */
import type { AppError } from '../src/errors/app-error.js';
import type { LogLevel } from '../src/log/logger.js';
import { isoTimeOfMs } from '../src/values/dates.js';
import type { JsonObject } from '../src/values/json.js';
import { escapeControls, snakeCase } from '../src/values/text.js';
import type { Deps, SiteDeps } from './deps.js';
import {
  type NamedParameters,
  named,
  namingParameters,
  type Parameters,
  type ReadValues,
  readValues,
  type Texts,
  type Values,
} from './parameters.js';

type NoParameters = Record<never, never>;

type Offers = Readonly<Record<string, (deps: Deps) => Promise<readonly string[]>>>;

interface Destructive<Options> {
  readonly when?: {
    readonly says: string;
    readonly holds: (options: Options) => boolean;
  };
}

interface CommandSpec<A extends Parameters, O extends Parameters, D = Deps> {
  readonly description: string;
  /** By line without the leading `hcd`: what it does. */
  readonly examples: Readonly<Record<string, string>>;
  readonly arguments?: A;
  readonly options?: O;
  /** By name; this site's accepted values of a list, for its prompt. */
  readonly offers?: Offers;
  /** Asks on a terminal (confirmChange), and is refused without --yes elsewhere. */
  readonly destructive?: Destructive<Values<A & O>>;
  /** Ends by itself on the stop signal instead of being abandoned. */
  readonly endsItself?: boolean;
  readonly logLevel?: LogLevel;
  readonly run: (options: Values<A & O>, deps: D) => Promise<Result>;
}

export interface BoundCommand {
  readonly isDestructive: boolean;
  readonly options: ReadValues;
  readonly run: (deps: Deps) => Promise<Result>;
}

type Described = Required<Omit<CommandSpec<never, never>, 'arguments' | 'options' | 'destructive' | 'run'>>;

export interface CommandBody extends Described {
  readonly arguments: NamedParameters;
  readonly options: NamedParameters;
  readonly mayDestroy: boolean;
  /** The error with flags and arguments in place of the fields that they filled. */
  readonly named: (error: AppError, texts: Texts) => AppError;
  /** Throws usage when a given text cannot be read. */
  readonly missing: (texts: Texts) => readonly string[];
  /** Throws usage with every problem. */
  readonly bind: (texts: Texts) => BoundCommand;
}

export interface Command extends CommandBody {
  readonly path: string;
  /** Verb first, no full stop. */
  readonly summary: string;
}

export function defineCommand<const A extends Parameters = NoParameters, const O extends Parameters = NoParameters>(
  spec: CommandSpec<A, O>,
): CommandBody {
  const { destructive, description, examples, offers = {}, endsItself = false, logLevel = 'info' } = spec;
  const args = named(spec.arguments ?? {}, 'argument');
  const options = named(spec.options ?? {}, 'flag');
  const parameters = { ...args, ...options };
  return Object.freeze({
    description: destructive === undefined ? description : `${description}\n\n${warning(destructive)}`,
    examples,
    arguments: args,
    options,
    offers,
    endsItself,
    logLevel,
    mayDestroy: destructive !== undefined,
    named: (error: AppError, texts: Texts) => namingParameters(error, { parameters, texts }),
    missing(texts: Texts): readonly string[] {
      const names = Object.keys(parameters);
      const isMissing = (name: string) => parameters[name]?.required === true && (texts.get(name) ?? []).length === 0;
      readValues(Object.fromEntries(Object.entries(parameters).filter(([name]) => !isMissing(name))), texts);
      return names.filter(isMissing);
    },
    bind(texts: Texts): BoundCommand {
      const read = readValues(parameters, texts);
      const values = read as Values<A & O>;
      const isDestructive = destructive !== undefined && (destructive.when?.holds(values) ?? true);
      return { isDestructive, options: read, run: (deps) => spec.run(values, deps) };
    },
  });
}

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

export type Result = ListResult | RecordResult | TextResult | DoneResult | NothingResult;

export type Notes = readonly (string | false)[];

interface AnyResult {
  /** 1 when the work was done but its finding is bad, as with `doctor`. Default 0. */
  readonly exitCode?: 0 | 1 | 3;
  /** Lines on standard error; not shown with --quiet. */
  readonly notes?: Notes;
}

export type Marks = Readonly<Record<string, Readonly<Record<string, 'warning' | 'past'>>>>;

/** A table on a terminal, tab-separated lines in a pipe, `{data: [...], meta: {total}}`. */
export interface ListResult extends AnyResult {
  readonly kind: 'list';
  readonly columns: readonly string[];
  readonly rows: readonly object[];
  readonly total?: number;
  readonly offset?: number;
  /** Columns that a narrow terminal leaves out, in this order. */
  readonly spare?: readonly string[];
  /** By column and value: highlighted or dimmed on a terminal. */
  readonly marks?: Marks;
  readonly empty?: string;
}

/** A line `name value` per member, `{data: {...}}`. Members that are undefined are not part of it. */
export interface RecordResult extends AnyResult {
  readonly kind: 'record';
  readonly record: object;
  readonly fields?: readonly string[];
}

export interface TextResult extends AnyResult {
  readonly kind: 'text';
  readonly text: string;
  readonly data: unknown;
}

/** The sentence is for people (not with --quiet), the data for `--json`. */
export interface DoneResult extends AnyResult {
  readonly kind: 'done';
  readonly message: string;
  readonly data: unknown;
}

/** `{data: null}`. */
interface NothingResult extends AnyResult {
  readonly kind: 'nothing';
  /** With `--json` the command has written one JSON object per line. */
  readonly hasWritten?: boolean;
}

/** The named members in snake case. Names of times end in `On`; they are in milliseconds and become ISO texts. */
export function recordOf<T extends object>(view: T, names: readonly (keyof T & string)[]): JsonObject {
  const entries = names.map((name) => {
    const value: unknown = view[name] ?? null;
    const isTime = name.endsWith('On') && typeof value === 'number';
    return [snakeCase(name), isTime ? isoTimeOfMs(value) : value];
  });
  return Object.fromEntries(entries);
}

export function cellOf(row: object, column: string): unknown {
  return Reflect.get(row, column);
}

export function tabLine(values: readonly unknown[]): string {
  const cell = (value: unknown): string =>
    value === null || value === undefined ? '' : escapeControls(plainText(value).replaceAll('\\', '\\\\'));
  return `${values.map(cell).join('\t')}\n`;
}

export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((element) => typeof element !== 'object')) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
