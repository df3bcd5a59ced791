/** Addresses on a site: of files, of links in content and of resources, from the root of its host or with the host. */
import { trimOf } from '../../values/trim-of.js';

export interface SitePlace {
  /** Scheme and host; empty where they are not known. */
  readonly origin: string;
  /** The path under which the site is, with a slash at its end. */
  readonly root: string;
}

/** Reads the settings `site_url` and `base_url`. */
export function sitePlace(settingOf: (key: string) => string | null): SitePlace {
  const [, origin = '', path = ''] =
    /^(https?:\/\/[^\s/?#@"<>]+)(\/[^\s?#"<>]*)?$/i.exec(settingOf('site_url')?.trim() ?? '') ?? [];
  const base = settingOf('base_url')?.trim() ?? '';
  const root = origin !== '' ? path : /^\/[^\s?#"<>]*$/.test(base) ? base : '';
  return { origin, root: `/${trimOf(root, '/')}/`.replace('//', '/') };
}

/** Addresses of other schemes and hosts, places within a page, and tags. */
const complete = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?|\[\[)/i;

/** A path of the site as an address; one that is complete stays. */
export function siteAddressOf(path: string, { origin, root }: SitePlace, form: 'absolute' | 'site'): string {
  if (path === '' || complete.test(path)) return path;
  const host = form === 'absolute' ? origin : '';
  if (path.startsWith('/')) return host + path;
  return host + root + (path.startsWith('./') ? path.replace(/^(?:\.\/)+/, '') : path);
}
