/** The sections above a resource, of which the nearest reads are kept. */
import { siteContent } from '../../content/models/resources.js';
import type { Reader } from '../../store/base/database.js';
import { LruMap } from '../../values/lru-map.js';

interface AncestorMemoryDeps {
  readonly content: Reader;
  readonly prefix: string;
}

const mostRemembered = 10_000;
/** Deeper trees are damaged. */
const deepest = 100;

export class AncestorMemory {
  readonly #deps: AncestorMemoryDeps;
  readonly #parents = new LruMap<number, number>(mostRemembered);
  /** A parent that was read during a change is not kept. */
  #changes = 0;

  constructor(deps: AncestorMemoryDeps) {
    this.#deps = deps;
  }

  async of(resource: number): Promise<ReadonlySet<number>> {
    const above = new Set<number>();
    let at = await this.#parentOf(resource);
    // In damaged data, parents may form a circle.
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
    const [row] = await siteContent.on(content, prefix).lookUpAll({ id }, { attributes: ['parent'] });
    const parent = row?.parent ?? 0;
    if (before === this.#changes) this.#parents.set(id, parent);
    return parent;
  }
}
