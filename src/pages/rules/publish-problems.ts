/** Finds missing required values in sections that would be shown. */

import { isJsonObject, memberOf } from '../../values/json.js';
import { type ValueKind, valueKindOf } from './field-types.js';
import type { PageDocument } from './page-document.js';
import { type PageProblem, PageProblems } from './page-problem.js';
import { countingFields, type FieldDefinition, type SectionTypes } from './section-type.js';

/** A section of an unknown type could not be rendered, so it is a problem. */
export function publishProblems(document: PageDocument, types: SectionTypes): readonly PageProblem[] {
  const problems = new PageProblems();
  for (const [index, section] of document.sections.entries()) {
    if (!section.enabled) continue;
    problems.within({ index, type: section.type, id: section.id }, () => {
      const type = types.get(section.type);
      if (type) checkLevel(section.data, { fields: type.fields, path: `sections[${index}].data`, problems });
      else problems.add(`sections[${index}].type`, `${section.type} is not a section type`);
    });
  }
  return problems.list();
}

function checkLevel(
  values: Readonly<Record<string, unknown>>,
  at: { readonly fields: readonly FieldDefinition[]; readonly path: string; readonly problems: PageProblems },
): void {
  const { fields, path, problems } = at;
  for (const field of countingFields(fields, values)) {
    const value = memberOf(values, field.name);
    const where = `${path}.${field.name}`;
    if (field.required && isEmptyValue(value, valueKindOf(field.type))) problems.add(where, 'is required to publish');
    if (valueKindOf(field.type) !== 'rows' || !Array.isArray(value)) continue;
    for (const [index, row] of value.entries()) {
      if (isJsonObject(row)) checkLevel(row, { fields: field.fields, path: `${where}[${index}]`, problems });
    }
  }
}

/** One of these members is enough for an object to count as filled in. */
const telling = ['url', 'label', 'lat', 'html', 'json', 'from', 'table_key', 'provider', 'desktop', 'tablet', 'mobile'];

/** Markup without text counts as empty only in rich text. */
function isEmptyValue(value: unknown, kind: ValueKind = 'html'): boolean {
  if (value === undefined || value === null) return true;
  const isRich = kind === 'html' || kind === 'editorjs';
  if (typeof value === 'string') return isRich ? isEmptyHtml(value) : value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  // Every number is a value, 0 included, and so is an unset flag.
  if (!isJsonObject(value)) return false;
  return telling.every((name) => {
    const member = memberOf(value, name);
    return member === undefined || member === null || (typeof member === 'string' && isEmptyValue(member, kind));
  });
}

function isEmptyHtml(text: string): boolean {
  if (/<(img|hr|table)\b/i.test(text)) return false;
  return (
    text
      // No second bracket: a text of brackets alone would take time with the square of its length.
      .replace(/<[^<>]*>/g, '')
      .replace(/&nbsp;|\u00a0/g, ' ')
      .trim() === ''
  );
}
