/** Keeps section types in memory; a change by any process takes effect within one second. */
import type { Clock } from '../../clock/clock.js';
import type { Database } from '../../store/base/database.js';
import { readState } from '../../store/state/state.js';
import { joined } from '../../values/joined.js';
import { sectionTypesGenerationKey } from '../authoring/write-page.js';
import { type FieldDefinition, isHiddenType, type SectionType, type SectionTypes } from '../rules/section-type.js';

const interval = 400;

export interface TypesInForce {
  readonly types: SectionTypes;
  /** Changes with every other state of the types, within this process. */
  readonly generation: number;
}

interface SectionTypeMemoryDeps {
  readonly own: Pick<Database, 'primary'>;
  readonly clock: Pick<Clock, 'elapsed'>;
  /** Number of the last change that was reported. */
  readonly heard: () => number;
}

export class SectionTypeMemory {
  readonly #deps: SectionTypeMemoryDeps;
  #mark: string | null = null;
  #inForce: TypesInForce | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #seen = -1;

  constructor(deps: SectionTypeMemoryDeps) {
    this.#deps = deps;
  }

  /** Throws unavailable when the database does not answer. */
  async current(): Promise<TypesInForce> {
    const { clock, heard } = this.#deps;
    const isCurrent = this.#seen === heard() && clock.elapsed() - this.#lookedAt < interval;
    return (isCurrent ? this.#inForce : null) ?? this.#look();
  }

  readonly #look = joined(async (): Promise<TypesInForce> => {
    const { own, clock } = this.#deps;
    const begun = clock.elapsed();
    const heard = this.#deps.heard();
    // The number first: types that are newer than it are read once more at worst.
    const mark = (await readState(own.primary, sectionTypesGenerationKey)) ?? '';
    if (this.#inForce === null || mark !== this.#mark) {
      // Loaded late: it brings the template language.
      const { loadSectionTypes } = await import('../authoring/section-types.js');
      const types = await loadSectionTypes(own.primary);
      this.#inForce = Object.freeze({ types, generation: (this.#inForce?.generation ?? 0) + 1 });
      this.#mark = mark;
    }
    this.#lookedAt = begun;
    this.#seen = heard;
    return this.#inForce;
  });
}

/** Without types that catalogues hide; null = all contexts. */
export function catalogTypes(types: Iterable<SectionType>, context: string | null): readonly SectionType[] {
  return [...types].filter((type) => {
    const { contexts } = type.availability;
    return !isHiddenType(type) && (context === null || contexts.length === 0 || contexts.includes(context));
  });
}

/** As readers see it: without templates. */
export function catalogObject(types: readonly SectionType[]): Readonly<Record<string, unknown>> {
  return { items: types.map(itemOf), total: types.length };
}

function itemOf({ key, version, label, category, categories, fields, thumbnail }: SectionType): unknown {
  return { key, version, label, category, categories, fields: fields.map(fieldOf), thumbnail };
}

/** The words for forms come first, so that they cannot replace another member. */
function fieldOf({ form, showWhen, fields, ...field }: FieldDefinition): unknown {
  const { name, type, label, required, active, responsive, description, options } = field;
  return {
    ...form,
    ...{ name, type, label, required, active, responsive, description },
    ...(field.default === undefined ? {} : { default: field.default }),
    options,
    ...(showWhen === undefined ? {} : { showWhen: { field: showWhen.field, value: showWhen.values } }),
    fields: fields.map(fieldOf),
  };
}
