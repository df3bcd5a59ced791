/** What the records of a folder are called: by their ids in the files, and by the store for ids that no file has. */
import { contentTypes } from '../../content/models/elements.js';
import { readSystemSettings } from '../../content/models/settings.js';
import { loadTransliteration } from '../../content/rules/alias.js';
import {
  readUriSettings,
  type UriContentType,
  type UriResource,
  type UriTree,
  uriOf,
} from '../../content/rules/uri.js';
import type { Store } from '../../store/open/open.js';
import type { FolderJoin } from './folder-classes.js';
import { textIn } from './folder-entry.js';
import type { FileValue, TextPlace } from './folder-file.js';
import { calledName, type NamedKind, Names, type Naming } from './names.js';
import type { Place } from './resource-places.js';

export interface JoinRow {
  readonly file: string;
  readonly values: Readonly<Record<string, FileValue>>;
  readonly places: Readonly<Record<string, TextPlace>>;
}

interface TvFacts {
  readonly type: string;
  readonly byDefault: string;
}

interface FolderCategory {
  readonly name: string;
  /** An id or a name. */
  readonly parent: FileValue;
}

export class FolderIndex implements Naming {
  readonly store: Names;
  readonly tvs = new Map<number, TvFacts>();
  readonly categories = new Map<number, FolderCategory>();
  readonly resources = new Map<number, UriResource>();
  /** By resource: the address of its parent, where a file has that instead of the id. */
  readonly namedParents = new Map<number, string>();
  readonly contentTypes = new Map<number, UriContentType>();
  readonly settings = new Map<string, string | null>();
  readonly joins = new Map<FolderJoin['join'], JoinRow[]>();
  /** The highest id of each object. */
  readonly highest = new Map<string, number>();
  /** What elements name. */
  readonly namedCategories = new Set<string>();
  readonly places = new Map<number, Place>();
  readonly #joined = new Map<string, ReadonlyMap<number | string, readonly JoinRow[]>>();
  readonly #site: Store;
  readonly #names = new Map<string, Map<number | string, string>>();
  readonly #ids = new Map<string, Map<string, number | string>>();
  readonly #paths = new Map<number, readonly string[]>();
  readonly #pathsByName = new Map<string, readonly string[]>();
  readonly #idsByPlace = new Map<string, number>();
  #lost: string[] = [];

  constructor(site: Store) {
    this.#site = site;
    this.store = new Names({ content: site.content.primary, own: site.own.primary }, site.prefix);
  }

  addName(kind: string, id: number | string, name: string): void {
    const names = this.#names.get(kind) ?? new Map<number | string, string>();
    const ids = this.#ids.get(kind) ?? new Map<string, number | string>();
    this.#names.set(kind, names);
    this.#ids.set(kind, ids);
    // Of two files with one id, references mean the first.
    if (!names.has(id)) names.set(id, name);
    if (!ids.has(name)) ids.set(name, id);
  }

  isTaken(kind: string, id: number): boolean {
    if (kind === 'categories') return this.categories.has(id);
    return kind === 'resources' ? this.resources.has(id) : this.#names.get(kind)?.has(id) === true;
  }

  /** By name, in the folder. */
  idOf(kind: string, name: string): number | string | undefined {
    return this.#ids.get(kind)?.get(name);
  }

  /** Call it when every file has been added. */
  async settle(): Promise<void> {
    for (const id of this.categories.keys()) {
      const path = this.#categoryPath(id);
      if (path === null) continue;
      this.#paths.set(id, path);
      const name = path.at(-1) ?? '';
      if (!this.#pathsByName.has(name)) this.#pathsByName.set(name, path);
    }
    await this.#matchNames('content_types');
    await this.#matchNames('media_sources');
    await this.#settleUris();
  }

  /** Every site has some of them, under its own spelling: the name without case counts, then the id. */
  async #matchNames(kind: 'content_types' | 'media_sources'): Promise<void> {
    const names = this.#names.get(kind) ?? new Map<number | string, string>();
    const claimed = new Set<string>();
    const changes = new Map<number | string, string>();
    for (const [id, name] of names) {
      const same = await this.store.findWithoutCase(kind, name);
      if (same === undefined) continue;
      claimed.add(same);
      changes.set(id, same);
    }
    for (const id of names.keys()) {
      const stored = changes.has(id) ? undefined : await this.store.nameOf(kind, id);
      if (typeof stored === 'string' && !claimed.has(stored)) changes.set(id, stored);
    }
    for (const [id, name] of changes) names.set(id, name);
  }

  /** Null for a circle. */
  #categoryPath(id: number): readonly string[] | null {
    const path: string[] = [];
    const met = new Set<number>();
    for (let at: number | undefined = id; at !== undefined; ) {
      const category = this.categories.get(at);
      if (category === undefined) break;
      if (met.has(at)) return null;
      met.add(at);
      path.unshift(category.name);
      at = this.#categoryId(category.parent);
    }
    return path;
  }

  #categoryId(given: FileValue): number | undefined {
    const id = idIn(given);
    if (id !== null) return id === 0 ? undefined : id;
    for (const [key, { name }] of this.categories) if (name === given) return key;
    return undefined;
  }

  isInCircle(category: number): boolean {
    return !this.#paths.has(category);
  }

  /** The path of a category that an element names; null when neither the folder nor the store has it. */
  async pathNamed(name: string): Promise<readonly string[] | null> {
    const path = this.#pathsByName.get(name);
    if (path !== undefined) return path;
    const { paths } = await this.store.categories();
    return [...paths.values()].find((one) => one.at(-1) === name) ?? null;
  }

  /** Addresses by the rules where the files have none (docs/reference/storage.md#uris). */
  async #settleUris(): Promise<void> {
    const without: number[] = [];
    for (const [id, { uri, context_key: context }] of this.resources) {
      if (uri === '') without.push(id);
      else this.#settlePlace(id, { context, uri: uri ?? '' });
    }
    if (without.length === 0) return;
    const tree = await this.#uriTree();
    // Parents before children, which may name them by the address that they get here.
    const left = new Set(without);
    while (left.size > 0) {
      const ready = [...left].filter((id) => this.#findParent(id) && !left.has(this.resources.get(id)?.parent ?? 0));
      const some = ready.length > 0 ? ready : [...left];
      for (const id of some) {
        this.#settleComputed(tree, id);
        left.delete(id);
      }
    }
  }

  /** False for a parent that is named by an address that no resource has yet. */
  #findParent(id: number): boolean {
    const [resource, name] = [this.resources.get(id), this.namedParents.get(id)];
    if (resource === undefined || name === undefined) return true;
    const parent = this.resourceAt(resource.context_key, name);
    if (parent !== undefined) this.resources.set(id, { ...resource, parent });
    return parent !== undefined;
  }

  #settleComputed(tree: UriTree, id: number): void {
    const resource = this.resources.get(id);
    if (resource !== undefined)
      this.#settlePlace(id, { context: resource.context_key, uri: uriOf(tree, resource) ?? '' });
  }

  #settlePlace(id: number, place: Omit<Place, 'nth'>): void {
    this.places.set(id, { ...place, nth: 1 });
    const key = `${place.context}\n${place.uri}`;
    if (!this.#idsByPlace.has(key)) this.#idsByPlace.set(key, id);
  }

  async #uriTree(): Promise<UriTree> {
    const { content, prefix } = this.#site;
    await loadTransliteration();
    const rows = await readSystemSettings(content.primary, prefix);
    const texts = new Map([...rows.map(({ key, value }) => [key, value] as const), ...this.settings]);
    const { settings } = readUriSettings(texts.set('friendly_urls', '1'));
    const types = await contentTypes.on(content.primary, prefix).lookUpAll({});
    const known = new Map([...types.map((type) => [type.id, type] as const), ...this.contentTypes]);
    return { resources: this.resources, contentTypes: known, settingsOf: () => settings };
  }

  resourceAt(context: string, uri: string): number | undefined {
    return this.#idsByPlace.get(`${context}\n${uri}`);
  }

  /** Whether the folder has the resource of an id or address. */
  holds(given: FileValue | undefined): boolean {
    const id = idIn(given);
    return id === null ? this.resourceAt('web', textIn(given)) !== undefined : this.resources.has(id);
  }

  /** Whether an id or name means a record of the folder or the store. */
  async has(kind: NamedKind | 'resources', given: FileValue | undefined): Promise<boolean> {
    const [id, name] = [idIn(given), textIn(given)];
    if (kind === 'resources')
      return this.holds(given) || (id !== null && (await this.store.resources.placeOf(id)) !== undefined);
    if (id !== null) return (await this.nameOf(kind, id)) !== undefined;
    return (this.idOf(kind, name) ?? (await this.store.find(kind, name))) !== undefined;
  }

  /** Rows of a join by their owner. */
  async joined(
    join: FolderJoin['join'],
    owner: string,
    ownerKind: 'templates' | 'tvs' | 'resources',
  ): Promise<ReadonlyMap<number | string, readonly JoinRow[]>> {
    const known = this.#joined.get(join);
    if (known) return known;
    const byOwner = new Map<number | string, JoinRow[]>();
    for (const row of this.joins.get(join) ?? []) {
      const given = row.values[owner];
      const id = await this.#ownerOf(ownerKind, given);
      const rows = byOwner.get(id) ?? [];
      byOwner.set(id, rows);
      rows.push(row);
    }
    this.#joined.set(join, byOwner);
    return byOwner;
  }

  /** An id that no file has is that of the store, whose record the folder has under its name. */
  async #ownerOf(kind: 'templates' | 'tvs' | 'resources', given: FileValue | undefined): Promise<number | string> {
    const id = idIn(given);
    const name = textIn(given);
    if (id === null) return (kind === 'resources' ? this.resourceAt('web', name) : this.idOf(kind, name)) ?? 0;
    if (kind === 'resources' || this.isTaken(kind, id)) return id;
    const stored = await this.store.nameOf(kind, id);
    return (typeof stored === 'string' ? this.idOf(kind, stored) : undefined) ?? id;
  }

  lose(why: string): void {
    this.#lost.push(why);
  }

  takeLost(): readonly string[] {
    const lost = this.#lost;
    if (lost.length > 0) this.#lost = [];
    return lost;
  }

  async nameOf(kind: NamedKind, id: number | string) {
    return this.#names.get(kind)?.get(id) ?? (await this.store.nameOf(kind, id));
  }

  async nameOrLose(kind: NamedKind, stored: unknown) {
    const id = kind === 'contexts' ? String(stored) : Number(stored);
    const name = await this.nameOf(kind, id);
    if (name === undefined) this.lose(`there is no ${calledName(kind)} ${id}`);
    return name;
  }

  async placeOrLose(id: number): Promise<Place | undefined> {
    return this.places.get(id) ?? this.#storePlace(id);
  }

  async #storePlace(id: number): Promise<Place | undefined> {
    const place = await this.store.resources.placeOf(id);
    if (place === undefined) this.lose(`there is no resource ${id}`);
    return place;
  }

  async pathOf(category: number): Promise<readonly string[] | undefined> {
    return this.#paths.get(category) ?? (await this.store.pathOf(category));
  }

  async typeOfTv(id: number | string): Promise<string> {
    return this.tvs.get(Number(id))?.type ?? (await this.store.typeOfTv(id));
  }
}

/** Null for a name; 0 for nothing. */
export function idIn(value: FileValue | undefined): number | null {
  if (value === undefined || value === null || value === '' || value === false) return 0;
  const number = typeof value === 'string' && /^ *\d{1,10} *$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
