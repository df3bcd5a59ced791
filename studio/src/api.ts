/** Asks the server of Studio. */
import { commandOf, type Site } from './site.js';
import { texts } from './texts.js';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

export interface RunResult {
  readonly data: Json;
  readonly meta?: {
    readonly total?: number;
    /** Of a list, and members of a record: what a terminal shows. */
    readonly columns?: readonly string[];
    readonly fields?: readonly string[];
    /** In place of a list without rows. */
    readonly empty?: string;
  };
  readonly notes: readonly string[];
  /** Not 0: the work was done, and what it found is bad. */
  readonly exit_code?: number;
  /** In place of data. */
  readonly file?: Blob;
}

export interface RunInput {
  readonly arguments?: readonly string[];
  /** By the names of flags without dashes. */
  readonly options?: Readonly<Record<string, Json>>;
  readonly input?: string | File;
}

/** What a command, or the way to it, refused. `code` is `unreachable` where no answer came. */
export class RunError extends Error {
  readonly code: string;
  readonly details: JsonObject;

  constructor(code: string, message: string, details: JsonObject = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  /** Problems by what the command calls its fields: `--name`, `ID` or `sections[0].data.title`. */
  get fields(): Readonly<Record<string, readonly string[]>> {
    const { fields } = this.details;
    // There is a form here in place of a terminal.
    const text = JSON.stringify(fields ?? {}).replaceAll(': not a terminal, cannot prompt', '');
    return JSON.parse(text);
  }

  /** The question of a command that needs a yes. */
  get question(): string | null {
    const [text] = this.fields['--yes'] ?? [];
    return text === undefined ? null : text.replace(/^is needed: /, '');
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export async function signIn(token: string): Promise<void> {
  await answerOf('/session', { token });
}

export async function loadSite(): Promise<Site> {
  const { data, meta } = await (await answerOf('/commands')).json();
  return { commands: data, about: meta };
}

export interface Change {
  readonly path: string;
  readonly given: RunInput;
  readonly result: RunResult;
}

/** Called after a command that may have changed something. */
export const followers = new Set<(change: Change) => unknown>();

/** Throws RunError. */
export async function run(path: string, given: RunInput = {}): Promise<RunResult> {
  const input = given.input instanceof File ? await contentOf(given.input) : given.input;
  const response = await answerOf('/run', { path, ...given, input });
  const isFile = response.headers.get('content-disposition') !== null;
  const result: RunResult = isFile ? { data: null, notes: [], file: await response.blob() } : await response.json();
  if (commandOf(path)?.reading !== false) return result;
  for (const follow of followers) follow({ path, given, result });
  return result;
}

async function contentOf(file: File): Promise<object> {
  const reader = new FileReader();
  reader.readAsDataURL(file);
  await new Promise((resolve) => reader.addEventListener('loadend', resolve));
  if (reader.error !== null) throw new RunError('not_found', reader.error.message);
  const [, base64 = ''] = String(reader.result).split(',');
  return { name: file.name, base64 };
}

/** With a body it is a POST. */
async function answerOf(path: string, given?: object): Promise<Response> {
  const headers = { 'X-Studio': '1', 'Content-Type': 'application/json' };
  const body = JSON.stringify(given);
  const response = await fetch(path, given && { method: 'POST', headers, body }).catch(() => {
    throw new RunError('unreachable', texts.ended);
  });
  if (response.ok) return response;
  const { error }: { readonly error?: RunError } = await response.json().catch(() => ({}));
  if (error === undefined) throw new RunError('unreachable', `${response.status} ${response.statusText}`);
  throw new RunError(error.code, error.message, error.details);
}

export function toRunError(error: unknown): RunError {
  return error instanceof RunError ? error : new RunError('internal_error', String(error));
}
