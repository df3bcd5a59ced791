/**
 * Addresses of files in media sources (docs/reference/storage.md#media-sources) and in fields of registered objects
 * (docs/reference/gateway.md#media-paths).
 */
import { trimEndOf, trimStartOf } from '../../values/trim-of.js';
import { type PhpValue, parsePhpArray } from './php-value.js';

export interface MediaSource {
  /** Only the last part counts; older versions write it without namespace. */
  readonly classKey: string;
  /** PHP-serialized overrides of the class's defaults: name -> {value, ...}. */
  readonly properties: string | null;
}

/** Many values of an answer ask for the same source. */
const parsed = new WeakMap<MediaSource, NonNullable<ReturnType<typeof parsePhpArray>>>();

/** Undefined when it is not set or the properties cannot be read. */
export function mediaSourceProperty(source: MediaSource, name: string): string | undefined {
  const known = parsed.get(source) ?? parsePhpArray(source.properties) ?? new Map<string, PhpValue>();
  parsed.set(source, known);
  const entry: PhpValue | undefined = known.get(name);
  const value = entry instanceof Map ? entry.get('value') : entry;
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

function isAbsoluteUrl(value: string): boolean {
  return /^(?:https?|ftp):\/\//i.test(value);
}

/**
 * As the CMS renders it: file sources put `baseUrl` in front without adding a slash, others `url` with exactly one
 * slash between. Empty and absolute values stay. `settingOf` resolves `[[++key]]`.
 */
export function mediaSourceUrl(question: {
  readonly value: string;
  readonly source: MediaSource;
  readonly settingOf: (key: string) => string | undefined;
}): string {
  return mediaSourceUrls(question)(question.value);
}

/** For many values of one source. */
export function mediaSourceUrls({
  source,
  settingOf,
}: Omit<Parameters<typeof mediaSourceUrl>[0], 'value'>): (value: string) => string {
  const isFileSource = /(?:^|[\\.])modFileMediaSource$/.test(source.classKey);
  const stored = mediaSourceProperty(source, isFileSource ? 'baseUrl' : 'url') ?? '';
  const prefix = resolveSettings(stored, settingOf);
  return (value) => {
    if (value === '' || isAbsoluteUrl(value)) return value;
    if (isFileSource || prefix === '') return prefix + value;
    return `${trimEndOf(prefix, '/')}/${trimStartOf(value, '/')}`;
  };
}

/** An unknown setting stays as written, so that the fault is visible in the address. */
function resolveSettings(text: string, settingOf: (key: string) => string | undefined): string {
  return text.replace(/\[\[!?\+\+([\w.-]+)\]\]/g, (tag: string, key: string) => settingOf(key) ?? tag);
}

/**
 * Empty and http(s) values stay; others become the address in the default media source, or without one the site's
 * address and the path. A result without host gets one.
 */
export function mediaFieldUrl(question: {
  readonly value: string;
  readonly source: MediaSource | undefined;
  readonly siteUrl: string;
  readonly settingOf: (key: string) => string | undefined;
}): string {
  const { value, source, siteUrl, settingOf } = question;
  if (value === '' || /^https?:\/\//i.test(value)) return value;
  const path = source === undefined ? value : mediaSourceUrl({ value, source, settingOf });
  if (isAbsoluteUrl(path) || path.startsWith('//')) return path;
  return `${trimEndOf(siteUrl, '/')}/${trimStartOf(path, '/')}`;
}
