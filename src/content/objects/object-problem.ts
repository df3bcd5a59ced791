/** Where a definition of an extra object is wrong and why; and the one error that carries all of it. */
import { AppError } from '../../errors/app-error.js';
import type { Place, PlacedProblem } from '../../values/json-tree.js';

/** A value; null when there are problems. */
export interface Checked<T> {
  readonly value: T | null;
  readonly problems: readonly PlacedProblem[];
}

export function problemAt(place: Place, message: string): PlacedProblem {
  const { source, path, line, column } = place;
  return { source, path, line, column, message };
}

/** A problem of a whole file or module. */
export function problemOf(source: string, message: string): PlacedProblem {
  return { source, path: '', line: null, column: null, message };
}

/** `objects/products.json:12:5: fields.price.type: …` */
export function formatProblem({ source, path, line, column, message }: PlacedProblem): string {
  const where = line === null ? source : `${source}:${line}:${column ?? 1}`;
  return [where, ...(path === '' ? [] : [path]), message].join(': ');
}

/** Throws configuration_invalid with one line per problem; does nothing when there is none. */
export function throwProblems(problems: readonly PlacedProblem[], cause?: unknown): void {
  if (problems.length === 0) return;
  const bySource = new Map<string, string[]>();
  for (const problem of problems) {
    const list = bySource.get(problem.source) ?? [];
    list.push(formatProblem(problem));
    bySource.set(problem.source, list);
  }
  throw new AppError('configuration_invalid', {
    message: problems.map(formatProblem).join('\n'),
    details: { fields: Object.fromEntries(bySource) },
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The value; configuration_invalid with its problems when there are any. */
export function requireValue<T>({ value, problems }: Checked<T>): T {
  throwProblems(problems);
  if (value === null) throw new AppError('internal_error', { message: 'a definition is missing without a problem' });
  return value;
}
