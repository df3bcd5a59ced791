/** Definitions of exposed objects: fields, their uses, relations; and definitions made from drafts. */
import type { Column } from '../../store/models/columns.js';

export type FieldType = 'integer' | 'string' | 'number' | 'boolean' | 'datetime' | 'json';

export interface FieldDefinition {
  readonly type: FieldType;
  /** Column of the table. */
  readonly column: string;
  readonly nullable: boolean;
  /** Characters that the column holds; absent = no limit below the body limit. */
  readonly maxLength?: number;
  /** Bytes of UTF-8 that the column holds, where it limits bytes instead of characters. */
  readonly maxBytes?: number;
  /** Smallest and largest integer that the column holds; absent = every integer that JSON carries exactly. */
  readonly range?: readonly [smallest: number, largest: number];
  /** A written null becomes the empty text. */
  readonly nullIsEmpty?: boolean;
  /** How a datetime is stored: unix seconds with 0 = unset, or the database's own type in UTC. */
  readonly storage?: 'unix' | 'datetime';
  /** The value is a media path that is resolved through media sources (docs/reference/gateway.md#media-paths). */
  readonly media?: boolean;
  /** The media source of the template variable whose id the column holds; not a column of its own. */
  readonly isMediaSource?: boolean;
}

export interface RelationDefinition {
  readonly name: string;
  readonly target: string;
  readonly type: 'to_one' | 'to_many';
  /** Field that holds the reference: on this object for to_one, on the target for to_many. */
  readonly foreignKey: string;
  /** Field that is referenced: on the target for to_one, on this object for to_many. */
  readonly localKey: string;
  /** Fields of the target in the answer; a client cannot choose others. */
  readonly fields: readonly string[];
  /** Order of to_many rows before the primary key. */
  readonly order: readonly string[];
  /** Follows a to_one reference of an object to itself up to the root; an answer has the list from the root down. */
  readonly isChain?: boolean;
}

export function isList({ type, isChain = false }: RelationDefinition): boolean {
  return type === 'to_many' || isChain;
}

/** How rows of the object are hidden from callers; field names, absent = the rule does not apply. */
export interface VisibilityRules {
  readonly published?: string;
  readonly deleted?: string;
  readonly context?: string;
  /** Rows are protected by the CMS's resource groups (docs/reference/storage.md#access-rules). */
  readonly resourceGroups: boolean;
  /** Only rows whose primary key is an allowed and accessible context. */
  readonly contextGated: boolean;
  /** The field with the element category whose access rules protect the row. */
  readonly category?: string;
}

export const fieldLists = [
  'filterable',
  'sortable',
  'searchable',
  'required',
  'protected',
  'immutable',
  'hidden',
] as const;
export type FieldList = (typeof fieldLists)[number];

type Extended<Name> = Partial<Readonly<Record<'filterable' | 'sortable', readonly Name[]>>>;

export interface ObjectDefinition extends Readonly<Record<FieldList, readonly string[]>> {
  readonly name: string;
  /** Fields that are in these lists only while gateway_extended_columns is on. */
  readonly extended: Extended<string>;
  /** Table; without the content prefix when `prefixed`. */
  readonly table: string;
  readonly prefixed: boolean;
  readonly primaryKey: string;
  readonly fields: Readonly<Record<string, FieldDefinition>>;
  readonly relations: readonly RelationDefinition[];
  readonly readable: boolean;
  readonly creatable: boolean;
  readonly updatable: boolean;
  readonly deletable: boolean;
  /** Contexts in which the object exists; null = all allowed ones. */
  readonly contexts: readonly string[] | null;
  readonly visibility: VisibilityRules;
  readonly templateVariables: boolean;
}

export interface Registry {
  /** Definitions by object name, core objects first. */
  readonly objects: ReadonlyMap<string, ObjectDefinition>;
  get(name: string): ObjectDefinition | undefined;
  /** The core object resources, with the relations that plugins added. */
  readonly resources: ObjectDefinition;
  /** The other core objects, likewise. */
  readonly elements: readonly ObjectDefinition[];
}

/** The definition as the gateway offers it, by the value of gateway_extended_columns. */
export function offered(definition: ObjectDefinition, isExtended: boolean): ObjectDefinition {
  const { filterable = [], sortable = [] } = definition.extended;
  if (!isExtended || filterable.length + sortable.length === 0) return definition;
  return {
    ...definition,
    filterable: [...definition.filterable, ...filterable],
    sortable: [...definition.sortable, ...sortable],
  };
}

/** The registry for documents: every object as the gateway offers it. */
export function offeredObjects(registry: Registry, isExtended: boolean): Registry {
  const offer = (definition: ObjectDefinition): ObjectDefinition => offered(definition, isExtended);
  const objects = new Map([...registry.objects].map(([name, definition]) => [name, offer(definition)]));
  const get = (name: string) => objects.get(name);
  return { objects, get, resources: get('resources') ?? registry.resources, elements: registry.elements.map(offer) };
}

/** The definition as `GET /schema` shows it, with exactly these keys (docs/reference/gateway.md#definitions). */
export function describeDefinition(definition: ObjectDefinition): Readonly<Record<string, unknown>> {
  return {
    fields: Object.keys(definition.fields),
    filterable: definition.filterable,
    sortable: definition.sortable,
    searchable: definition.searchable,
    required: definition.required,
    protected: definition.protected,
    immutable: definition.immutable,
    readable: definition.readable,
    creatable: definition.creatable,
    updatable: definition.updatable,
    deletable: definition.deletable,
    relations: definition.relations.map((relation) => ({
      name: relation.name,
      target: relation.target,
      type: isList(relation) ? 'to_many' : 'to_one',
    })),
  };
}

/** The fields of a record in a tree that names none. */
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
/** Bytes of a field that a tree of many records can have. */
const longestInTree = 65_535;

export function fitsTree({ maxBytes = 0 }: Pick<FieldDefinition, 'maxBytes'>): boolean {
  return maxBytes <= longestInTree;
}

/** A field before its column is known: the column is the field's own name unless given. */
export type FieldDraft = Omit<FieldDefinition, 'column'> & { readonly column?: string };

/** The fields of a core object: the columns of its model, named alike, and what a column does not define. */
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

/** Lists name fields only. */
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
