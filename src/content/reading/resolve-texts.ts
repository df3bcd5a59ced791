/** Resolves links, settings and relative addresses in texts, with one look-up of all links. */
import { batchesOf } from '../../values/batches.js';
import type { ValueForm } from '../query/ast.js';
import type { RowPlan } from '../query/plan.js';
import { all, fieldRef, type Predicate } from '../query/predicate.js';
import {
  findLinks,
  firstTag,
  hasSettingTags,
  type LinkParameters,
  type LinkTag,
  replaceLinks,
  resolveSettingTags,
  stripTags,
} from '../rules/element-tags.js';
import { mapAddresses } from '../rules/html-addresses.js';
import { type JsonText, replaceTexts, textsWith } from '../rules/json-texts.js';
import { mediaSourceUrls } from '../rules/media-source.js';
import { type SitePlace, siteAddressOf } from '../rules/site-address.js';
import { type ContentReader, type RowSet, selectRows } from './select-rows.js';

export interface TextPlace {
  text: string;
  readonly kind: 'text' | 'html' | 'json' | 'file';
  /** Where the first tag may begin; -1 for none. */
  readonly firstTag: number;
  readonly context: string;
  readonly tv: number | null;
}

interface Resolved {
  /** Ids of links without an address, sorted. */
  readonly unresolved: readonly number[];
  readonly dependsOn: readonly RowSet[];
}

const idsTogether = 5000;

export async function resolveTexts(
  reader: ContentReader,
  { plan, form, places }: { readonly plan: RowPlan; readonly form: ValueForm; readonly places: readonly TextPlace[] },
): Promise<Resolved> {
  const site = new SiteView(reader, form);
  const { urls } = form;
  const inJson = places
    .filter(({ kind }) => kind === 'json')
    .map((place) => ({ place, texts: textsIn(place, urls === null ? 'tags' : 'tagsOrHtml') }));
  const texts = [...places.filter(({ kind }) => kind !== 'json'), ...inJson.flatMap((one) => one.texts)];
  const tagged = texts.filter((text) => text.firstTag !== -1);
  const resolved = form.resolvesLinks ? await resolveLinks(reader, { plan, site, tagged }) : nothingResolved;
  if (form.stripsTags) for (const text of tagged) text.text = stripTags(text.text);
  if (urls !== null) {
    for (const text of texts) {
      const { kind, context } = text;
      if (text.text === '' || kind === 'text') continue;
      if (kind === 'file') text.text = site.file(text, urls);
      else text.text = mapAddresses(text.text, (address) => site.address(address, context, urls));
    }
  }
  for (const one of inJson) one.place.text = replaceTexts(one.place.text, one.texts);
  return resolved;
}

const nothingResolved: Resolved = { unresolved: [], dependsOn: [] };

function textsIn(
  { text: json, context, tv }: TextPlace,
  what: Parameters<typeof textsWith>[0],
): readonly (TextPlace & JsonText)[] {
  return textsWith(what, json).map((found) => {
    const text = found.written;
    return { ...found, text, kind: 'json', firstTag: firstTag(text), context, tv };
  });
}

async function resolveLinks(
  reader: ContentReader,
  { plan, site, tagged }: { readonly plan: RowPlan; readonly site: SiteView; readonly tagged: readonly TextPlace[] },
): Promise<Resolved> {
  const linked: { readonly place: TextPlace; readonly links: readonly LinkTag[] }[] = [];
  const named = new Set<number>();
  for (const place of tagged) {
    if (hasSettingTags(place.text, place.firstTag)) {
      place.text = resolveSettingTags(place.text, (name) => site.shown(place.context, name));
    }
    const links = findLinks(place.text, place.firstTag);
    for (const { id } of links) named.add(id);
    if (links.length > 0) linked.push({ place, links });
  }
  const ids = [...named];
  const targets = await readTargets(reader, plan, ids);
  for (const { place, links } of linked) {
    place.text = replaceLinks(place.text, links, (id, parameters) => site.link(targets.get(id), place, parameters));
  }
  return {
    unresolved: ids.filter((id) => !targets.get(id)).sort((one, other) => one - other),
    dependsOn: ids.length === 0 ? [] : [{ definition: plan.definition, where: hasOneOf(plan, ids) }],
  };
}

interface LinkTarget {
  readonly id: number;
  /** As written into an attribute; empty for none. */
  readonly uri: string;
  readonly context: string;
}

async function readTargets(
  reader: ContentReader,
  plan: RowPlan,
  ids: readonly number[],
): Promise<ReadonlyMap<number, LinkTarget>> {
  const { definition, linkTargets } = plan;
  const found = new Map<number, LinkTarget>();
  if (linkTargets === null) return found;
  for (const some of batchesOf(ids, idsTogether)) {
    const where = all([hasOneOf(plan, some), linkTargets]);
    const rows = await selectRows(reader, definition, { needed: ['id', 'uri', 'context_key'], where });
    for (const row of rows) {
      const id = Number(row.raw('id'));
      // Encodes what would end an attribute or the address.
      const uri = String(row.raw('uri') ?? '').replace(/[\s"'<>`]/g, encode);
      found.set(id, { id, uri, context: String(row.raw('context_key')) });
    }
  }
  return found;
}

function hasOneOf({ definition }: RowPlan, values: readonly number[]): Predicate {
  return { kind: 'in', ref: fieldRef(definition, definition.primaryKey), values, negated: false };
}

interface ContextView extends SitePlace {
  /** False: addresses have the form `index.php?id=`. */
  readonly isFriendly: boolean;
  readonly start: string | null;
}

class SiteView {
  readonly #reader: ContentReader;
  readonly #form: ValueForm;
  readonly #files = new Map<string, (path: string) => string>();
  readonly #contexts = new Map<string, ContextView>();

  constructor(reader: ContentReader, form: ValueForm) {
    this.#reader = reader;
    this.#form = form;
  }

  shown(context: string, name: string): string | null {
    if (!this.#reader.site.linkSettings().includes(name)) return null;
    const value = this.#setting(context, name);
    // The CMS works out the path if no setting has it.
    return value ?? (name === 'base_url' ? this.#view(context).root : null);
  }

  link(target: LinkTarget | null | undefined, { context, kind }: TextPlace, parameters: LinkParameters): string {
    if (!target) return '';
    const view = this.#view(target.context);
    const path = pathOf(target, view);
    const isElsewhere = target.context !== context && view.origin !== this.#view(context).origin;
    const scheme = parameters.size === 0 ? '' : (parameters.get('scheme') ?? '');
    const isWhole =
      isElsewhere || this.#form.urls === 'absolute' || (scheme !== '' && /^(?:full|https?)$/.test(scheme));
    // Two slashes begin with a host.
    const address = isWhole && !path.startsWith('//') ? view.origin + path : path;
    if (parameters.size === 0) return address;
    const secured = /^https?$/.test(scheme) ? address.replace(/^https?(?=:)/i, scheme) : address;
    return (
      secured +
      queryOf(parameters, { first: secured.includes('?') ? '&' : '?', between: kind === 'html' ? '&amp;' : '&' })
    );
  }

  address(path: string, context: string, urls: 'absolute' | 'site'): string {
    return siteAddressOf(path, this.#view(context), urls);
  }

  file({ text, tv, context }: TextPlace, urls: 'absolute' | 'site'): string {
    const name = `${tv} ${context}`;
    const known = this.#files.get(name) ?? this.#fileUrls(tv, context);
    this.#files.set(name, known);
    return siteAddressOf(known(text), this.#view(context), urls);
  }

  #fileUrls(tv: number | null, context: string): (path: string) => string {
    const source = tv === null ? undefined : this.#reader.site.mediaSourceOf(tv, context);
    if (source === undefined) return (path) => path;
    return mediaSourceUrls({ source, settingOf: (key) => this.#setting(context, key) ?? undefined });
  }

  fileTypes(context: string): readonly string[] {
    const types = this.#setting(context, 'manipulatable_url_tv_output_types') ?? 'image,file';
    return types.split(',').map((type) => type.trim());
  }

  #setting(context: string, key: string): string | null {
    return this.#reader.site.setting(context, key);
  }

  #view(context: string): ContextView {
    const known = this.#contexts.get(context);
    if (known !== undefined) return known;
    const friendly = this.#setting(context, 'friendly_urls') ?? '1';
    const view = {
      ...this.#reader.site.place(context),
      isFriendly: friendly !== '' && friendly !== '0',
      start: this.#setting(context, 'site_start'),
    };
    this.#contexts.set(context, view);
    return view;
  }
}

function pathOf({ id, uri }: LinkTarget, { root, isFriendly, start }: ContextView): string {
  if (!isFriendly || uri === '') return `${root}index.php?id=${id}`;
  return start === String(id) ? root : root + uri;
}

const notOfQuery: ReadonlySet<string> = new Set(['scheme', 'context', 'use_weblink_target']);

function queryOf(
  parameters: LinkParameters,
  { first, between }: { readonly first: string; readonly between: string },
): string {
  const pairs = [...parameters].filter(([name]) => !notOfQuery.has(name));
  if (pairs.length === 0) return '';
  return first + pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join(between);
}

/** Also the quote that may end an attribute. Texts in JSON may hold half a surrogate pair, which no address has. */
function encode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replaceAll("'", '%27');
}

/** The addresses of files, as `urls=` has them. */
export function fileAddresses(reader: ContentReader, form: ValueForm): (place: TextPlace) => string {
  const site = new SiteView(reader, form);
  return (place) => (form.urls === null ? site.file(place, 'site') : place.text);
}

export function fileTypesOf(reader: ContentReader, form: ValueForm, context: string): readonly string[] {
  return new SiteView(reader, form).fileTypes(context);
}
