/** Runs one command for Studio: the same program, with captured streams in place of a terminal. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, sep } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { AppError } from '../../src/errors/app-error.js';
import { httpCode, statuses } from '../../src/http/interface/statuses.js';
import { isJsonObject } from '../../src/values/json.js';
import type { Command, Result } from '../command.js';
import { Interrupted } from '../exit-codes.js';
import { aborted, type Host } from '../host.js';
import { runCommand } from '../main.js';
import { errorObject, isFault, jsonOf, traceOf } from '../output.js';
import { type GlobalFlags, type NamedParameter, type Texts, usageError } from '../parameters.js';
import { createIo } from '../streams.js';
import { endlessFlags, inputOf, type Offering, offeredPaths } from './describe-commands.js';

/** Its types are not checked yet. */
export interface RunRequest {
  readonly path: unknown;
  readonly arguments?: unknown;
  readonly options?: unknown;
  readonly input?: unknown;
}

export interface RunAnswer {
  readonly status: number;
  readonly body: object | Readable;
  readonly command: string | null;
  readonly line: string;
}

interface Running extends Offering {
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
    if (request.input !== undefined) file = await placeFile(request.input, { command, cwd: running.host.cwd });
    const texts = textsGiven(request, { command, path: file?.path });
    ran = { command: command.path, line: shownOf(file, lineOf(command, texts)) };
    const body = await run(command, { texts, options: request.options, running });
    return { status: 200, body: body instanceof Readable ? body : shownOf(file, body), ...ran };
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

async function findCommand(path: unknown, running: Running): Promise<Command> {
  if (typeof path !== 'string') throw usageError({ path: 'must be the path of a command, such as "banner list"' });
  if (offeredPaths(running).includes(path)) return running.program.load(path);
  const why = running.isReadOnly && path in running.program.commands ? ' while it is read-only' : '';
  throw new AppError('not_found', { message: `Studio does not offer the command ${JSON.stringify(path)}${why}` });
}

async function run(
  command: Command,
  { texts, options, running }: { readonly texts: Texts; readonly options: unknown; readonly running: Running },
): Promise<RunAnswer['body']> {
  const { host, program } = running;
  const streams = { stdin: Readable.from([]), stdout: new PassThrough(), stderr: host.streams.stderr };
  const io = createIo(streams, { env: host.env, noColor: true });
  const yes = isJsonObject(options) && options['yes'] === true;
  const flags = { ...running.flags, json: true, quiet: true, noColor: true, yes };
  const mode = { io, json: true, quiet: true, now: host.clock.now() };
  // What listens to the end of Studio is forgotten with the run.
  const [stopping, over] = [new AbortController(), new AbortController()];
  void aborted(host.stop, over.signal).then(() => stopping.abort(host.stop.reason));
  const ran = runCommand(
    { kind: 'run', command, texts, flags },
    { host: { ...host, streams, stop: stopping.signal }, mode, version: program.version },
  );
  ran
    .finally(() => {
      over.abort();
      streams.stdout.end();
    })
    .catch((error: Error) => streams.stdout.destroy(error));
  const first = await Promise.race([ran, once(streams.stdout, 'readable').then(() => 'output' as const)]);
  return first === 'output' && streams.stdout.readableLength > 0 ? streams.stdout : resultBody(await ran);
}

function lineOf({ path, arguments: args }: Command, texts: Texts): string {
  const words = Object.entries(args).flatMap(([name, { shown }]) => (texts.get(name) ?? []).map(shown));
  return [path, ...words].join(' ');
}

function resultBody(result: Result): object {
  const notes = (result.notes ?? []).filter((note) => note !== false);
  return { ...jsonOf(result), ...metaOf(result), notes, ...(result.exitCode && { exit_code: result.exitCode }) };
}

/** Beside the total the names that a terminal shows. */
function metaOf(result: Result): { readonly meta?: object } {
  if (result.kind === 'record' && result.fields !== undefined) return { meta: { fields: result.fields } };
  if (result.kind !== 'list') return {};
  const { columns, rows, total = rows.length, empty } = result;
  return { meta: { total, columns, ...(empty === undefined ? {} : { empty }) } };
}

/** Throws usage with every problem. */
function textsGiven(
  { arguments: args = [], options = {} }: RunRequest,
  { command, path }: { readonly command: Command; readonly path: string | undefined },
): Texts {
  if (!Array.isArray(args)) throw usageError({ arguments: 'must be a list of texts' });
  if (!isJsonObject(options)) throw usageError({ options: 'must be an object with the names of flags' });
  const words = args.map((word, index) => textOf(word, `arguments[${index}]`));
  const names = Object.entries(command.arguments).filter(([, { kind }]) => kind !== 'file');
  if (words.length > names.length && names.at(-1)?.[1].repeatable !== true) {
    throw usageError({ arguments: `too many: ${words.length} instead of ${names.length}` });
  }
  const flags = Object.entries(options).filter(([name]) => name !== 'yes');
  const texts = new Map(flags.map((flag) => flagOf(command, flag)));
  const file = path === undefined ? [] : [path];
  if (command.options['file']?.kind === 'file') texts.set('file', file);
  for (const [name, { kind, isOutput, repeatable }] of Object.entries(command.arguments)) {
    // Files stand among the arguments, but are given as `input`, and become the answer.
    if (kind === 'file') texts.set(name, isOutput ? ['-'] : file);
    else texts.set(name, words.splice(0, repeatable ? words.length : 1));
  }
  return texts;
}

function flagOf({ path, options }: Command, [name, value]: [string, unknown]): [string, readonly string[]] {
  const found = Object.entries(options).find(([, { label }]) => label === `--${name}`);
  if (found === undefined) throw usageError({ [`--${name}`]: `is not a flag of ${path}` });
  if (found[1].kind === 'file') throw usageError({ [`--${name}`]: 'is not taken: send the text of the file as input' });
  if (endlessFlags.has(found[0])) throw usageError({ [`--${name}`]: 'is not taken: the command would not end' });
  return [found[0], textsOf(value, found[1])];
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

export function statusOf(error: unknown): number {
  if (error instanceof Interrupted) return 503;
  if (!(error instanceof AppError)) return 500;
  return error.code === 'usage' ? 422 : statuses[httpCode(error.code)];
}

/** An upload or a typed text, in a folder of its own while the command runs. */
type GivenFile = Awaited<ReturnType<typeof placeFile>>;

/** Messages start with it: `The text is not valid JSON`. */
const nameOfText = 'The text';

/** A text, or `{"name", "base64"}` of a file. Throws usage for a command that reads none. */
async function placeFile(input: unknown, { command, cwd }: { readonly command: Command; readonly cwd: string }) {
  if (inputOf(command) === null) throw usageError({ input: `is not taken: ${command.path} reads no file` });
  const { name, base64 } = isJsonObject(input) ? input : { name: nameOfText, base64: null };
  const content = typeof base64 === 'string' ? Buffer.from(base64, 'base64') : input;
  const isGiven = typeof content === 'string' || content instanceof Buffer;
  if (!isGiven) throw usageError({ input: 'must be a text, or {"name", "base64"} of a file' });
  const folder = await mkdtemp(join(tmpdir(), 'hcd-studio-'));
  const path = join(folder, safeName(String(name)));
  await writeFile(path, content, { mode: 0o600 });
  // The longer form holds the shorter one.
  const places = [relative(cwd, folder), folder].map((place) => JSON.stringify(place + sep).slice(1, -1));
  return {
    path,
    /** The value with the name of the file without the folder. */
    shown: <T>(value: T): T =>
      JSON.parse(places.reduce((text, place) => text.replaceAll(place, ''), JSON.stringify(value))),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** One name in the folder, whatever the browser says. */
function safeName(name: string): string {
  const safe = basename(name.replaceAll('\\', '/')).replace(/\p{Cc}/gu, '');
  const short = Buffer.from(safe).subarray(-200).toString().replaceAll('\ufffd', '');
  return ['', '.', '..'].includes(short) ? 'file' : short;
}
