/** Which resources lie above a resource: remembered until content changes, because slots ask it again and again. */
import type { Reader } from '../../store/base/database.js';
import { LruMap } from '../../values/lru-map.js';
import { readParent } from '../rows/linked-pages.js';

export interface AncestorMemoryDeps {
  readonly content: Reader;
  /** Of the content tables. */
  readonly prefix: string;
}

const mostRemembered = 10_000;
/** Deeper trees are damaged ones. */
const deepest = 100;

export class AncestorMemory {
  readonly #deps: AncestorMemoryDeps;
  readonly #parents = new LruMap<number, number>(mostRemembered);
  /** What is read across a change is not kept. */
  #changes = 0;

  constructor(deps: AncestorMemoryDeps) {
    this.#deps = deps;
  }

  /** Ids above the resource; none for one that there is not. */
  async of(resource: number): Promise<ReadonlySet<number>> {
    const above = new Set<number>();
    let at = await this.#parentOf(resource);
    // Parents of damaged data may form a circle.
    while (at > 0 && !above.has(at) && above.size < deepest) {
      above.add(at);
      at = await this.#parentOf(at);
    }
    return above;
  }

  clear(): void {
    this.#changes += 1;
    this.#parents.clear();
  }

  async #parentOf(id: number): Promise<number> {
    const known = this.#parents.get(id);
    if (known !== undefined) return known;
    const { content, prefix } = this.#deps;
    const before = this.#changes;
    const parent = (await readParent(content, prefix, id)) ?? 0;
    if (before === this.#changes) this.#parents.set(id, parent);
    return parent;
  }
}
