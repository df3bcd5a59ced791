/** Asks the server of Studio. As parts of a view, commands that read run by themselves, those that change when asked. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Busy, ErrorNotice, Question } from './parts.js';
import { commandOf } from './site.js';
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
    readonly empty?: string;
  };
  readonly notes: readonly string[];
  /** Not 0: the work was done, and what it found is bad. */
  readonly exit_code?: number;
  readonly file?: Blob;
}

export interface RunInput {
  readonly arguments?: readonly string[];
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

  get question(): string | null {
    const [text] = this.fields['--yes'] ?? [];
    return text === undefined ? null : text.replace(/^is needed: /, '');
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function rowsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function recordOf(data: Json | undefined): JsonObject {
  return isObject(data) ? data : {};
}

export interface Change {
  readonly path: string;
  readonly given: RunInput;
  readonly result: RunResult;
}

/** Called after a command that may have changed something. */
const followers = new Set<(change: Change) => unknown>();

/** Throws RunError. */
export async function run(path: string, given: RunInput = {}): Promise<RunResult> {
  const response = await answerOf('/run', { path, ...given, input: await contentOf(given.input) });
  const isFile = response.headers.get('content-disposition') !== null;
  const result: RunResult = isFile ? { data: null, notes: [], file: await response.blob() } : await response.json();
  if (commandOf(path)?.reading !== false) return result;
  for (const follow of followers) follow({ path, given, result });
  return result;
}

async function contentOf(input: RunInput['input']) {
  if (!(input instanceof File)) return input;
  return { name: input.name, base64: new Uint8Array(await input.arrayBuffer()).toBase64() };
}

/** With a body it is a POST. Throws RunError. */
export async function answerOf(path: string, given?: object): Promise<Response> {
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

const none: { readonly result: RunResult | null; readonly error: RunError | null } = { result: null, error: null };
const nothing: RunResult = { data: null, notes: [] };

/** Runs a reading command, again when its request or the site changes. Meanwhile the result is the one before. */
export function useRun(path: string | null, given: RunInput = {}, every?: number) {
  const [state, setState] = useState({ ...none, answered: '' });
  const [turn, setTurn] = useState(0);
  const reload = (): void => setTurn((before) => before + 1);
  // A draft is saved again and again while one types, and its editor shows it.
  useChanges(({ path: changed }) => changed === 'page edit' || reload());
  const asked = JSON.stringify([path, given, turn]);
  useEffect(() => {
    if (path === null) return;
    let isStale = false;
    let timer: number | undefined;
    const take = (answer: Partial<typeof none>): void => {
      if (isStale) return;
      setState(({ result }) => ({ result, error: null, ...answer, answered: asked }));
      // From the answer on: one that takes longer would be asked for again and again.
      if (every !== undefined) timer = window.setInterval(() => document.hidden || reload(), every);
    };
    run(path, given).then(
      (result) => take({ result }),
      (error: unknown) => take({ error: toRunError(error) }),
    );
    return () => {
      isStale = true;
      clearInterval(timer);
    };
  }, [asked]);
  const isLoading = path !== null && state.answered !== asked;
  const { result, error } = path === null ? { result: nothing, error: null } : state;
  const notice = (
    <div aria-busy={isLoading}>
      <ErrorNotice error={error} retry={reload} />
      {isLoading && result === null && <Busy />}
    </div>
  );
  return { isLoading, result, record: recordOf(result?.data), rows: rowsOf(result?.data), notice, reload };
}

/** Runs a command when asked. Its outcome is what it refuses, or asks before it goes on, as on a terminal. */
export function usePerform(path: string, onDone?: (result: RunResult) => void) {
  const [{ error: refused, ...state }, setState] = useState({ ...none, isRunning: false });
  const asked = useRef<RunInput>({});
  const perform = async (given: RunInput): Promise<void> => {
    asked.current = given;
    setState(({ result }) => ({ result, error: null, isRunning: true }));
    try {
      const result = await run(path, given);
      setState({ result, error: null, isRunning: false });
      onDone?.(result);
    } catch (error) {
      setState({ result: null, error: toRunError(error), isRunning: false });
    }
  };
  const question = refused?.question ?? null;
  const error = question === null ? refused : null;
  const outcome = (shown?: readonly string[]) => (
    <>
      <ErrorNotice {...{ error, shown }} />
      {question !== null && (
        <Question
          question={question}
          close={() => setState({ ...none, isRunning: false })}
          act={() => void perform({ ...asked.current, options: { ...asked.current.options, yes: true } })}
        />
      )}
    </>
  );
  return { ...state, error, outcome, perform: (given: RunInput) => void perform(given) };
}

export function useChanges(follow: (change: Change) => unknown): void {
  useEffect(() => {
    followers.add(follow);
    return () => void followers.delete(follow);
  }, []);
}
