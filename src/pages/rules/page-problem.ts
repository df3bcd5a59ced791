/** Problems of a page document or a section type with their places, and the error that has all of them. */
import { invalidFields } from '../../errors/app-error.js';
import type { Problems } from '../../values/reading.js';

interface ProblemSection {
  /** Place in its list, from 0. */
  readonly index: number;
  readonly type: string;
  readonly id: string;
}

export interface PageProblem {
  /** For example `sections[2].data.items[0].title`; empty for the whole. */
  readonly path: string;
  readonly message: string;
  readonly section?: ProblemSection;
}

export interface PageReading<T> {
  readonly value: T | null;
  readonly problems: readonly PageProblem[];
}

export interface Sanitised {
  /** Place in its list, from 0. */
  readonly section: number;
  readonly field: string;
  /** Such as `<script>` and `onclick of <a>`. */
  readonly removed: readonly string[];
}

/** Counts more than `mostProblems` without keeping them: hostile input must not fill the memory. */
export class PageProblems implements Problems {
  readonly #list: PageProblem[] = [];
  readonly #sanitised: Sanitised[] = [];
  #section: ProblemSection | undefined;

  within(section: ProblemSection, work: () => void): void {
    this.#section = section;
    work();
    this.#section = undefined;
  }

  add(path: string, message: string): void {
    if (this.#list.length >= mostProblems) return;
    this.#list.push({ path, message, ...(this.#section ? { section: this.#section } : {}) });
  }

  addRemoved(path: string, removed: ReadonlySet<string>): void {
    if (removed.size === 0 || this.#section === undefined || this.#sanitised.length >= mostProblems) return;
    const field = path.slice(path.indexOf('.data.') + '.data.'.length);
    this.#sanitised.push({ section: this.#section.index, field, removed: [...removed] });
  }

  get sanitised(): readonly Sanitised[] {
    return this.#sanitised;
  }

  get any(): boolean {
    return this.#list.length > 0;
  }

  get isFull(): boolean {
    return this.#list.length >= mostProblems;
  }

  list(): readonly PageProblem[] {
    return Object.freeze([...this.#list]);
  }
}

/** Enough for one round of corrections. */
export const mostProblems = 100;

/** `sections[2].data.title (hero, 0f3c…): must be a text` */
export function formatPageProblem({ path, message, section }: PageProblem): string {
  const where = section ? ` (${[section.type, section.id].filter((word) => word !== '').join(', ')})` : '';
  return path === '' ? message : `${path}${where}: ${message}`;
}

/** Throws validation_failed with every problem, if there are any. `what` names the refused action. */
export function refuseProblems(problems: readonly PageProblem[], what: string): void {
  if (problems.length === 0) return;
  const byPath = new Map<string, string[]>();
  for (const problem of problems) {
    const path = problem.path === '' ? 'document' : problem.path;
    byPath.set(path, [...(byPath.get(path) ?? []), describe(problem)]);
  }
  throw invalidFields(Object.fromEntries(byPath), `${what}: ${counted(problems.length)}`);
}

/** Throws like refuseProblems when there is no value. */
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
