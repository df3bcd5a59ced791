/** Runs one command for Studio: the same program, with captured streams in place of a terminal. */
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { AppError } from '../../src/errors/app-error.js';
import { httpCode, statuses } from '../../src/http/interface/statuses.js';
import { isJsonObject } from '../../src/values/json.js';
import type { Command, JsonRecord, RawInput, Result } from '../command.js';
import { Interrupted } from '../exit-codes.js';
import { createIo, type Host } from '../host.js';
import { runCommand } from '../main.js';
import { errorObject, isFault, jsonOf, traceOf } from '../output.js';
import { type GlobalFlags, type NamedParameter, usageError } from '../parameters.js';
import { inputOf, isOfferedFlag, type Offering, offeredPaths, outputOf } from './describe-commands.js';
import { type GivenFile, placeFile, Upload } from './given-file.js';

/** Its types are not checked yet. */
export interface RunRequest {
  readonly path: unknown;
  readonly arguments?: unknown;
  readonly options?: unknown;
  readonly input?: unknown;
}

export interface RunAnswer {
  readonly status: number;
  /** JSON, or the bytes of a file. */
  readonly body: object | Readable;
  /** Its path; null: nothing was run. */
  readonly command: string | null;
  /** Path and arguments, without flags and secrets. */
  readonly line: string;
}

export interface Running extends Offering {
  readonly host: Host;
  /** Of the command line that started Studio: its database and configuration. */
  readonly flags: GlobalFlags;
}

/** Never rejects. */
export async function answerRun(request: RunRequest, running: Running): Promise<RunAnswer> {
  let ran: Pick<RunAnswer, 'command' | 'line'> = { command: null, line: '' };
  let file: GivenFile | null = null;
  try {
    const command = await findCommand(request.path, running);
    file = await givenFile(command, { input: request.input, cwd: running.host.cwd });
    const raw = rawInput(request, { command, path: file?.path });
    ran = { command: command.path, line: shownOf(file, lineOf(command, raw)) };
    const { status, body } = await run(command, { raw, request, running });
    return { status, body: body instanceof Readable ? body : shownOf(file, body), ...ran };
  } catch (error) {
    if (isFault(error)) running.host.streams.stderr.write(traceOf(error));
    return { status: statusOf(error), body: shownOf(file, { error: errorObject(error) }), ...ran };
  } finally {
    await file?.remove();
  }
}

function shownOf<T>(file: GivenFile | null, value: T): T {
  return file === null ? value : file.shown(value);
}

/** Throws usage for a command that reads none. */
async function givenFile(
  command: Command,
  { input, cwd }: { readonly input: unknown; readonly cwd: string },
): Promise<GivenFile | null> {
  if (input === undefined) return null;
  if (inputOf(command) === null) throw usageError({ input: `is not taken: ${command.path} reads no file` });
  if (typeof input === 'string' || input instanceof Upload) return placeFile(input, cwd);
  throw usageError({ input: 'must be a text or a file' });
}

async function findCommand(path: unknown, running: Running): Promise<Command> {
  if (typeof path !== 'string') throw usageError({ path: 'must be the path of a command, such as "banner list"' });
  if (offeredPaths(running).includes(path)) return running.program.load(path);
  const why = running.isReadOnly && path in running.program.commands ? ' while it is read-only' : '';
  throw new AppError('not_found', { message: `Studio does not offer the command ${JSON.stringify(path)}${why}` });
}

interface Asked {
  readonly raw: RawInput;
  readonly request: RunRequest;
  readonly running: Running;
}

async function run(command: Command, { raw, request, running }: Asked): Promise<Pick<RunAnswer, 'status' | 'body'>> {
  const { host, program } = running;
  const streams = {
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    stderr: host.streams.stderr,
  };
  const io = createIo(streams, { env: host.env, noColor: true });
  const flags = { ...running.flags, json: true, quiet: true, noColor: true, yes: consents(request) };
  const mode = { io, json: true, quiet: true, now: host.clock.now() };
  const own = stopOf(host.stop);
  const ran = runCommand(
    { kind: 'run', command, raw, flags },
    { host: { ...host, streams, stop: own.signal }, mode, version: program.version },
  );
  ran
    .finally(() => {
      own.release();
      streams.stdout.end();
    })
    .catch((error: Error) => streams.stdout.destroy(error));
  const first = await Promise.race([ran, once(streams.stdout, 'readable').then(() => 'output' as const)]);
  if (first === 'output' && streams.stdout.readableLength > 0) return { status: 200, body: streams.stdout };
  return { status: 200, body: resultBody(await ran) };
}

/** Of one run: what listens to it is forgotten with the run, not with Studio. */
function stopOf(stop: AbortSignal): { readonly signal: AbortSignal; readonly release: () => void } {
  const ending = new AbortController();
  const end = (): void => ending.abort(stop.reason);
  if (stop.aborted) end();
  stop.addEventListener('abort', end, { once: true });
  return { signal: ending.signal, release: () => stop.removeEventListener('abort', end) };
}

function lineOf({ path, arguments: args }: Command, raw: RawInput): string {
  const parameters = Object.values(args);
  const words = raw.arguments.map((word, index) => (parameters[index] ?? parameters.at(-1))?.shown(word) ?? word);
  return [path, ...words].join(' ');
}

function resultBody(result: Result): object {
  const notes = (result.notes ?? []).filter((note) => note !== false);
  const finding = result.exitCode === undefined || result.exitCode === 0 ? {} : { exit_code: result.exitCode };
  return { ...jsonOf(result), ...metaOf(result), notes, ...finding };
}

/** Beside the total the names that a terminal shows. */
function metaOf(result: Result): { readonly meta?: JsonRecord } {
  if (result.kind === 'record' && result.fields !== undefined) return { meta: { fields: result.fields } };
  if (result.kind !== 'list') return {};
  const { columns, rows, total = rows.length, empty } = result;
  return { meta: { total, columns, ...(empty === undefined ? {} : { empty }) } };
}

function consents({ options }: RunRequest): boolean {
  return isJsonObject(options) && options['yes'] === true;
}

/** Throws usage with every problem. */
function rawInput(
  { arguments: args = [], options = {} }: RunRequest,
  { command, path }: { readonly command: Command; readonly path: string | undefined },
): RawInput {
  if (!Array.isArray(args)) throw usageError({ arguments: 'must be a list of texts' });
  if (!isJsonObject(options)) throw usageError({ options: 'must be an object with the names of flags' });
  const texts = fileTexts(command, path);
  const words = args.map((word, index) => textOf(word, `arguments[${index}]`));
  const names = Object.entries(command.arguments).filter(([, { kind }]) => kind !== 'file');
  if (words.length > names.length && names.at(-1)?.[1].repeatable !== true) {
    throw usageError({ arguments: `too many: ${words.length} instead of ${names.length}` });
  }
  for (const [name, value] of Object.entries(options)) {
    if (name === 'yes') continue;
    const [key, parameter] = flagNamed(command, name);
    texts.set(key, textsOf(value, parameter));
  }
  return { arguments: placed(command, words, texts), options: texts };
}

/** Files stand among the arguments, but are given as `input`. */
function placed(command: Command, words: readonly string[], texts: Map<string, readonly string[]>): readonly string[] {
  const left = [...words];
  const all: string[] = [];
  for (const [name, { kind, repeatable }] of Object.entries(command.arguments)) {
    const given = kind === 'file' ? (texts.get(name) ?? []) : left.splice(0, repeatable ? left.length : 1);
    texts.delete(name);
    all.push(...given);
  }
  return all;
}

function fileTexts(command: Command, path: string | undefined): Map<string, readonly string[]> {
  const texts = new Map<string, readonly string[]>();
  const [read, written] = [inputOf(command), outputOf(command)];
  if (read !== null && path !== undefined) texts.set(read[0], [path]);
  if (written !== null) texts.set(written[0], ['-']);
  return texts;
}

function flagNamed({ path, options }: Command, name: string): readonly [string, NamedParameter] {
  const found = Object.entries(options).find(([, { label }]) => label === `--${name}`);
  if (found === undefined) throw usageError({ [`--${name}`]: `is not a flag of ${path}` });
  if (found[1].kind === 'file') throw usageError({ [`--${name}`]: 'is not taken: send the text of the file as input' });
  if (!isOfferedFlag(found[0])) throw usageError({ [`--${name}`]: 'is not taken: the command would not end' });
  return found;
}

function textsOf(value: unknown, { label, placeholder, repeatable }: NamedParameter): readonly string[] {
  if (placeholder === null) {
    if (typeof value !== 'boolean') throw usageError({ [label]: 'must be true or false' });
    return value ? [''] : [];
  }
  if (!Array.isArray(value)) return value === null ? [] : [textOf(value, label)];
  const texts = value.map((one) => textOf(one, label));
  return repeatable ? texts : [texts.join(',')];
}

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (isJsonObject(value)) return JSON.stringify(value);
  throw usageError({ [name]: 'must be a text, a number, true or false, or a JSON object' });
}

function statusOf(error: unknown): number {
  if (error instanceof Interrupted) return 503;
  if (!(error instanceof AppError)) return 500;
  return error.code === 'usage' ? 422 : statuses[httpCode(error.code)];
}
