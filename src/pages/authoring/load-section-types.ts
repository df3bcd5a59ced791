/**
 * The section types in force: the shipped ones, in their order, overlaid by those of this site. Never fails on what is
 * stored: a definition that this version cannot read is left out, and its sections are shown as not renderable.
 */

import type { Reader } from '../../store/base/database.js';
import { parseJson } from '../../values/json.js';
import { readSectionTypeRows } from '../rows/section-type-rows.js';
import type { PageReading } from '../rules/page-problem.js';
import { readSectionType } from '../rules/read-section-type.js';
import type { SectionType, SectionTypes } from '../rules/section-type.js';
import { shippedTypes } from './shipped-types.js';

/** Key of the number in `hcd_state` that every change of section types raises. */
export const sectionTypesGenerationKey = 'section_types_generation';

/** The types by key, shipped ones first. */
export async function loadSectionTypes(own: Reader): Promise<SectionTypes> {
  const types = new Map(shippedTypes().map((type) => [type.key, type]));
  for (const { key, definition } of await readSectionTypeRows(own)) {
    const type = definition === null ? null : readStoredType(key, definition).value;
    if (type) types.set(key, type);
    else types.delete(key);
  }
  return types;
}

/** A stored definition; one that cannot be read any more says why. */
export function readStoredType(key: string, definition: string): PageReading<SectionType> {
  const given = parseJson(definition);
  if (given === undefined) return { value: null, problems: [{ path: '', message: 'is no JSON' }] };
  const { value, problems } = readSectionType(given);
  if (value && value.key !== key) {
    return { value: null, problems: [{ path: 'key', message: `is ${value.key} in the row of ${key}` }] };
  }
  return { value, problems };
}
