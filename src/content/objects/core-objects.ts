/** The eight core objects (docs/reference/gateway.md#definitions), their registry and scopes. */
import { nearMatch } from '../../config/near-match.js';
import type { Store } from '../../store/open/open.js';
import * as elements from '../models/elements.js';
import { siteContent } from '../models/resources.js';
import { tvs as templateVariables } from '../models/template-variables.js';
import {
  defineObject,
  fieldsOf,
  type ObjectDefinition,
  type Registry,
  type RelationDefinition,
  rightOf,
} from './definition.js';

/** The columns of a site are `int`, signed or not by its age. */
const signed = { range: [-2_147_483_648, 2_147_483_647] } as const;
const reference = { range: [0, 2_147_483_647] } as const;
const long = { maxBytes: 65_535 } as const;
const veryLong = { maxBytes: 16_777_215 } as const;

export const translationFields = ['context', 'language', 'id', 'uri', 'url'] as const;

const parentFields = ['id', 'pagetitle', 'alias', 'uri', 'parent'];
const { alias_visible: _unnamed, ...ofResources } = siteContent.columns;

const byId = { type: 'to_one', localKey: 'id', order: [] } as const;

function toResources(
  name: string,
  fields: readonly string[],
  more: Partial<RelationDefinition> = {},
): RelationDefinition {
  return { ...byId, name, target: 'resources', foreignKey: 'parent', fields, ...more };
}

export const resources = defineObject({
  name: 'resources',
  table: siteContent.table,
  fields: fieldsOf(ofResources, {
    description: long,
    alias: { nullIsEmpty: true },
    parent: reference,
    introtext: long,
    content: veryLong,
    template: reference,
    menuindex: signed,
    deletedby: reference,
    publishedby: reference,
    content_dispo: { range: [0, 1] },
    content_type: { range: [1, 2_147_483_647] },
    uri: long,
    properties: { type: 'json' },
  }),
  filterable: [
    'id',
    'parent',
    'published',
    'deleted',
    'context_key',
    'template',
    'alias',
    'class_key',
    'hidemenu',
    'isfolder',
    'menuindex',
  ],
  sortable: ['id', 'menuindex', 'pagetitle', 'createdon', 'editedon', 'publishedon'],
  extended: {
    filterable: ['pagetitle', 'uri', 'createdon', 'editedon', 'publishedon', 'pub_date', 'unpub_date'],
    sortable: ['alias', 'class_key', 'parent', 'pub_date', 'template', 'unpub_date', 'uri'],
  },
  searchable: ['pagetitle', 'longtitle', 'description', 'introtext', 'alias', 'uri'],
  required: ['pagetitle'],
  protected: ['createdby', 'editedby', 'deletedby', 'publishedby'],
  immutable: ['id', 'createdon', 'createdby', 'editedon', 'editedby', 'deletedon'],
  hidden: ['properties'],
  relations: [
    toResources('parent', parentFields),
    toResources('children', [...parentFields, 'menuindex', 'hidemenu', 'published'], {
      ...{ type: 'to_many', order: ['menuindex'] },
    }),
    toResources('ancestors', [...parentFields, 'menutitle', 'hidemenu'], { isChain: true }),
    toResources('translations', translationFields, { type: 'to_many', foreignKey: 'id', isTranslation: true }),
  ],
  readable: true,
  creatable: true,
  updatable: true,
  deletable: true,
  templateVariables: true,
  visibility: { resourceGroups: true },
});

const inCategory = {
  relations: [toCategory('category')],
  visibility: { category: 'category' },
};

function toCategory(foreignKey: 'category' | 'parent'): RelationDefinition {
  const fields = ['id', 'parent', 'category', 'rank'];
  return { ...byId, name: foreignKey, target: 'categories', foreignKey, fields };
}

export const contexts = defineObject({
  name: 'contexts',
  table: elements.contexts.table,
  primaryKey: 'key',
  fields: fieldsOf(elements.contexts.columns),
  filterable: ['key'],
  sortable: ['key', 'name', 'rank'],
  searchable: ['key', 'name', 'description'],
  visibility: { contextGated: true },
});

const { properties: _properties, static: _static, ...ofChunks } = elements.chunks.columns;

export const chunks = defineObject({
  name: 'chunks',
  table: elements.chunks.table,
  fields: fieldsOf(ofChunks),
  filterable: ['name', 'category'],
  sortable: ['id', 'name'],
  searchable: ['name', 'description', 'snippet'],
  ...inCategory,
});

export const templates = defineObject({
  name: 'templates',
  table: elements.templates.table,
  fields: fieldsOf(elements.templates.columns),
  filterable: ['templatename', 'category', 'locked'],
  sortable: ['id', 'templatename', 'category'],
  searchable: ['templatename', 'description'],
  ...inCategory,
});

export const snippets = defineObject({
  name: 'snippets',
  table: elements.snippets.table,
  fields: fieldsOf(elements.snippets.columns),
  filterable: ['name', 'category', 'locked'],
  sortable: ['id', 'name', 'category'],
  searchable: ['name', 'description'],
  ...inCategory,
});

const { input_properties: _hidden, ...ofTvs } = templateVariables.columns;

export const tvs = defineObject({
  name: 'tvs',
  table: templateVariables.table,
  fields: {
    ...fieldsOf(ofTvs),
    source: { type: 'json', column: 'id', nullable: true, isMediaSource: true },
  },
  filterable: ['name', 'type', 'category', 'locked'],
  sortable: ['id', 'name', 'rank', 'category'],
  searchable: ['name', 'caption', 'description'],
  ...inCategory,
});

export const categories = defineObject({
  name: 'categories',
  table: elements.categories.table,
  fields: fieldsOf(elements.categories.columns),
  filterable: ['parent', 'category'],
  sortable: ['id', 'category', 'rank', 'parent'],
  searchable: ['category'],
  relations: [toCategory('parent')],
  visibility: { category: 'id' },
});

export const contentTypes = defineObject({
  name: 'content_types',
  table: elements.contentTypes.table,
  fields: fieldsOf(elements.contentTypes.columns),
  filterable: ['name', 'mime_type', 'binary'],
  sortable: ['id', 'name'],
  searchable: ['name', 'description', 'mime_type', 'file_extensions'],
});

/** Known to commands only; their properties may hold passwords, so that no list has them. */
export const mediaSources = defineObject({
  name: 'media_sources',
  table: elements.mediaSources.table,
  fields: {
    ...fieldsOf({ id: elements.mediaSources.columns.id, name: elements.mediaSources.columns.name }),
    description: { type: 'string', nullable: true, ...long },
    class_key: { type: 'string', nullable: false, maxLength: 100 },
    is_stream: { type: 'boolean', nullable: false },
  },
  filterable: ['name', 'class_key'],
  sortable: ['id', 'name'],
  searchable: ['name', 'description'],
});

/** In the order in which /schema lists them. */
export const coreObjects: readonly ObjectDefinition[] = [
  resources,
  contexts,
  chunks,
  templates,
  snippets,
  tvs,
  categories,
  contentTypes,
];

export function isCoreObject(object: string): boolean {
  return coreObjects.some(({ name }) => name === object);
}

export interface AddedRelation {
  readonly object: string;
  readonly relation: RelationDefinition;
}

export function buildRegistry(extra: readonly ObjectDefinition[] = [], added: readonly AddedRelation[] = []): Registry {
  const core = coreObjects.map((object) => withRelations(object, added));
  const objects = new Map([...core, ...extra].map((definition) => [definition.name, definition]));
  return Object.freeze({
    objects,
    resources: core[0] ?? resources,
    elements: core.slice(1),
  });
}

function withRelations(object: ObjectDefinition, added: readonly AddedRelation[]): ObjectDefinition {
  const own = added.filter((one) => one.object === object.name).map(({ relation }) => relation);
  return own.length === 0 ? object : Object.freeze({ ...object, relations: [...object.relations, ...own] });
}

/** Users have permissions of other names for these. */
export const specialScopes: readonly string[] = ['resources.static', 'resources.bindings'];

const mediaScopes = ['media.read', 'media.create', 'media.delete'];

/** Order: objects as registered, media, preview, contexts, protected fields, `*`. */
export function knownScopes(registry: Registry, contextKeys: readonly string[]): readonly string[] {
  const objects = [...registry.objects.values()];
  const fields = new Set(objects.flatMap((definition) => definition.protected));
  return Object.freeze([
    ...objects.flatMap(objectScopes),
    ...specialScopes,
    ...mediaScopes,
    'preview',
    ...contextKeys.map((key) => `context.${key}`),
    ...[...fields].map((field) => `fields.${field}`),
    '*',
  ]);
}

export async function siteScopes(store: Store, registry: Registry): Promise<readonly string[]> {
  return knownScopes(registry, await elements.readContextKeys(store.content.primary, store.prefix));
}

/** Core objects have the scopes that their flags allow; extra objects have all four. */
function objectScopes(definition: ObjectDefinition): readonly string[] {
  const usable = Object.entries(rightOf).filter(([, flag]) => !isCoreObject(definition.name) || definition[flag]);
  return usable.map(([action]) => `${definition.name}.${action}`);
}

/** An unknown scope may be a typing error, so it is refused (docs/reference/gateway.md#scopes). */
export async function siteScopesProblem(
  scopes: readonly string[],
  { store, registry }: { readonly store: Store; readonly registry: Registry },
): Promise<string | null> {
  if (scopesProblem(scopes, knownScopes(registry, [])) === null) return null;
  return scopesProblem(scopes, await siteScopes(store, registry));
}

function scopesProblem(scopes: readonly string[], known: readonly string[]): string | null {
  const accepted = `Accepted scopes: ${known.join(', ')}`;
  if (scopes.length === 0) return `A key needs at least one scope. ${accepted}`;
  const unknown = [...new Set(scopes)].filter((scope) => !known.includes(scope));
  if (unknown.length === 0) return null;
  const hints = unknown.map((scope) => {
    const near = nearMatch(scope, known);
    return `There is no scope ${scope}${near === undefined ? '.' : `; did you mean ${near}?`}`;
  });
  return `${hints.join(' ')} ${accepted}`;
}
