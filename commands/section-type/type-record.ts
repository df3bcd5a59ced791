/** Section types as records: the definition's members and where the type comes from. */

import type { SectionTypeView } from '../../src/pages/authoring/section-type-view.js';
import { isHiddenType } from '../../src/pages/rules/section-type.js';
import { isJsonObject } from '../../src/values/json.js';
import { isoTime } from '../page/page-record.js';
import type { JsonRecord, JsonValue } from '../result.js';

export function typeRecord({ key, state, type, changedOn, changedBy }: SectionTypeView): JsonRecord {
  return {
    key,
    state,
    version: type?.version ?? null,
    label: type?.label ?? null,
    category: type?.category ?? null,
    categories: type?.categories ?? [],
    fields: type?.fields.map(({ name }) => name) ?? [],
    in_catalog: type !== null && state !== 'hidden' && !isHiddenType(type),
    changed_on: isoTime(changedOn),
    changed_by: changedBy,
  };
}

/** The definition as it was imported; null when it can no longer be read. */
export function definitionOf({ definition }: SectionTypeView): JsonValue {
  return isJsonObject(definition) ? (JSON.parse(JSON.stringify(definition)) as JsonValue) : null;
}
