/** Where links lead, kept for a moment by the rules of kept answers (docs/operations.md#answers-in-memory). */

export interface LinkTarget {
  readonly id: number;
  /** As written into an attribute; empty for none. */
  readonly uri: string;
  readonly context: string;
}

export type LinkTargets = ReadonlyMap<number, LinkTarget | null>;

interface LinkQuestion {
  readonly ids: readonly number[];
  /** Equal for callers that may see the same resources. */
  readonly sight: string;
}

export interface Links {
  /** May return further targets; `read` reads the unknown ones. */
  find(question: LinkQuestion, read: (ids: readonly number[]) => Promise<LinkTargets>): Promise<LinkTargets>;
}

/** Keeps nothing: a transaction sees what others do not. */
export const unknownLinks: Links = Object.freeze({ find: ({ ids }, read) => read(ids) } satisfies Links);

const keptFor = 5000;
const most = 20_000;
/** Ids that are read again with the first one: one by one each would cost a statement. */
const mostAgain = 2000;

interface KnownLinksDeps {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly seconds: () => number;
  readonly mark: () => string | number;
}

interface Known {
  /** Entries are never removed. */
  readonly targets: Map<number, LinkTarget | null>;
  readonly asked: Set<number>;
}

export class KnownLinks implements Links {
  readonly #deps: KnownLinksDeps;
  readonly #known = new Map<string, Known>();
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

function formerOf(known: ReadonlyMap<string, Known>): Map<string, readonly number[]> {
  const each = Math.floor(mostAgain / Math.max(1, known.size));
  return new Map([...known].map(([sight, { asked }]) => [sight, [...asked].slice(0, each)]));
}
