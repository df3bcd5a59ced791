/**
 * The section types in force, kept in memory. Their number in the database is looked at a few times a second at most,
 * so that a change made by any process holds within one second.
 */
import type { Clock } from '../../clock/clock.js';
import type { Database } from '../../store/base/database.js';
import { readState } from '../../store/state/state.js';
import { loadSectionTypes, sectionTypesGenerationKey } from '../authoring/load-section-types.js';
import type { SectionTypes } from '../rules/section-type.js';

/** Milliseconds for which a look counts. */
const interval = 400;

export interface TypesInForce {
  readonly types: SectionTypes;
  /** Another number for every other state of the types, within this process. */
  readonly generation: number;
}

export class SectionTypeMemory {
  readonly #deps: { readonly own: Pick<Database, 'primary'>; readonly clock: Pick<Clock, 'elapsed'> };
  #mark: string | null = null;
  #inForce: TypesInForce | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<TypesInForce> | null = null;

  constructor(deps: { readonly own: Pick<Database, 'primary'>; readonly clock: Pick<Clock, 'elapsed'> }) {
    this.#deps = deps;
  }

  /** The next reader looks again, however short ago the last look was. */
  forget(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY;
  }

  /** The types; a promise only when they have to be looked for. Throws unavailable when the database does not answer. */
  current(): TypesInForce | Promise<TypesInForce> {
    const isFresh = this.#deps.clock.elapsed() - this.#lookedAt < interval;
    if (this.#inForce !== null && isFresh) return this.#inForce;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #look(): Promise<TypesInForce> {
    const { own, clock } = this.#deps;
    const begun = clock.elapsed();
    // The number first: types that are newer than it are read once more at worst.
    const mark = (await readState(own.primary, sectionTypesGenerationKey)) ?? '';
    if (this.#inForce === null || mark !== this.#mark) {
      const types = await loadSectionTypes(own.primary);
      this.#inForce = Object.freeze({ types, generation: (this.#inForce?.generation ?? 0) + 1 });
      this.#mark = mark;
    }
    this.#lookedAt = begun;
    return this.#inForce;
  }
}
