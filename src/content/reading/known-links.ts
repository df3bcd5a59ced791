/**
 * Where links in texts lead, kept for a moment: answers name the same resources again and again, and to read them costs a
 * statement more. It follows the rules of kept answers (docs/operations.md#answers-in-memory).
 */

/** A resource that a caller may see, with what its address is made of. */
export interface LinkTarget {
  readonly id: number;
  /** As it is written into an attribute; empty for none. */
  readonly uri: string;
  readonly context: string;
}

/** Targets by id; null or nothing for one that is not there, or that the caller may not see. */
export type LinkTargets = ReadonlyMap<number, LinkTarget | null>;

export interface LinkQuestion {
  readonly ids: readonly number[];
  /** Equal for callers who may see the same resources. */
  readonly sight: string;
}

export interface Links {
  /** The targets of these ids, perhaps among others; `read` gives those that are not known. */
  find(question: LinkQuestion, read: (ids: readonly number[]) => Promise<LinkTargets>): Promise<LinkTargets>;
}

/** Where nothing is known, as in a transaction, which sees what others do not. */
export const unknownLinks: Links = Object.freeze({ find: ({ ids }, read) => read(ids) } satisfies Links);

/** Milliseconds after which everything is read again. */
const keptFor = 5000;
const most = 20_000;
/** Most ids that are read again with the first that is asked for: one by one each of them would cost a statement. */
const mostAgain = 2000;

interface KnownLinksDeps {
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** Seconds for which answers are kept; 0 = nothing is. */
  readonly seconds: () => number;
  /** What is known holds only while this is the same. */
  readonly mark: () => string | number;
}

/** What is known of one sight. */
interface Known {
  /** A target that was given is never taken out. */
  readonly targets: Map<number, LinkTarget | null>;
  /** Ids that were asked for since everything was read again. */
  readonly asked: Set<number>;
}

export class KnownLinks implements Links {
  readonly #deps: KnownLinksDeps;
  /** By sight. */
  readonly #known = new Map<string, Known>();
  /** Ids that were asked for until their time was over, by sight. */
  #former = new Map<string, readonly number[]>();
  #size = 0;
  #since = 0;
  #mark: string | number = 0;
  /** What was read before a drop is not kept. */
  #drops = 0;

  constructor(deps: KnownLinksDeps) {
    this.#deps = deps;
  }

  async find({ ids, sight }: LinkQuestion, read: Parameters<Links['find']>[1]): Promise<LinkTargets> {
    if (!this.#mayKeep()) return read(ids);
    const known = this.#known.get(sight);
    const missing = known === undefined ? ids : ids.filter((id) => !known.targets.has(id));
    if (known !== undefined && missing.length === 0) {
      for (const id of ids) known.asked.add(id);
      return known.targets;
    }
    const wanted = this.#withFormer(sight, missing);
    const found = new Map([...ids, ...wanted].map((id) => [id, known?.targets.get(id) ?? null]));
    const drops = this.#drops;
    for (const [id, target] of await read(wanted)) found.set(id, target);
    if (drops === this.#drops) this.#keep({ ids, sight }, found);
    return found;
  }

  /** Forgets everything, and what is being read. */
  drop(): void {
    this.#drops += 1;
    this.#known.clear();
    this.#former.clear();
    this.#size = 0;
  }

  #withFormer(sight: string, missing: readonly number[]): readonly number[] {
    const former = this.#former.get(sight);
    if (former === undefined) return missing;
    this.#former.delete(sight);
    return [...new Set([...missing, ...former])];
  }

  #mayKeep(): boolean {
    const { now, seconds, mark } = this.#deps;
    const kept = Math.min(keptFor, seconds() * 1000);
    const state = mark();
    if (kept === 0 || Number.isNaN(state)) return false;
    if (state !== this.#mark || now() - this.#since >= kept) {
      const former = state === this.#mark ? formerOf(this.#known) : new Map<string, readonly number[]>();
      this.drop();
      this.#former = former;
      this.#since = now();
      this.#mark = state;
    }
    return true;
  }

  #keep({ ids, sight }: LinkQuestion, found: LinkTargets): void {
    if (this.#size + found.size > most) this.drop();
    if (found.size > most) return;
    const known = this.#known.get(sight) ?? { targets: new Map<number, LinkTarget | null>(), asked: new Set<number>() };
    this.#known.set(sight, known);
    const { targets, asked } = known;
    this.#size -= targets.size;
    for (const [id, target] of found) targets.set(id, target);
    this.#size += targets.size;
    for (const id of ids) asked.add(id);
  }
}

/** The ids that were asked for, in the order of the first question for each. All sights share the limit. */
function formerOf(known: ReadonlyMap<string, Known>): Map<string, readonly number[]> {
  const each = Math.floor(mostAgain / Math.max(1, known.size));
  return new Map([...known].map(([sight, { asked }]) => [sight, [...asked].slice(0, each)]));
}
