/** The cache of answers (docs/operations.md#answers-in-memory). An answer begun before a change is not kept. */
import { AppError } from '../../errors/app-error.js';
import { after } from '../../values/after.js';
import { ByteLru } from '../../values/kept-values.js';
import type { ChangedRow, ContentChange, Dependency, Representation, RowValues } from '../interface/endpoint.js';

interface KeptAnswer {
  readonly representation: Representation;
  /** Monotonic milliseconds. */
  readonly storedAt: number;
}

interface CacheQuestion {
  readonly key: string;
  readonly seconds: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Kept only when it is a 200 of kind 'content' or 'file' that is no stream. */
  readonly produce: () => Promise<Representation>;
}

export interface CacheAnswer {
  readonly representation: Representation;
  readonly age: number;
  readonly isKept: boolean;
}

/** Compared only; answers of another generation are dropped. */
type Generation = number | string;

/** The answer or refusal of all that wait; null: each waiting request makes its own answer. */
type Outcome = Representation | AppError | null;

const mostAsked = 1000;
/** Approximate bytes without the body, and of each dependency without its text. */
const overhead = 1024;
const dependencyOverhead = 512;

export class ResponseCache {
  readonly #kept: ByteLru<KeptAnswer>;
  readonly #pending = new Map<string, Promise<Outcome>>();
  readonly #dependencies = new DependencyIndex();
  readonly #generation: (() => Generation | Promise<Generation>) | undefined;
  #seenGeneration: Generation | undefined;
  readonly #asked = new Set<string>();
  #hits = 0;
  #misses = 0;

  /** With `generation`, a new generation drops every answer, and no rows are remembered. */
  constructor(options: {
    readonly maxBytes: number;
    readonly generation?: () => Generation | Promise<Generation>;
  }) {
    this.#kept = new ByteLru(options.maxBytes, (key) => this.#dependencies.remove(key));
    this.#generation = options.generation;
  }

  get use(): { readonly hits: number; readonly misses: number; readonly bytes: number } {
    return { hits: this.#hits, misses: this.#misses, bytes: this.#kept.bytes };
  }

  clear(): void {
    this.#kept.clear();
    this.#dependencies.clear();
    this.#pending.clear();
    this.#asked.clear();
  }

  /** Answers under way may have seen either state: none is kept. */
  drop(change: ContentChange): void {
    if (change === 'everything') {
      this.clear();
      return;
    }
    this.#pending.clear();
    for (const key of this.#dependencies.affected(change)) this.#kept.delete(key);
  }

  /** True from the second request with this key on: keeping an answer that is never repeated only costs memory. */
  noteAsked(key: string): boolean {
    if (this.#asked.has(key)) return true;
    if (this.#asked.size >= mostAsked) this.#asked.clear();
    this.#asked.add(key);
    return false;
  }

  /** Undefined without one, or when the caller must wait for the generation. */
  kept(question: Omit<CacheQuestion, 'produce'>): CacheAnswer | undefined {
    const generation = this.#generation?.();
    if (generation instanceof Promise) return undefined;
    this.#clearIfOther(generation);
    return this.#find(question);
  }

  /** A promise only when no answer is kept, or the caller must wait for the generation. */
  answer(question: CacheQuestion): CacheAnswer | Promise<CacheAnswer> {
    return after(this.#generation?.(), (generation) => this.#answer(question, generation));
  }

  #answer(question: CacheQuestion, generation: Generation | undefined): CacheAnswer | Promise<CacheAnswer> {
    this.#clearIfOther(generation);
    const kept = this.#find(question);
    if (kept !== undefined) return kept;
    const pending = this.#pending.get(question.key);
    return pending === undefined ? this.#lead(question) : this.#share(question, pending);
  }

  async #share(question: CacheQuestion, pending: Promise<Outcome>): Promise<CacheAnswer> {
    const outcome = await pending;
    if (outcome instanceof AppError) throw outcome;
    return { representation: outcome ?? (await question.produce()), age: 0, isKept: false };
  }

  #clearIfOther(generation: Generation | undefined): void {
    if (this.#seenGeneration !== generation) this.clear();
    this.#seenGeneration = generation;
  }

  #find({ key, seconds, now }: Omit<CacheQuestion, 'produce'>): CacheAnswer | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    const age = Math.floor((now() - kept.storedAt) / 1000);
    if (age < seconds) {
      this.#hits += 1;
      return { representation: kept.representation, age, isKept: true };
    }
    this.#kept.delete(key);
    return undefined;
  }

  async #lead(question: CacheQuestion): Promise<CacheAnswer> {
    const { key } = question;
    this.#misses += 1;
    let settle: (outcome: Outcome) => void = () => undefined;
    const pending = new Promise<Outcome>((resolve) => {
      settle = resolve;
    });
    this.#pending.set(key, pending);
    try {
      const made = await question.produce();
      const { caching } = made;
      const isOfContent = caching.kind === 'content' || caching.kind === 'file';
      const keepable = made.status === 200 && isOfContent && made.open === undefined;
      const representation = keepable ? { ...made, body: bytesOf(made.body) } : made;
      settle(keepable ? representation : null);
      // Still the one on the list: the content has not changed since the work began.
      if (keepable && this.#pending.get(key) === pending) {
        const rows = caching.kind === 'content' ? (caching.dependsOn?.() ?? null) : [];
        this.#keep(key, { representation, storedAt: question.now() }, this.#generation === undefined ? rows : []);
      }
      return { representation, age: 0, isKept: false };
    } catch (error) {
      // A refusal holds for all requests that wait; any other failure may be this request's own.
      settle(error instanceof AppError && error.kind !== 'internal' ? error : null);
      throw error;
    } finally {
      if (this.#pending.get(key) === pending) this.#pending.delete(key);
    }
  }

  #keep(key: string, answer: KeptAnswer, dependencies: readonly Dependency[] | null): void {
    const { representation } = answer;
    const length = representation.length ?? 0;
    // Compressed forms are kept with the answer; together they seldom reach its own length.
    let bytes = length * (representation.isCompressible ? 2 : 1) + key.length * 2 + overhead;
    for (const { text } of dependencies ?? []) bytes += text.length * 2 + dependencyOverhead;
    if (this.#kept.set(key, answer, bytes)) this.#dependencies.add(key, dependencies);
  }
}

/** Has memory of its own: a part of Node's pool would keep all of it from being freed. */
function bytesOf(body: string | Buffer): Buffer {
  if (typeof body !== 'string') return body;
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(body));
  bytes.write(body);
  return bytes;
}

interface Group {
  readonly dependency: Dependency;
  readonly answers: Set<string>;
}

type Columns = Map<string, Map<string, Set<Group>>>;

interface SetIndex {
  readonly columns: Columns;
  readonly others: Set<Group>;
}

class DependencyIndex {
  readonly #groups = new Map<string, Group>();
  readonly #byAnswer = new Map<string, readonly Group[]>();
  readonly #sets = new Map<string, SetIndex>();
  readonly #withoutDependencies = new Set<string>();

  add(answer: string, dependencies: readonly Dependency[] | null): void {
    this.remove(answer);
    if (dependencies === null) this.#withoutDependencies.add(answer);
    const groups = dependencies?.map((one) => this.#groups.get(one.text) ?? this.#open(one)) ?? [];
    for (const group of groups) group.answers.add(answer);
    this.#byAnswer.set(answer, groups);
  }

  remove(answer: string): void {
    this.#withoutDependencies.delete(answer);
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
    this.#withoutDependencies.clear();
  }

  affected(rows: readonly ChangedRow[]): ReadonlySet<string> {
    const answers = new Set(rows.length === 0 ? [] : this.#withoutDependencies);
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

function sidesOf({ before, after }: ChangedRow): readonly RowValues[] {
  if (before === null || after === null) return [before, after].filter((side) => side !== null);
  const isSame = before.size === after.size && [...before].every(([column, value]) => after.get(column) === value);
  return isSame ? [before] : [before, after];
}

function valueKey(row: RowValues, column: string): string {
  return String(row.get(column));
}
