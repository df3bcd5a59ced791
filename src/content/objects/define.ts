/** Short forms for writing definitions, and the self-check that every definition passes before it is registered. */
import { AppError } from '../../errors/app-error.js';
import type { FieldDefinition, ObjectDefinition, RelationDefinition, VisibilityRules } from './definition.js';

type Column = Partial<Pick<FieldDefinition, 'column' | 'maxLength' | 'maxBytes' | 'range' | 'nullIsEmpty' | 'media'>>;
/** A field before its column is known: the column is the field's own name unless given. */
export type FieldDraft = Omit<FieldDefinition, 'column'> & { readonly column?: string };

export const integer = (extra: Column = {}): FieldDraft => ({ type: 'integer', nullable: false, ...extra });
export const flag = (extra: Column = {}): FieldDraft => ({ type: 'boolean', nullable: false, ...extra });
export const time = (extra: Column = {}): FieldDraft => ({
  type: 'datetime',
  storage: 'unix',
  nullable: true,
  ...extra,
});
export const text = (maxLength?: number, extra: Column = {}): FieldDraft => ({
  type: 'string',
  nullable: false,
  ...(maxLength === undefined ? {} : { maxLength }),
  ...extra,
});
export const optionalText = (maxLength?: number, extra: Column = {}): FieldDraft => ({
  ...text(maxLength, extra),
  nullable: true,
});

export interface DefinitionDraft
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
 * Throws configuration_invalid that lists every name which is no field.
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
