/** The refusal of a document or a section type: every problem under its path, each with the section it lies in. */
import { invalidFields } from '../../errors/app-error.js';
import type { PageProblem, PageReading } from '../rules/page-problem.js';

/** Throws validation_failed with every problem; does nothing when there is none. `what` says what cannot be done. */
export function refuseProblems(problems: readonly PageProblem[], what: string): void {
  if (problems.length === 0) return;
  const byPath = new Map<string, string[]>();
  for (const problem of problems) {
    const path = problem.path === '' ? 'document' : problem.path;
    byPath.set(path, [...(byPath.get(path) ?? []), describe(problem)]);
  }
  throw invalidFields(Object.fromEntries(byPath), `${what}: ${counted(problems.length)}`);
}

/** The value that was read; throws like refuseProblems when there is none. */
export function requireValue<T>({ value, problems }: PageReading<T>, what: string): T {
  refuseProblems(problems, what);
  if (value === null) throw invalidFields({ document: ['could not be read'] }, what);
  return value;
}

/** `is required to publish (hero section 0f3c…)` */
function describe({ message, section }: PageProblem): string {
  if (!section || section.type === '') return message;
  return `${message} (${section.type} section${section.id === '' ? '' : ` ${section.id}`})`;
}

function counted(number: number): string {
  return number === 1 ? 'one problem' : `${number} problems`;
}
