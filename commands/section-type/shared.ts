/** What the commands for section types of pages share. */
import { textValue } from '../../src/config/value-type.js';
import type { SectionTypeView } from '../../src/pages/authoring/section-types.js';
import { isHiddenType } from '../../src/pages/rules/section-type.js';
import { isoTime, type JsonRecord } from '../command.js';
import { required } from '../parameters.js';

const keyAccepts = 'the key of a section type such as hero';

export const keyParameter = required(textValue({ accepts: keyAccepts, pattern: /^_?[a-z][a-z0-9_-]{0,99}$/ }), {
  placeholder: 'KEY',
  description: 'Key of the section type',
});

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
