/** Definitions completed from drafts, and the self-check that each passes before it is registered. */
import { AppError } from '../../errors/app-error.js';
import type { Column } from '../../store/models/columns.js';
import type { FieldDefinition, ObjectDefinition, RelationDefinition, VisibilityRules } from './definition.js';

/** A field before its column is known: the column is the field's own name unless given. */
export type FieldDraft = Omit<FieldDefinition, 'column'> & { readonly column?: string };

/** The fields of a core object: the columns of its model, named alike, and what a column does not say. */
export function fieldsOf<C extends Readonly<Record<string, Column>>>(
  columns: C,
  more: { readonly [K in keyof C]?: Partial<FieldDraft> } = {},
): Record<string, FieldDraft> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, { ...fieldOf(column), ...more[name] }]),
  );
}

function fieldOf({ attribute, decode }: Column): FieldDraft {
  const type = String(attribute.type);
  const nullable = decode(null) === null;
  if (/^(BOOL|TINYINT)/.test(type)) return { type: 'boolean', nullable };
  // A number whose 0 reads as null is a time.
  if (type === 'INTEGER') {
    return decode(0) === null ? { type: 'datetime', storage: 'unix', nullable } : { type: 'integer', nullable };
  }
  const length = /^VARCHAR\((\d+)\)/.exec(type)?.[1];
  return { type: 'string', nullable, ...(length === undefined ? {} : { maxLength: Number(length) }) };
}

interface DefinitionDraft
  extends Partial<
    Omit<ObjectDefinition, 'name' | 'table' | 'fields' | 'visibility' | 'relations' | 'primaryKey' | 'contexts'>
  > {
  readonly name: string;
  readonly table: string;
  readonly primaryKey?: string;
  readonly fields: Readonly<Record<string, FieldDraft>>;
  readonly relations?: readonly RelationDefinition[];
  readonly contexts?: readonly string[] | null;
  readonly visibility?: Partial<VisibilityRules>;
}

/**
 * Completes a draft with the defaults (every flag off, nothing filterable) and checks it against itself.
 * Throws configuration_invalid with every name that is not a field.
 */
export function defineObject(draft: DefinitionDraft): ObjectDefinition {
  const fields = Object.fromEntries(
    Object.entries(draft.fields).map(([name, field]) => [
      name,
      Object.freeze({ ...field, column: field.column ?? name }),
    ]),
  );
  const primaryKey = draft.primaryKey ?? 'id';
  const definition: ObjectDefinition = {
    prefixed: true,
    filterable: [],
    sortable: [],
    searchable: [],
    required: [],
    protected: [],
    immutable: [],
    hidden: [],
    readable: true,
    creatable: false,
    updatable: false,
    deletable: false,
    templateVariables: false,
    ...draft,
    primaryKey,
    fields,
    relations: draft.relations ?? [],
    contexts: draft.contexts ?? null,
    visibility: {
      ...(fields['published'] ? { published: 'published' } : {}),
      ...(fields['deleted'] ? { deleted: 'deleted' } : {}),
      ...(fields['context_key'] ? { context: 'context_key' } : {}),
      resourceGroups: false,
      contextGated: false,
      ...draft.visibility,
    },
  };
  const problems = checkDefinition(definition);
  if (problems.length > 0) {
    throw new AppError('configuration_invalid', {
      message: `Object ${definition.name}: ${problems.join('; ')}`,
      details: { fields: { [definition.name]: problems } },
    });
  }
  return Object.freeze(definition);
}

/** Lists whatever in the definition names no field of it; empty when it is sound. */
function checkDefinition(definition: ObjectDefinition): string[] {
  const problems: string[] = [];
  const known = new Set(Object.keys(definition.fields));
  if (!known.has(definition.primaryKey)) problems.push(`primaryKey ${definition.primaryKey} is not a field`);
  const lists = ['filterable', 'sortable', 'searchable', 'required', 'protected', 'immutable', 'hidden'] as const;
  for (const list of lists) {
    for (const name of definition[list]) {
      if (!known.has(name)) problems.push(`${list} names ${name}, which is not a field`);
    }
  }
  for (const name of definition.searchable) {
    if (known.has(name) && definition.fields[name]?.type !== 'string') {
      problems.push(`searchable names ${name}, which is not a string field`);
    }
  }
  for (const name of [...definition.filterable, ...definition.sortable]) {
    if (definition.fields[name]?.type === 'json')
      problems.push(`${name} is a json field and cannot be filtered or sorted`);
    if (definition.hidden.includes(name)) problems.push(`${name} is hidden and cannot be filtered or sorted`);
  }
  return problems;
}
