/** Addresses and settings as the contexts of a site have them. */
import type { FieldDefinition } from '../objects/definition.js';
import type { ValueForm } from '../query/ast.js';
import type { RowPlan } from '../query/plan.js';
import { hasAnyKey } from '../query/predicate.js';
import { mediaSourceUrls } from '../rules/media-source.js';
import { type SitePlace, siteAddressOf } from '../rules/site-address.js';
import { type FilterPlace, filterText } from '../rules/tag-filters.js';
import { knownTimeZone } from '../rules/tv-values.js';
import { type ContentReader, type LoadedRow, selectRows } from './select-rows.js';

export interface TextPlace {
  text: string;
  readonly kind: 'text' | 'html' | 'json' | 'file';
  /** Where the first tag may begin; -1 for none. */
  readonly firstTag: number;
  readonly context: string;
  readonly tv: number | null;
  readonly resource: number;
  readonly name: string;
}

export interface LinkTarget {
  readonly id: number;
  /** As written into an attribute; empty for none. */
  readonly uri: string;
  readonly context: string;
}

type FilePlace = Pick<TextPlace, 'text' | 'tv' | 'context'>;

type LinkParameters = ReadonlyMap<string, string>;

interface ContextView extends SitePlace {
  /** False: addresses have the form `index.php?id=`. */
  readonly isFriendly: boolean;
  readonly start: string | null;
  readonly dates: FilterPlace;
}

export class SiteView {
  readonly #reader: ContentReader;
  readonly #urls: ValueForm['urls'];
  readonly #files = new Map<string, (path: string) => string>();
  readonly #contexts = new Map<string, ContextView>();

  constructor(reader: ContentReader, { urls }: Pick<ValueForm, 'urls'>) {
    this.#reader = reader;
    this.#urls = urls;
  }

  /** Null for a setting that is not shown. In links `link_tag_scheme` only decides on their form. */
  shown(context: string, name: string, isInLink: boolean): string | null {
    if (isInLink && name === 'link_tag_scheme') return this.#setting(context, name) ?? '';
    return this.#reader.site.linkSettings().includes(name) ? this.#setting(context, name) : null;
  }

  link(target: LinkTarget, place: Pick<TextPlace, 'context' | 'kind'>, parameters: LinkParameters): string {
    const view = this.#view(target.context);
    const path = pathOf(target, view);
    if (path === '') return '';
    const { context } = place;
    const asked = parameters.get('scheme') ?? this.#setting(context, 'link_tag_scheme');
    const scheme = target.context === context ? schemeOf(asked, view) : 'full';
    const isWhole = this.#urls === 'absolute' || scheme !== '';
    // Two slashes begin with a host.
    const address = isWhole && !path.startsWith('//') ? view.origin + path : path;
    const secured = /^https?$/.test(scheme) ? address.replace(/^https?(?=:)/i, scheme) : address;
    return this.withQuery(secured, place, parameters);
  }

  showsWeblinkTarget(context: string, parameters: LinkParameters): boolean {
    const flag = parameters.get('use_weblink_target') ?? this.#setting(context, 'use_weblink_target') ?? '';
    return flag !== '' && flag !== '0';
  }

  withQuery(address: string, { kind }: Pick<TextPlace, 'kind'>, parameters: LinkParameters): string {
    const query = queryOf(parameters);
    const whole = query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`;
    return kind === 'html' ? whole.replace(/&(?!amp;)/g, '&amp;') : whole;
  }

  address(path: string, context: string, urls: 'absolute' | 'site'): string {
    return siteAddressOf(path, this.#view(context), urls);
  }

  file(place: FilePlace, urls: 'absolute' | 'site'): string {
    return siteAddressOf(this.storedFile(place), this.#view(place.context), urls);
  }

  /** With the address of its media source, as templates get it. */
  storedFile({ text, tv, context }: FilePlace): string {
    const name = `${tv} ${context}`;
    const known = this.#files.get(name) ?? this.#fileUrls(tv, context);
    this.#files.set(name, known);
    return known(text);
  }

  dates(context: string): FilterPlace {
    return this.#view(context).dates;
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
      dates: {
        timeZone: knownTimeZone(this.#setting(context, 'date_timezone') ?? ''),
        locale: localeOf(this.#setting(context, 'locale') ?? ''),
      },
    };
    this.#contexts.set(context, view);
    return view;
  }
}

/** `de_DE.utf8` is `de-DE`. */
function localeOf(setting: string): string {
  const [, language, country] = /^([a-z]{2,3})(?:[_-]([A-Z]{2}))?(?:[.@]|$)/.exec(setting) ?? [];
  return country === undefined ? (language ?? 'en-US') : `${language}-${country}`;
}

/** Whole addresses of resources, or from the root where no setting has the host. */
export function pageAddresses(reader: ContentReader): (target: LinkTarget) => string {
  const site = new SiteView(reader, { urls: 'absolute' });
  return (target) => site.link(target, { context: target.context, kind: 'text' }, new Map());
}

function pathOf({ id, uri }: LinkTarget, { root, isFriendly, start }: ContextView): string {
  if (!isFriendly) return `${root}index.php?id=${id}`;
  if (start === String(id)) return root;
  return uri === '' ? '' : root + uri;
}

/** Empty for a path; 1 and 0 mean "with" and "without TLS", where the site has it otherwise. */
function schemeOf(scheme: string | null, { origin }: ContextView): string {
  if (scheme === 'full' || scheme === 'http' || scheme === 'https') return scheme;
  const isSecure = /^https:/i.test(origin);
  if (scheme === '1' && !isSecure) return 'https';
  return scheme === '0' && isSecure ? 'http' : '';
}

const notOfQuery: ReadonlySet<string> = new Set(['scheme', 'context', 'use_weblink_target']);

/** As the CMS writes it: the signs between parameters stay also inside values. */
function queryOf(parameters: LinkParameters): string {
  const pairs = [...parameters].filter(([name]) => !notOfQuery.has(name)).map((pair) => pair.join('='));
  // Texts in JSON may hold half a surrogate pair, which no address has.
  const encoded = encodeURIComponent(pairs.join('&').replace(/\p{Surrogate}/gu, '\ufffd'));
  return encoded.replaceAll('%26', '&').replaceAll('%3D', '=').replaceAll("'", '%27');
}

const wholeTime = [{ name: 'date', value: '%Y-%m-%d %H:%M:%S' }];

/** As the CMS writes it: flags are 1 or empty, a time that is not set is 0. */
export function fieldText({ type, storage }: FieldDefinition, raw: unknown, dates: FilterPlace): string {
  if (raw === null) return '';
  if (type === 'boolean') return Number(raw) === 0 ? '' : '1';
  const text = String(raw);
  return type === 'datetime' && storage === 'unix' && text !== '0' ? (filterText(text, wholeTime, dates) ?? '') : text;
}

/** Without what would end an attribute or the address. */
export function encoded(address: string): string {
  return address.replace(/[\s"'<>`]/g, (sign) => (sign === "'" ? '%27' : encodeURIComponent(sign)));
}

const linkClass = /(?:^|\\)mod(?:Web|Sym)Link$/;

/** Contents of the resources that lead elsewhere, weblinks and symlinks; with the tag of a link for an id. */
export async function readLinkTexts(
  reader: ContentReader,
  { definition }: RowPlan,
  rows: readonly LoadedRow[],
): Promise<ReadonlyMap<LoadedRow, string>> {
  const linking = rows.filter((row) => linkClass.test(String(row.raw('class_key') ?? '')));
  if (linking.length === 0) return new Map();
  const idOf = (row: LoadedRow) => Number(row.raw(definition.primaryKey));
  const where = hasAnyKey(definition, linking.map(idOf));
  const found = await selectRows(reader, definition, { needed: [definition.primaryKey, 'content'], where });
  const texts = new Map(found.map((row) => [idOf(row), String(row.raw('content') ?? '').trim()]));
  return new Map(
    linking.map((row) => {
      const text = texts.get(idOf(row)) ?? '';
      return [row, /^\d{1,10}$/.test(text) ? `[[~${text}]]` : text];
    }),
  );
}
