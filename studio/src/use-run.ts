/** Commands as parts of a view: those that read run by themselves, those that change when asked. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Change, followers, type RunError, type RunInput, type RunResult, run, toRunError } from './api.js';

interface Answer {
  readonly result: RunResult | null;
  readonly error: RunError | null;
}

const none: Answer = { result: null, error: null };

export type Reading = ReturnType<typeof useRun>;

/**
 * Runs a command that reads, again when its request changes, after each change, and each `every` milliseconds.
 * Null: nothing yet. While a changed request runs, the result is that of the request before.
 */
export function useRun(path: string | null, given: RunInput = {}, every?: number) {
  const key = JSON.stringify([path, given]);
  const [state, setState] = useState({ ...none, isLoading: true, key: '' });
  const [turn, setTurn] = useState(0);
  const reload = (): void => setTurn((before) => before + 1);
  // A draft is saved again and again while one types, and its editor shows it.
  useChanges(({ path: changed }) => changed === 'page edit' || reload());
  useEffect(() => {
    if (path === null) return;
    let isStale = false;
    const take = (answer: Partial<Answer>): void => {
      if (!isStale) setState((before) => ({ ...before, error: null, ...answer, isLoading: false, key }));
    };
    setState((before) => ({ ...before, isLoading: true }));
    run(path, given).then(
      (result) => take({ result }),
      (error: unknown) => take({ error: toRunError(error) }),
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

export type Performing = ReturnType<typeof usePerform>;

/** Runs a command when asked. What it asks before it goes on is its `question`, and no error. */
export function usePerform(path: string, onDone?: (result: RunResult) => void) {
  const [state, setState] = useState({ ...none, isRunning: false });
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
  const question = state.error?.question ?? null;
  return {
    ...state,
    error: question === null ? state.error : null,
    question,
    perform: (given: RunInput) => void perform(given),
    forget: () => setState({ ...none, isRunning: false }),
    consent: () => void perform({ ...asked.current, options: { ...asked.current.options, yes: true } }),
  };
}

export function useChanges(follow: (change: Change) => unknown): void {
  useEffect(() => {
    followers.add(follow);
    return () => void followers.delete(follow);
  }, []);
}
