/** Where a definition of an extra object is wrong and why; and the one error that carries all of it. */
import { AppError } from '../../errors/app-error.js';

/** A spot in a definition. Files give line and column (from 1); a definition made by a plugin has only its path. */
export interface Place {
  /** File as shown to people, for example `objects/products.json`. */
  readonly source: string;
  /** Way to the value inside the definition, for example `fields.price.type`; empty for the whole. */
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
}

export interface ObjectProblem extends Place {
  readonly message: string;
}

/** A value that may be missing because of the problems beside it. */
export interface Checked<T> {
  readonly value: T | null;
  readonly problems: readonly ObjectProblem[];
}

export function problemAt(place: Place, message: string): ObjectProblem {
  const { source, path, line, column } = place;
  return { source, path, line, column, message };
}

/** A problem of a whole file or module. */
export function problemOf(source: string, message: string): ObjectProblem {
  return { source, path: '', line: null, column: null, message };
}

/** `objects/products.json:12:5: fields.price.type: …` */
export function formatProblem({ source, path, line, column, message }: ObjectProblem): string {
  const where = line === null ? source : `${source}:${line}:${column ?? 1}`;
  return [where, ...(path === '' ? [] : [path]), message].join(': ');
}

/** A text from a definition as a message shows it: quoted, cut, on one line. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

/** Throws configuration_invalid with one line per problem; does nothing when there is none. */
export function throwProblems(problems: readonly ObjectProblem[], cause?: unknown): void {
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
  if (value === null) throw new AppError('internal_error', { message: 'a definition is missing and nobody said why' });
  return value;
}
