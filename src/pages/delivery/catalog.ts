/** The catalogue of section types as readers see it: what a section holds, not how it is shown. */
import type { FieldDefinition, SectionType } from '../rules/section-type.js';
import { isHiddenType } from '../rules/section-type.js';

/** The types of a context, or of all, without those that catalogues hide. */
export function catalogTypes(types: Iterable<SectionType>, context: string | null): readonly SectionType[] {
  return [...types].filter((type) => {
    const { contexts } = type.availability;
    return !isHiddenType(type) && (context === null || contexts.length === 0 || contexts.includes(context));
  });
}

/** The object of the envelope. */
export function catalogObject(types: readonly SectionType[]): Readonly<Record<string, unknown>> {
  return { items: types.map(itemOf), total: types.length };
}

function itemOf({ key, version, label, category, categories, fields, thumbnail }: SectionType): unknown {
  return { key, version, label, category, categories, fields: fields.map(fieldOf), thumbnail };
}

function fieldOf(field: FieldDefinition): unknown {
  const { name, type, label, required, active, responsive, description, options, showWhen, fields, form } = field;
  return {
    // What only forms need comes first, so that it can never stand in the place of a member below.
    ...form,
    name,
    type,
    label,
    required,
    active,
    responsive,
    description,
    ...(field.default === undefined ? {} : { default: field.default }),
    options,
    ...(showWhen === undefined ? {} : { showWhen: { field: showWhen.field, value: showWhen.values } }),
    fields: fields.map(fieldOf),
  };
}
