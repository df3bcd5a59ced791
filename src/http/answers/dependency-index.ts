/**
 * Finds the kept answers that depend on a row, without asking each of them: equal dependencies are asked once, and those
 * that name values of a column only about rows with such a value.
 */
import type { ChangedRow, Dependency, RowValues } from '../interface/endpoint.js';

/** Answers that share a dependency. */
interface Group {
  readonly dependency: Dependency;
  readonly answers: Set<string>;
}

/** Column -> value as text -> the groups that name it. */
type Columns = Map<string, Map<string, Set<Group>>>;

interface SetIndex {
  readonly columns: Columns;
  /** Groups that name no values. */
  readonly others: Set<Group>;
}

export class DependencyIndex {
  readonly #groups = new Map<string, Group>();
  readonly #byAnswer = new Map<string, readonly Group[]>();
  readonly #sets = new Map<string, SetIndex>();
  /** Answers without known dependencies. */
  readonly #untold = new Set<string>();

  /** Remembers what an answer depends on; null = unknown. */
  add(answer: string, dependencies: readonly Dependency[] | null): void {
    this.remove(answer);
    if (dependencies === null) {
      this.#untold.add(answer);
      return;
    }
    const groups = dependencies.map((dependency) => this.#groups.get(dependency.text) ?? this.#open(dependency));
    for (const group of groups) group.answers.add(answer);
    this.#byAnswer.set(answer, groups);
  }

  remove(answer: string): void {
    this.#untold.delete(answer);
    for (const group of this.#byAnswer.get(answer) ?? []) {
      group.answers.delete(answer);
      if (group.answers.size === 0) this.#close(group);
    }
    this.#byAnswer.delete(answer);
  }

  clear(): void {
    this.#groups.clear();
    this.#byAnswer.clear();
    this.#sets.clear();
    this.#untold.clear();
  }

  /** The answers that one of the rows may have changed. */
  affected(rows: readonly ChangedRow[]): ReadonlySet<string> {
    const answers = new Set(rows.length === 0 ? [] : this.#untold);
    for (const row of rows) {
      const sides = sidesOf(row);
      for (const group of this.#candidates(row.set, sides)) {
        if (!sides.some(group.dependency.includes)) continue;
        for (const answer of group.answers) answers.add(answer);
      }
    }
    return answers;
  }

  *#candidates(set: string, sides: readonly RowValues[]): Generator<Group> {
    const index = this.#sets.get(set);
    if (index === undefined) return;
    yield* index.others;
    for (const [column, byValue] of index.columns) {
      const isKnown = sides.every((side) => side.has(column));
      const values = isKnown ? new Set(sides.map((side) => valueKey(side, column))) : byValue.keys();
      for (const value of values) yield* byValue.get(value) ?? [];
    }
  }

  #open(dependency: Dependency): Group {
    const group: Group = { dependency, answers: new Set() };
    this.#groups.set(dependency.text, group);
    const index = this.#sets.get(dependency.set) ?? { columns: new Map(), others: new Set() };
    this.#sets.set(dependency.set, index);
    const { only } = dependency;
    if (only === null) {
      index.others.add(group);
      return group;
    }
    const byValue = index.columns.get(only.column) ?? new Map<string, Set<Group>>();
    index.columns.set(only.column, byValue);
    for (const value of only.values) {
      const groups = byValue.get(String(value)) ?? new Set();
      byValue.set(String(value), groups.add(group));
    }
    return group;
  }

  #close(group: Group): void {
    const { set, text, only } = group.dependency;
    this.#groups.delete(text);
    const index = this.#sets.get(set);
    if (only === null) {
      index?.others.delete(group);
      return;
    }
    const byValue = index?.columns.get(only.column);
    for (const value of only.values) {
      const groups = byValue?.get(String(value));
      groups?.delete(group);
      if (groups?.size === 0) byValue?.delete(String(value));
    }
  }
}

/** What the row was and is; once where nothing that is known of it changed. */
function sidesOf({ before, after }: ChangedRow): readonly RowValues[] {
  if (before === null || after === null) return [before, after].filter((side) => side !== null);
  const isSame = before.size === after.size && [...before].every(([column, value]) => after.get(column) === value);
  return isSame ? [before] : [before, after];
}

function valueKey(row: RowValues, column: string): string {
  return String(row.get(column));
}
