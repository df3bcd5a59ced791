/** Recent visitors of one day, because a digest costs more than a look-up. It is never written to disk. */
import { truncateAddress, visitorOf } from '../rules/visitor.js';

interface KnownVisitor {
  readonly visitor: string;
  readonly ip: string;
}

interface VisitorQuestion {
  readonly ip: string;
  readonly day: number;
  readonly isWhole: boolean;
}

const mostKnown = 10_000;

export class VisitorMemory {
  readonly #digest: (text: string) => string;
  readonly #known = new Map<string, KnownVisitor>();
  #day = 0;
  #isWhole = false;

  constructor(digest: (text: string) => string) {
    this.#digest = digest;
  }

  find({ ip, day, isWhole }: VisitorQuestion): KnownVisitor {
    if (day !== this.#day || isWhole !== this.#isWhole || this.#known.size >= mostKnown) this.#known.clear();
    this.#day = day;
    this.#isWhole = isWhole;
    const known = this.#known.get(ip);
    if (known !== undefined) return known;
    const found = { visitor: visitorOf({ ip, day, digest: this.#digest }), ip: isWhole ? ip : truncateAddress(ip) };
    this.#known.set(ip, found);
    return found;
  }
}
