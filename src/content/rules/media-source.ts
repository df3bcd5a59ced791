/** Addresses of files: docs/reference/storage.md#media-sources, docs/reference/gateway.md#media-paths. */

import { filesBase } from '../../files/media-path.js';
import { perObject } from '../../values/kept-values.js';
import { trimEndOf, trimStartOf } from '../../values/text.js';
import { type PhpValue, parsePhpArray } from './php-value.js';
import { hostOf, sitePlace } from './site-address.js';

export interface MediaSource {
  /** Only the last part counts; older versions write it without namespace. */
  readonly classKey: string;
  /** PHP-serialized overrides of the class's defaults: name -> {value, ...}. */
  readonly properties: string | null;
  /** Of a file source whose properties have none. */
  readonly usualBase?: string;
}

const propertiesOf = perObject(({ properties }: MediaSource) => propertyTexts(properties));

export function mediaSourceProperty(source: MediaSource, name: string): string | undefined {
  return propertiesOf(source).get(name);
}

export function propertyTexts(properties: string | null): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, entry] of parsePhpArray(properties) ?? []) {
    const value: PhpValue | undefined = entry instanceof Map ? entry.get('value') : entry;
    if (typeof value === 'string' || typeof value === 'number') found.set(String(name), String(value));
  }
  return found;
}

function isAbsoluteUrl(value: string): boolean {
  return /^(?:https?|ftp):\/\//i.test(value);
}

/** A folder of the server. */
export function isFileSource(className: string): boolean {
  return /(?:^|[\\.])modFileMediaSource$/.test(className);
}

/** File sources put `baseUrl` in front without a slash, others `url` with exactly one, as in the CMS. */
export function mediaSourceUrls({
  source,
  settingOf,
}: {
  readonly source: MediaSource;
  readonly settingOf: (key: string) => string | undefined;
}): (value: string) => string {
  const isFolder = isFileSource(source.classKey);
  const usual = isFolder ? source.usualBase : undefined;
  const stored = mediaSourceProperty(source, isFolder ? 'baseUrl' : 'url') ?? usual ?? '';
  const prefix = resolveSettings(stored, settingOf);
  return (value) => {
    if (value === '' || isAbsoluteUrl(value)) return value;
    // An address that was copied from an answer.
    if (usual !== undefined && value.startsWith(`${filesBase}/`)) return value;
    if (isFolder || prefix === '') return prefix + value;
    return `${trimEndOf(prefix, '/')}/${trimStartOf(value, '/')}`;
  };
}

/** An unknown setting stays as written, so that the fault is visible in the address. */
function resolveSettings(text: string, settingOf: (key: string) => string | undefined): string {
  return text.replace(/\[\[!?\+\+([\w.-]+)\]\]/g, (tag: string, key: string) => settingOf(key) ?? tag);
}

/** Without a source the path follows the site's address. A result without host gets one. */
export function mediaFieldUrl(question: {
  readonly value: string;
  readonly source: MediaSource | undefined;
  readonly siteUrl: string;
  /** Of the files that this server sends; empty = the site's. */
  readonly filesUrl: string;
  readonly settingOf: (key: string) => string | undefined;
}): string {
  const { value, source, siteUrl, filesUrl, settingOf } = question;
  if (value === '' || /^https?:\/\//i.test(value)) return value;
  const path = source === undefined ? value : mediaSourceUrls({ source, settingOf })(value);
  if (isAbsoluteUrl(path) || path.startsWith('//')) return path;
  const { root } = sitePlace(() => siteUrl);
  const host = hostOf(path.startsWith('/') ? path : root + path, siteUrl, filesUrl);
  return `${trimEndOf(host, '/')}/${trimStartOf(path, '/')}`;
}
