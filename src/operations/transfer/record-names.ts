/** What files call records, instead of their ids, which differ between stores. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../values/json.js';
import { isCount, WrongValue } from './transfer-record.js';

/** The table, and what messages call it. Columns have the usual names unless they are given. */
const named = {
  contexts: { table: 'context', called: 'context', id: 'key', name: 'key' },
  content_types: { table: 'content_type', called: 'content type' },
  media_sources: { table: 'media_sources', called: 'media source' },
  templates: { table: 'site_templates', called: 'template', name: 'templatename' },
  tvs: { table: 'site_tmplvars', called: 'template variable' },
  chunks: { table: 'site_htmlsnippets', called: 'chunk' },
  snippets: { table: 'site_snippets', called: 'snippet' },
  categories: { table: 'categories', called: 'category', name: 'category' },
  resources: { table: 'site_content', called: 'resource' },
  roles: { table: 'user_group_roles', called: 'role' },
  policies: { table: 'access_policies', called: 'policy' },
  user_groups: { table: 'membergroup_names', called: 'user group' },
  resource_groups: { table: 'documentgroup_names', called: 'resource group' },
  users: { table: 'users', called: 'user', name: 'username' },
  positions: { table: 'hcd_ad_positions', called: 'position' },
  banners: { table: 'hcd_ads', called: 'banner' },
  banner_presets: { table: 'hcd_ad_presets', called: 'preset' },
} as const;

export type NamedKind = keyof typeof named;

export function tableOf(kind: NamedKind) {
  return { id: 'id', name: 'name', ...named[kind] };
}

export function isNamedKind(object: string): object is NamedKind {
  return Object.hasOwn(named, object);
}

/** What others call the record; null without a valid name. */
export function nameIn(kind: NamedKind, record: JsonObject): JsonValue {
  const { nth = 1 } = record;
  if (kind === 'categories') {
    const { category, parent = null } = record;
    const path = [...(isPath(parent) ? parent : []), category];
    return isPath(path) && (parent === null || isPath(parent)) ? path : null;
  }
  if (kind === 'resources') {
    const { context_key: context, uri } = record;
    const place = placeOf({ context, uri: uri ?? '', nth });
    return place && placeName(place);
  }
  const name = record[tableOf(kind).name];
  if (typeof name !== 'string' || !isCount(nth)) return null;
  return nth === 1 ? name : { name, nth };
}

export function idForm(kind: NamedKind) {
  return kind === 'contexts' ? String : Number;
}

export function isPath(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string');
}

export function readPlace(given: unknown): Place {
  const place = placeOf(given);
  if (place === null) throw new WrongValue('must be {"context": "web", "uri": "about.html"}');
  return place;
}

/** A text, or `{"name": "…", "nth": 2}` for the second of a name; of a category the list of names from the top. */
export function readName(kind: NamedKind, given: unknown): { readonly name: string; readonly nth: number } {
  if (kind === 'categories') {
    if (isPath(given)) return { name: JSON.stringify(given), nth: 1 };
    throw new WrongValue('must be the names of categories from the top, as a list');
  }
  if (typeof given === 'string') return { name: given, nth: 1 };
  const { name, nth, ...others } = isJsonObject(given) ? given : {};
  if (typeof name === 'string' && isCount(nth) && Object.keys(others).length === 0) return { name, nth };
  throw new WrongValue('must be a name');
}

export interface Place {
  readonly context: string;
  readonly uri: string;
  /** From 1: which of the resources with this context and URI. */
  readonly nth: number;
}

/** Of `{"context": "web", "uri": "about.html"}`; null for anything else. */
export function placeOf(value: unknown): Place | null {
  const { context, uri, nth = 1, ...others } = isJsonObject(value) ? value : {};
  const isPlace = typeof context === 'string' && typeof uri === 'string' && isCount(nth);
  return isPlace && Object.keys(others).length === 0 ? { context, uri, nth } : null;
}

export function placeName({ context, uri, nth }: Place): JsonValue {
  return nth > 1 ? { context, nth, uri } : { context, uri };
}
