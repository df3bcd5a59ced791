/** Definitions of exposed objects: fields, their uses and relations. */
import type { Column } from '../../store/models/columns.js';

export const rightOf = { read: 'readable', create: 'creatable', update: 'updatable', delete: 'deletable' } as const;

export const flags = Object.values(rightOf);

export type FieldType = 'integer' | 'string' | 'number' | 'boolean' | 'datetime' | 'json';

export interface FieldDefinition {
  readonly type: FieldType;
  readonly column: string;
  readonly nullable: boolean;
  /** Characters; absent = no limit below the body limit. */
  readonly maxLength?: number;
  readonly maxBytes?: number;
  /** Absent = every integer that JSON carries exactly. */
  readonly range?: readonly [smallest: number, largest: number];
  readonly nullIsEmpty?: boolean;
  /** Unix seconds with 0 = unset, or the database's own type in UTC. */
  readonly storage?: 'unix' | 'datetime';
  /** Resolved through media sources (docs/reference/gateway.md#media-paths). */
  readonly media?: boolean;
  /** Derived: the media source of the template variable in this column. */
  readonly isMediaSource?: boolean;
}

export interface RelationDefinition {
  readonly name: string;
  readonly target: string;
  readonly type: 'to_one' | 'to_many';
  /** On this object for to_one, on the target for to_many. */
  readonly foreignKey: string;
  readonly localKey: string;
  /** A client cannot choose others. */
  readonly fields: readonly string[];
  readonly order: readonly string[];
  /** Follows a to_one reference to the same object up to the root; an answer lists from the root down. */
  readonly isChain?: boolean;
  /** Members are those of translations, and not all of them fields of the target. */
  readonly isTranslation?: boolean;
}

export function isList({ type, isChain = false }: RelationDefinition): boolean {
  return type === 'to_many' || isChain;
}

/** Field names; absent = the rule does not apply. */
interface VisibilityRules {
  readonly published?: string;
  readonly deleted?: string;
  readonly context?: string;
  /** By the CMS's resource groups (docs/reference/storage.md#access-rules). */
  readonly resourceGroups: boolean;
  /** Only rows whose primary key is a context that the caller may access. */
  readonly contextGated: boolean;
  readonly category?: string;
}

const shownLists = ['filterable', 'sortable', 'searchable', 'required', 'protected', 'immutable'] as const;
export const fieldLists = [...shownLists, 'hidden'] as const;
export type FieldList = (typeof fieldLists)[number];

type Extended<Name> = Partial<Readonly<Record<'filterable' | 'sortable', readonly Name[]>>>;

export interface ObjectDefinition
  extends Readonly<Record<FieldList, readonly string[]>>,
    Readonly<Record<(typeof flags)[number], boolean>> {
  readonly name: string;
  /** Fields in these lists only while gateway_extended_columns is on. */
  readonly extended: Extended<string>;
  /** Without the content prefix when `prefixed`. */
  readonly table: string;
  readonly prefixed: boolean;
  readonly primaryKey: string;
  readonly fields: Readonly<Record<string, FieldDefinition>>;
  readonly relations: readonly RelationDefinition[];
  /** Null = all allowed contexts. */
  readonly contexts: readonly string[] | null;
  readonly visibility: VisibilityRules;
  readonly templateVariables: boolean;
}

export interface Registry {
  readonly objects: ReadonlyMap<string, ObjectDefinition>;
  readonly resources: ObjectDefinition;
  readonly elements: readonly ObjectDefinition[];
}

/** For `GET /schema`, with exactly these keys (docs/reference/gateway.md#definitions). */
export function describeDefinition(definition: ObjectDefinition): Readonly<Record<string, unknown>> {
  return {
    fields: Object.keys(definition.fields),
    ...Object.fromEntries([...shownLists, ...flags].map((name) => [name, definition[name]])),
    relations: definition.relations.map((relation) => ({
      name: relation.name,
      target: relation.target,
      type: isList(relation) ? 'to_many' : 'to_one',
    })),
  };
}

export const treeFields: readonly string[] = [
  'id',
  'pagetitle',
  'menutitle',
  'alias',
  'uri',
  'parent',
  'menuindex',
  'template',
];
const longestInTree = 65_535;

export function fitsTree({ maxBytes = 0 }: Pick<FieldDefinition, 'maxBytes'>): boolean {
  return maxBytes <= longestInTree;
}

export type FieldDraft = Omit<FieldDefinition, 'column'> & { readonly column?: string };

/** Fields of a core object are the columns of its model; `more` adds what a column does not define. */
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

type Fields = Readonly<Record<string, FieldDraft>>;

interface DefinitionDraft<F extends Fields>
  extends Partial<
      Omit<
        ObjectDefinition,
        FieldList | 'name' | 'table' | 'fields' | 'visibility' | 'primaryKey' | 'contexts' | 'extended'
      >
    >,
    Partial<Readonly<Record<FieldList, readonly NoInfer<keyof F & string>[]>>> {
  readonly name: string;
  readonly table: string;
  readonly primaryKey?: NoInfer<keyof F & string>;
  readonly fields: F;
  readonly contexts?: readonly string[] | null;
  readonly extended?: Extended<NoInfer<keyof F & string>>;
  readonly visibility?: Partial<VisibilityRules>;
}

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
    extended: draft.extended ?? {},
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
