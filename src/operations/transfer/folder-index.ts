/** What the records of a folder are called: by their ids in the files, and by the store for ids that no file has. */
import { contentTypes } from '../../content/models/elements.js';
import { readSystemSettings } from '../../content/models/settings.js';
import type { JsonValue } from '../../content/objects/values.js';
import { loadTransliteration } from '../../content/rules/alias.js';
import {
  readUriSettings,
  type UriContentType,
  type UriResource,
  type UriTree,
  uriOf,
} from '../../content/rules/uri.js';
import type { Store } from '../../store/open/open.js';
import { type FolderEntry, idIn, textIn } from './folder-entry.js';
import type { FileValue } from './folder-file.js';
import { Names, pathsOf } from './names.js';
import { isNamedKind, isPath, type NamedKind, placeName, placeOf, tableOf } from './record-names.js';

interface FolderNames {
  readonly names: Map<number | string, JsonValue>;
  /** By the text of the name; several files may have one. */
  readonly ids: Map<string, (number | string)[]>;
}

/** What the number among pages of one address follows, as `placeOrder` has it. */
interface FolderPage extends UriResource {
  readonly state: number;
  readonly menuindex: number;
}

export class FolderIndex extends Names {
  readonly tvs = new Map<number, { readonly type: string; readonly byDefault: string }>();
  readonly branches = new Map<number, { readonly name: string; readonly parent: FileValue }>();
  readonly pages = new Map<number, FolderPage>();
  /** By resource: the address of its parent, where a file has that instead of the id. */
  readonly namedParents = new Map<number, string>();
  readonly contentTypes = new Map<number, UriContentType>();
  readonly settings = new Map<string, string | null>();
  readonly highest = new Map<string, number>();
  readonly namedCategories = new Set<string>();
  readonly #site: Store;
  readonly #names = new Map<string, FolderNames>();

  constructor(site: Store) {
    super({ content: site.content.primary, own: site.own.primary }, site.prefix);
    this.#site = site;
  }

  addName(kind: string, id: number | string, name: JsonValue): void {
    const { names, ids } = this.#namesOf(kind);
    // Of two files with one id, references mean the first.
    if (!names.has(id)) names.set(id, name);
    const text = JSON.stringify(name);
    const same = ids.get(text);
    if (same) same.push(id);
    else ids.set(text, [id]);
  }

  #namesOf(kind: string): FolderNames {
    const known = this.#names.get(kind) ?? { names: new Map(), ids: new Map() };
    this.#names.set(kind, known);
    return known;
  }

  register({ object, id, values }: Pick<FolderEntry, 'object' | 'id' | 'values'>): void {
    const text = (name: string): string => textIn(values[name]);
    switch (object) {
      case 'settings':
        this.settings.set(text('key'), text('value'));
        break;
      case 'content_types':
        this.contentTypes.set(id, { mime_type: text('mime_type'), file_extensions: text('file_extensions') });
        break;
      case 'tvs':
        this.tvs.set(id, { type: text('type') || 'text', byDefault: text('default_text') });
        break;
      case 'categories':
        this.branches.set(id, { name: text('category'), parent: values['parent'] ?? 0 });
        return;
      case 'resources':
        this.#addResource(id, values);
        return;
    }
    if (!isNamedKind(object)) return;
    this.addName(object, object === 'contexts' ? text('key') : id, text(tableOf(object).name));
    if (typeof values['category'] === 'string' && text('category') !== '') this.namedCategories.add(text('category'));
  }

  #addResource(id: number, values: FolderEntry['values']): void {
    const text = (name: string): string => textIn(values[name]);
    const isOn = (name: string): boolean => values[name] === true || idIn(values[name]) === 1;
    const parent = idIn(values['parent']) ?? 0;
    if (parent === 0 && text('parent') !== '' && text('parent') !== '0') this.namedParents.set(id, text('parent'));
    this.pages.set(id, {
      ...{ id, parent, pagetitle: text('pagetitle'), alias: text('alias'), uri: text('uri') },
      ...{ context_key: text('context_key') || 'web', content_type: idIn(values['content_type']) || 1 },
      ...{ isfolder: isOn('isfolder'), uri_override: isOn('uri_override') },
      alias_visible: values['alias_visible'] === undefined || isOn('alias_visible'),
      state: (isOn('deleted') ? 2 : 0) + (isOn('published') ? 0 : 1),
      menuindex: idIn(values['menuindex']) ?? 0,
    });
  }

  ownId(kind: string, name: JsonValue): number | string | undefined {
    return this.#namesOf(kind).ids.get(JSON.stringify(name))?.[0];
  }

  /** Call it when every file has been added. */
  async settle(): Promise<void> {
    const branches = [...this.branches].map(([id, { name, parent }]) => {
      return [id, { name, parent: idIn(parent) ?? this.categoriesNamed(parent)[0] ?? 0 }] as const;
    });
    for (const [id, path] of pathsOf(new Map(branches))) this.addName('categories', id, path);
    await this.#matchNames('content_types');
    await this.#matchNames('media_sources');
    await this.#settleUris();
    for (const kind of this.#names.keys()) if (isNamedKind(kind) && kind !== 'categories') await this.#number(kind);
  }

  /** Of several with one name a file means the one with its id, else the next one in the order of the store. */
  async #number(kind: NamedKind): Promise<void> {
    const { names, ids } = this.#namesOf(kind);
    const stored = new Map((await this.shared(kind)).map(([name, all]) => [JSON.stringify(name), all]));
    for (const [text, files] of ids) {
      // Others are refused: without ids nothing tells them apart, and tables of other kinds have each name once.
      const hasSeveral = kind === 'resources' || kind === 'media_sources';
      const areSeveral = hasSeveral && files.length > 1 && files.every((id) => Number(id) > 0);
      if (!areSeveral && (files.length > 1 || !stored.has(text))) continue;
      const name = names.get(files[0] ?? 0) ?? null;
      const rows = stored.get(text) ?? [(await this.find(kind, name)) ?? null];
      const numbers = new Map(rows.map((id, at) => [id, at + 1]));
      const taken = new Set(files.map((id) => numbers.get(id)));
      let next = 1;
      for (const id of this.#inOrder(kind, files)) {
        const known = numbers.get(id);
        while (taken.has(next)) next += 1;
        if (known === undefined) taken.add(next);
        names.set(id, numbered(name, known ?? next));
      }
    }
  }

  #inOrder(kind: NamedKind, files: readonly (number | string)[]): readonly (number | string)[] {
    if (kind !== 'resources') return files;
    const page = (id: number | string) => this.pages.get(Number(id)) ?? { state: 0, menuindex: 0 };
    return files.toSorted((id, other) => {
      const [one, next] = [page(id), page(other)];
      return one.state - next.state || one.menuindex - next.menuindex;
    });
  }

  /** Every site has some of them, under its own spelling: the name without case counts, then the id. */
  async #matchNames(kind: 'content_types' | 'media_sources'): Promise<void> {
    const { names } = this.#namesOf(kind);
    const claimed = new Set<string>();
    const changes = new Map<number | string, string>();
    for (const [id, name] of names) {
      const same = await this.findWithoutCase(kind, String(name));
      if (same === undefined) continue;
      claimed.add(same);
      changes.set(id, same);
    }
    for (const id of names.keys()) {
      const stored = changes.has(id) ? undefined : await super.nameOf(kind, id);
      if (typeof stored === 'string' && !claimed.has(stored)) changes.set(id, stored);
    }
    for (const [id, name] of changes) names.set(id, name);
  }

  categoriesNamed(given: FileValue): readonly number[] {
    return [...this.branches].flatMap(([id, { name }]) => (name === given ? [id] : []));
  }

  isInCircle(category: number): boolean {
    return !this.#namesOf('categories').names.has(category);
  }

  /** Of categories that an element may mean; of the store when the folder has none. */
  override async pathsNamed(name: string) {
    const paths = [...this.#namesOf('categories').names.values()].filter(isPath);
    const own = paths.filter((path) => path.at(-1) === name);
    return own.length > 0 ? own : super.pathsNamed(name);
  }

  /** Addresses by the rules where the files have none (docs/reference/storage.md#uris). */
  async #settleUris(): Promise<void> {
    const without: number[] = [];
    const isStored = await this.#storedWithout();
    for (const [id, page] of this.pages) {
      if (page.uri === '' && !isStored(page)) without.push(id);
      else this.addName('resources', id, placeName({ context: page.context_key, uri: page.uri ?? '', nth: 1 }));
    }
    if (without.length === 0) return;
    const tree = await this.#uriTree();
    // Parents before children, which may name them by the address that they get here.
    const left = new Set(without);
    while (left.size > 0) {
      const ready = [...left].filter((id) => this.#findParent(id) && !left.has(this.pages.get(id)?.parent ?? 0));
      const some = ready.length > 0 ? ready : [...left];
      for (const id of some) {
        const page = this.pages.get(id);
        const context = page?.context_key ?? '';
        if (page) this.addName('resources', id, placeName({ context, uri: uriOf(tree, page) ?? '', nth: 1 }));
        left.delete(id);
      }
    }
  }

  /** Whether the page is one of the store, which has no address for it either. */
  async #storedWithout() {
    const found = new Set<string>();
    const textOf = (page: readonly unknown[]): string => page.map((one) => one ?? '').join('\n');
    if ([...this.pages.values()].some(({ uri }) => uri === '')) {
      const sql = `SELECT \`id\`, \`context_key\`, \`alias\` FROM \`${this.#site.prefix}site_content\` WHERE COALESCE(\`uri\`, '') = ''`;
      for (const row of await this.#site.content.primary.select({ sql, params: [] })) found.add(textOf(row));
    }
    return ({ id, context_key, alias }: FolderPage): boolean => found.has(textOf([id, context_key, alias]));
  }

  /** False for a parent that is named by an address that no resource has yet. */
  #findParent(id: number): boolean {
    const [resource, name] = [this.pages.get(id), this.namedParents.get(id)];
    if (resource === undefined || name === undefined) return true;
    const parent = this.#resourceAt(resource.context_key, name);
    if (parent !== undefined) this.pages.set(id, { ...resource, parent: Number(parent) });
    return parent !== undefined;
  }

  uriOf(id: number): string {
    return placeOf(this.#namesOf('resources').names.get(id))?.uri ?? '';
  }

  async #uriTree(): Promise<UriTree> {
    const { content, prefix } = this.#site;
    await loadTransliteration();
    const rows = await readSystemSettings(content.primary, prefix);
    const texts = new Map([...rows.map(({ key, value }) => [key, value] as const), ...this.settings]);
    const { settings } = readUriSettings(texts.set('friendly_urls', '1'));
    const types = await contentTypes.on(content.primary, prefix).lookUpAll({});
    const known = new Map([...types.map((type) => [type.id, type] as const), ...this.contentTypes]);
    return { resources: this.pages, contentTypes: known, settingsOf: () => settings };
  }

  /** Of the only file with the address, although the site may have several pages of it. */
  placeNamed(context: string, uri: string): JsonValue {
    const place = placeName({ context, uri, nth: 1 });
    const { names, ids } = this.#namesOf('resources');
    const [id, ...others] = ids.get(JSON.stringify(place)) ?? [];
    return (others.length === 0 && id !== undefined ? names.get(id) : undefined) ?? place;
  }

  #resourceAt(context: string, uri: string): number | string | undefined {
    return this.ownId('resources', placeName({ context, uri, nth: 1 }));
  }

  holds(given: FileValue | undefined): boolean {
    const id = idIn(given);
    return id === null ? this.#resourceAt('web', textIn(given)) !== undefined : this.pages.has(id);
  }

  async has(kind: NamedKind, given: FileValue | undefined): Promise<boolean> {
    const id = idIn(given);
    if (id === null) return kind === 'resources' ? this.holds(given) : this.#hasName(kind, textIn(given));
    return (await this.nameOf(kind, id)) !== undefined;
  }

  async #hasName(kind: NamedKind, name: string): Promise<boolean> {
    if (kind === 'categories') return (await this.pathsNamed(name)).length > 0;
    return (this.ownId(kind, name) ?? (await this.find(kind, name))) !== undefined;
  }

  /** A name of digits is in quotes, or has digits that are the id of nothing. Elements may name a category without a file. */
  async isName(kind: NamedKind, given: FileValue | undefined): Promise<boolean> {
    const id = idIn(given);
    if (id === null || id === 0 || kind === 'resources') return id === null;
    const isQuoted = typeof given === 'string';
    if (await this.#hasName(kind, textIn(given))) return isQuoted || !(await this.has(kind, id));
    return kind === 'categories' && isQuoted && !(await this.has(kind, id));
  }

  override async nameOf(kind: NamedKind, id: number | string) {
    return this.#namesOf(kind).names.get(id) ?? (await super.nameOf(kind, id));
  }

  override async rulesOfTv(id: number | string) {
    const type = this.tvs.get(Number(id))?.type;
    return type === undefined ? super.rulesOfTv(id) : { type, elements: null, inputProperties: null };
  }
}

function numbered(name: JsonValue, nth: number): JsonValue {
  const place = placeOf(name);
  if (place !== null) return placeName({ ...place, nth });
  return nth > 1 ? { name, nth } : name;
}
