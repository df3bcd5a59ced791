/** Runs a command for a view. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { RunError, type RunInput, type RunResult, run } from './api.js';

export interface Loaded {
  readonly result: RunResult | null;
  readonly error: RunError | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Runs again when path or input change; an earlier answer that comes late is dropped. */
export function useRun(path: string, input: RunInput = {}): Loaded {
  const [state, setState] = useState<Omit<Loaded, 'reload'>>({ result: null, error: null, isLoading: true });
  const latest = useRef(0);
  const key = JSON.stringify([path, input]);
  const load = useCallback((): void => {
    latest.current += 1;
    const own = latest.current;
    const show = (next: Partial<Loaded>): void => {
      if (own === latest.current) setState((before) => ({ ...before, error: null, ...next, isLoading: false }));
    };
    setState((before) => ({ ...before, isLoading: true }));
    run(path, input).then(
      (result) => show({ result }),
      (error: unknown) => show({ error: toRunError(error) }),
    );
  }, [key]);
  useEffect(load, [load]);
  return { ...state, reload: load };
}

export function toRunError(error: unknown): RunError {
  return error instanceof RunError ? error : new RunError('internal_error', String(error));
}
