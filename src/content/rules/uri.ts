/** How a URI follows from alias, ancestors, content type and settings (docs/reference/storage.md#uris). */
import { groupBy } from '../../values/batches.js';
import { trimEndOf, trimStartOf } from '../../values/text.js';
import { type AliasOptions, cleanAlias, isEmptyAlias, readAliasOptions } from './alias.js';
import { type ContentSettings, flagSetting, textSetting } from './settings.js';

export interface UriResource {
  readonly id: number;
  readonly pagetitle: string;
  readonly alias: string | null;
  /** False: left out of the URIs of descendants. */
  readonly alias_visible: boolean;
  readonly parent: number;
  readonly context_key: string;
  readonly content_type: number;
  readonly isfolder: boolean;
  readonly uri: string | null;
  readonly uri_override: boolean;
}

export interface UriContentType {
  readonly mime_type: string | null;
  /** Comma list; the first entry is appended to URIs. */
  readonly file_extensions: string | null;
}

export interface UriSettings {
  readonly friendlyUrls: boolean;
  readonly useAliasPath: boolean;
  readonly automaticAlias: boolean;
  readonly containerSuffix: string;
  readonly useFrozenParentUris: boolean;
  readonly alias: AliasOptions;
}

export function readUriSettings(settings: ContentSettings): {
  readonly settings: UriSettings;
  readonly problems: readonly string[];
} {
  const alias = readAliasOptions(settings);
  return {
    settings: Object.freeze({
      friendlyUrls: flagSetting(settings, 'friendly_urls', false),
      useAliasPath: flagSetting(settings, 'use_alias_path', false),
      automaticAlias: flagSetting(settings, 'automatic_alias', true),
      containerSuffix: textSetting(settings, 'container_suffix', '/'),
      useFrozenParentUris: flagSetting(settings, 'use_frozen_parent_uris', false),
      alias: alias.options,
    }),
    problems: alias.problems,
  };
}

interface UriInput {
  readonly resource: UriResource;
  /** From the parent upwards; ends at a missing parent. Not needed without `use_alias_path`. */
  readonly ancestors: readonly UriResource[];
  readonly contentType: UriContentType | undefined;
  readonly settings: UriSettings;
}

/** Without friendly URLs, and when frozen, the URI stays. */
export function computeUri(input: UriInput): string | null {
  const { resource, settings } = input;
  if (!settings.friendlyUrls) return resource.uri;
  if (resource.uri_override && resource.uri) return resource.uri;
  const own = ownSegment(resource, settings) + ending(input);
  if (!settings.useAliasPath) return own;
  return [...parentSegments(input), own].join('/');
}

/** The cleaned alias, else the cleaned page title if aliases are automatic, else the id. */
function ownSegment({ id, alias, pagetitle }: UriResource, settings: UriSettings): string {
  const segment = isEmptyAlias(alias) ? '' : cleanAlias(alias, settings.alias);
  return segment || (settings.automaticAlias ? cleanAlias(pagetitle, settings.alias) : '') || String(id);
}

function ending({ resource, contentType, settings }: UriInput): string {
  if (contentType === undefined) return '';
  const isHtml = (contentType.mime_type ?? '').includes('html');
  if (resource.isfolder && isHtml && settings.containerSuffix !== '') return settings.containerSuffix;
  return contentType.file_extensions?.split(',')[0]?.trim() ?? '';
}

function parentSegments({ ancestors, settings }: UriInput): string[] {
  const segments: string[] = [];
  for (const ancestor of ancestors) {
    if (settings.useFrozenParentUris && ancestor.uri_override && ancestor.uri) {
      segments.unshift(trimEndOf(ancestor.uri, '/'));
      break;
    }
    // The alias of an ancestor counts as it is stored: the CMS cleans only the segment of the page itself.
    if (ancestor.alias_visible) segments.unshift(isEmptyAlias(ancestor.alias) ? String(ancestor.id) : ancestor.alias);
  }
  return segments;
}

/** Bytes. */
export const longestPath = 2048;

/** Why no request reaches a page by this URI, as clients and proxies write addresses. */
export function uriProblem(uri: string): string | null {
  if (Buffer.byteLength(uri) > longestPath) return `is longer than ${longestPath} bytes`;
  if (/[?#]/.test(uri)) return 'has ? or #, which end the path of an address';
  if (/^[a-z][a-z0-9+.-]*:/i.test(uri)) return 'begins with a scheme';
  const segments = uri.replace(/\/$/, '').split('/');
  return segments.some((one) => /^\.{0,2}$/.test(one)) ? 'has an empty segment, "." or ".."' : null;
}

/** A change of one of them makes a save compute the URI again. */
export const uriFields = [
  ...(['alias', 'alias_visible', 'parent', 'context_key', 'uri'] as const),
  ...(['uri_override', 'content_type', 'isfolder'] as const),
] as const;

export function changesUri(before: UriResource, after: UriResource): boolean {
  return !after.uri || (!after.uri_override && uriFields.some((name) => before[name] !== after[name]));
}

export interface PageCandidates {
  readonly uris: readonly string[];
  /** Before every URI, after them, or not meant. A page without a URI has no path. */
  readonly startPage: 'first' | 'last' | 'no';
}

/** `path` is percent-decoded. A trailing slash prefers the container; `index` may mean the start page. */
export function pageCandidates(path: string): PageCandidates {
  const asked = trimStartOf(path, '/');
  const isBare = trimEndOf(asked, '/') === '';
  return { uris: uriCandidates(asked), startPage: isBare ? 'first' : asked === 'index' ? 'last' : 'no' };
}

function uriCandidates(asked: string): readonly string[] {
  const bare = trimEndOf(asked, '/');
  if (bare === '' || asked === 'index') return ['index.html', 'index'];
  if (asked !== bare) return [`${bare}/`, bare, `${bare}.html`];
  if (bare.endsWith('.html') && bare !== '.html') return [bare, bare.slice(0, -'.html'.length)];
  return [bare, `${bare}.html`, `${bare}/`];
}

export interface UriTree {
  readonly resources: ReadonlyMap<number, UriResource>;
  readonly contentTypes: ReadonlyMap<number, UriContentType>;
  readonly settingsOf: (context: string) => UriSettings;
}

interface UriChange {
  readonly id: number;
  readonly uri: string | null;
}

export function uriOf(tree: UriTree, resource: UriResource): string | null {
  return computeUri({
    resource,
    ancestors: ancestorsOf(tree.resources, resource),
    contentType: tree.contentTypes.get(resource.content_type),
    settings: tree.settingsOf(resource.context_key),
  });
}

/** From the parent upwards. A missing parent, or one met before, ends the walk. */
export function ancestorsOf(resources: ReadonlyMap<number, UriResource>, resource: UriResource): UriResource[] {
  const found: UriResource[] = [];
  const met = new Set([resource.id]);
  for (let at = resources.get(resource.parent); at !== undefined && !met.has(at.id); at = resources.get(at.parent)) {
    met.add(at.id);
    found.push(at);
  }
  return found;
}

/** Level by level, after the tree holds the changed resource. Frozen URIs stay; their descendants are refreshed. */
export function refreshDescendantUris(tree: UriTree, rootId: number): UriChange[] {
  const childrenOf = groupBy(tree.resources.values(), ({ parent }) => parent);
  // With use_frozen_parent_uris a computed ancestor's own URI is never read, so the old ones may stay in the tree.
  const changes: UriChange[] = [];
  const met = new Set([rootId]);
  for (let level = [rootId]; level.length > 0; ) {
    const next: number[] = [];
    for (const child of level.flatMap((id) => childrenOf.get(id) ?? [])) {
      if (met.has(child.id)) continue;
      met.add(child.id);
      next.push(child.id);
      const uri = child.uri_override ? child.uri : uriOf(tree, child);
      if (uri !== child.uri) changes.push({ id: child.id, uri });
    }
    level = next;
  }
  return changes;
}

export interface UriHolder {
  readonly id: number;
  readonly uri: string | null;
  readonly context_key: string;
  readonly deleted: boolean;
}

/** Compared exactly, because the store's collation may compare more loosely. */
export function findUriClash(question: {
  readonly resource: UriHolder;
  readonly others: Iterable<UriHolder>;
  readonly allContexts: boolean;
}): UriHolder | undefined {
  const { resource, others, allContexts } = question;
  if (!resource.uri) return undefined;
  for (const other of others) {
    if (other.id === resource.id || other.deleted || other.uri !== resource.uri) continue;
    if (allContexts || other.context_key === resource.context_key) return other;
  }
  return undefined;
}

export function decideAlias(asked: string, pagetitle: string, settings: UriSettings) {
  const given = cleanAlias(asked.trim(), settings.alias);
  if (!isEmptyAlias(given)) return { alias: given, isAutomatic: false, problem: null };
  const made = settings.automaticAlias ? cleanAlias(pagetitle, settings.alias) : '';
  if (!isEmptyAlias(made)) return { alias: made, isAutomatic: true, problem: null };
  return { alias: '', isAutomatic: false, problem: settings.friendlyUrls ? problemOf(given || made, settings) : null };
}

function problemOf(left: string, { automaticAlias }: UriSettings): string {
  if (left === '0') return 'must not be "0", which counts as empty';
  const why = automaticAlias ? 'neither it nor the page title has characters that an alias may have' : 'it is required';
  return `must have characters that an alias may have: ${why}`;
}
