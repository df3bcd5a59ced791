/**
 * Gives the written-down pages their ids, places and URIs. Ids count up in the order of the tree, so the same site
 * comes out every time; URIs come from the content rules and from nothing else.
 */
import { cleanAlias } from '../content/alias.js';
import { readUriSettings, type UriContentType, type UriResource } from '../content/uri.js';
import { uriOf } from '../content/uri-tree.js';
import { contentTypes } from './data/content-types.js';
import { furlSettings } from './data/settings.js';
import type { PageLinks, PageSpec } from './page.js';

export interface PlacedPage {
  readonly id: number;
  readonly parent: number;
  readonly contextKey: string;
  readonly menuIndex: number;
  readonly alias: string;
  readonly isContainer: boolean;
  readonly uri: string;
  readonly spec: PageSpec;
}

export interface SiteTree {
  /** In the order of their ids; parents come before children. */
  readonly pages: readonly PlacedPage[];
  readonly links: PageLinks;
}

const types: ReadonlyMap<number, UriContentType> = new Map(
  contentTypes.map((type) => [type.id, { mimeType: type.mimeType, fileExtensions: type.extension }]),
);

const uriSettings = readUriSettings(furlSettings).settings;

/** Places the pages of all contexts. */
export function placePages(contexts: readonly { key: string; pages: readonly PageSpec[] }[]): SiteTree {
  const placed = withoutUris(contexts);
  const resources = new Map(placed.map((page) => [page.id, asUriResource(page)]));
  const tree = { resources, contentTypes: types, settingsOf: () => uriSettings };
  const pages = placed.map((page): PlacedPage => ({ ...page, uri: uriOf(tree, asUriResource(page)) ?? '' }));
  return { pages, links: makeLinks(pages) };
}

type Unplaced = Omit<PlacedPage, 'uri'>;

function withoutUris(contexts: readonly { key: string; pages: readonly PageSpec[] }[]): Unplaced[] {
  const placed: Unplaced[] = [];
  const place = (siblings: readonly PageSpec[], parent: number, contextKey: string): void => {
    siblings.forEach((spec, menuIndex) => {
      const id = placed.length + 1;
      const isContainer = spec.container === true || (spec.children ?? []).length > 0;
      const alias = spec.alias ?? cleanAlias(spec.title, uriSettings.alias);
      placed.push({ id, parent, contextKey, menuIndex, alias, isContainer, spec });
      place(spec.children ?? [], id, contextKey);
    });
  };
  for (const context of contexts) place(context.pages, 0, context.key);
  return placed;
}

function asUriResource(page: Unplaced): UriResource {
  const { spec } = page;
  return {
    id: page.id,
    pagetitle: spec.title,
    alias: page.alias,
    aliasVisible: spec.aliasHidden !== true,
    parent: page.parent,
    contextKey: page.contextKey,
    contentType: spec.contentType ?? 1,
    isFolder: page.isContainer,
    uri: spec.frozenUri ?? null,
    uriOverride: spec.frozenUri !== undefined,
  };
}

function makeLinks(pages: readonly PlacedPage[]): PageLinks {
  const byKey = new Map<string, PlacedPage>();
  for (const page of pages) {
    if (byKey.has(page.spec.key)) throw new RangeError(`two sample pages have the key ${page.spec.key}`);
    byKey.set(page.spec.key, page);
  }
  const get = (key: string): PlacedPage => {
    const page = byKey.get(key);
    if (page === undefined) throw new RangeError(`no sample page has the key ${key}`);
    return page;
  };
  return { uri: (key) => get(key).uri, id: (key) => get(key).id, title: (key) => get(key).spec.title };
}
