/** Rows that a command lists, and more of them when asked. */
import type { ComponentChild } from 'preact';
import { useState } from 'preact/hooks';
import type { RunInput } from '../api.js';
import { Loaded } from '../data-table.js';
import { texts } from '../texts.js';
import { useRun } from '../use-run.js';

interface MoreRowsProps<T> {
  readonly path: string;
  readonly words?: readonly string[];
  readonly options?: RunInput['options'];
  readonly step: number;
  /** Their number is not said where all are there. */
  readonly isQuiet?: boolean;
  readonly children: (rows: readonly T[]) => ComponentChild;
}

export function MoreRows<T>({ path, words = [], options, step, isQuiet = false, children }: MoreRowsProps<T>) {
  const [limit, setLimit] = useState(step);
  const reading = useRun(path, { arguments: words, options: { ...options, limit } });
  return (
    <Loaded of={reading}>
      {({ data, meta }) => {
        const rows = data as unknown as readonly T[];
        const total = meta?.total ?? rows.length;
        const isWhole = rows.length >= total;
        return (
          <>
            {children(rows)}
            {isQuiet && isWhole ? null : (
              <p class="help" role="status">
                {texts.rows(rows.length, total)}{' '}
                {isWhole ? null : (
                  <button type="button" class="small" onClick={() => setLimit(limit + step)}>
                    {texts.writing.more}
                  </button>
                )}
              </p>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
