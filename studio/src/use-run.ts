/** Commands as parts of a view: those that read run by themselves, those that change when asked. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Change, changeEvent, type RunError, type RunInput, type RunResult, run, toRunError } from './api.js';

export interface Reading {
  /** The last one; while a changed request runs, that of the request before. */
  readonly result: RunResult | null;
  readonly error: RunError | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

const nothing: Omit<Reading, 'reload'> = { result: null, error: null, isLoading: true };

/**
 * Runs a command that reads, again when its request changes, after each change, and each `every` milliseconds.
 * Null: nothing yet.
 */
export function useRun(path: string | null, given: RunInput = {}, every?: number): Reading {
  const key = JSON.stringify([path, given]);
  const [state, setState] = useState({ ...nothing, key: '' });
  const [turn, setTurn] = useState(0);
  const reload = (): void => setTurn((before) => before + 1);
  // A draft is saved again and again while one types, and its editor shows it.
  useChanges(({ path: changed }) => changed === 'page edit' || reload());
  useEffect(() => {
    if (path === null) return;
    let isStale = false;
    setState((before) => ({ ...before, isLoading: true }));
    run(path, given).then(
      (result) => isStale || setState({ result, error: null, isLoading: false, key }),
      (error: unknown) =>
        isStale || setState(({ result }) => ({ result, error: toRunError(error), isLoading: false, key })),
    );
    return () => {
      isStale = true;
    };
  }, [key, turn]);
  useEffect(() => {
    if (every === undefined) return;
    const timer = setInterval(() => document.hidden || reload(), every);
    return () => clearInterval(timer);
  }, [every]);
  return { ...state, isLoading: state.isLoading || state.key !== key, reload };
}

export interface Performing {
  readonly result: RunResult | null;
  readonly error: RunError | null;
  readonly isRunning: boolean;
  /** What the command asks before it goes on. */
  readonly question: string | null;
  readonly perform: (given: RunInput) => void;
  readonly forget: () => void;
  readonly consent: () => void;
}

const idle = { result: null, error: null, isRunning: false } as const;

/** Runs a command when asked. */
export function usePerform(path: string, onDone?: (result: RunResult) => void): Performing {
  const [state, setState] = useState<Pick<Performing, 'result' | 'error' | 'isRunning'>>(idle);
  const asked = useRef<RunInput>({});
  const start = async (given: RunInput): Promise<void> => {
    asked.current = given;
    setState(({ result }) => ({ ...idle, result, isRunning: true }));
    try {
      const result = await run(path, given);
      setState({ ...idle, result });
      onDone?.(result);
    } catch (error) {
      setState({ ...idle, error: toRunError(error) });
    }
  };
  const question = state.error?.question ?? null;
  return {
    ...state,
    error: question === null ? state.error : null,
    question,
    perform: (given) => void start(given),
    forget: () => setState(idle),
    consent: () => void start({ ...asked.current, options: { ...asked.current.options, yes: true } }),
  };
}

/** Follows each change, from any part of the page. */
export function useChanges(follow: (change: Change) => unknown): void {
  useEffect(() => {
    const take = (event: Event): void => {
      if (event instanceof CustomEvent) follow(event.detail);
    };
    addEventListener(changeEvent, take);
    return () => removeEventListener(changeEvent, take);
  }, []);
}
