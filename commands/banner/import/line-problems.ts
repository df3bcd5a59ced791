/** Problems of a file by line: the first ones in words, the others as a number, however many there are. */
import { AppError } from '../../../src/errors/app-error.js';

export interface LineProblems {
  add(line: number, problems: readonly string[]): void;
  /** Throws refused with the first problems. */
  throwIfAny(): void;
}

const shown = 20;

export function problemList(): LineProblems {
  const first = new Map<number, readonly string[]>();
  let lines = 0;
  return {
    add(line, problems) {
      lines += 1;
      if (first.size < shown) first.set(line, problems);
    },
    throwIfAny() {
      if (lines === 0) return;
      const more = lines > first.size ? ` The first ${first.size}:` : '';
      const fields = [...first].sort(([a], [b]) => a - b).map(([line, problems]) => [`line ${line}`, problems]);
      throw new AppError('refused', {
        message: `${lines === 1 ? '1 row is' : `${lines} rows are`} invalid; nothing was imported.${more}`,
        details: { fields: Object.fromEntries(fields) },
      });
    },
  };
}
