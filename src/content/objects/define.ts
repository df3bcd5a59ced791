/** Definitions, completed from drafts. */
import type { Column } from '../../store/models/columns.js';
import type { FieldDefinition, ObjectDefinition, VisibilityRules } from './definition.js';

/** A field before its column is known: the column is the field's own name unless given. */
export type FieldDraft = Omit<FieldDefinition, 'column'> & { readonly column?: string };

/** The fields of a core object: the columns of its model, named alike, and what a column does not say. */
export function fieldsOf<C extends Readonly<Record<string, Column>>>(
  columns: C,
  more: { readonly [K in keyof C]?: Partial<FieldDraft> } = {},
): { readonly [K in keyof C]: FieldDraft } {
  const fields = Object.entries(columns).map(([name, column]) => [name, { ...fieldOf(column), ...more[name] }]);
  return Object.fromEntries(fields);
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

type FieldList = 'filterable' | 'sortable' | 'searchable' | 'required' | 'protected' | 'immutable' | 'hidden';
type Fields = Readonly<Record<string, FieldDraft>>;

/** Lists name fields only. */
interface DefinitionDraft<F extends Fields>
  extends Partial<
      Omit<ObjectDefinition, FieldList | 'name' | 'table' | 'fields' | 'visibility' | 'primaryKey' | 'contexts'>
    >,
    Partial<Readonly<Record<FieldList, readonly NoInfer<keyof F & string>[]>>> {
  readonly name: string;
  readonly table: string;
  readonly primaryKey?: NoInfer<keyof F & string>;
  readonly fields: F;
  readonly contexts?: readonly string[] | null;
  readonly visibility?: Partial<VisibilityRules>;
}

/** Completes a draft with the defaults: every flag off, nothing filterable. */
export function defineObject<const F extends Fields>(draft: DefinitionDraft<F>): ObjectDefinition {
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
  return Object.freeze(definition);
}
