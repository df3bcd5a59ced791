/** Addresses on a site, from the root of its host or with the host. */
import { trimOf } from '../../values/trim-of.js';

export interface SitePlace {
  readonly origin: string;
  /** Ends with a slash. */
  readonly root: string;
}

export function sitePlace(settingOf: (key: string) => string | null): SitePlace {
  const [, origin = '', path = ''] =
    /^(https?:\/\/[^\s/?#@"<>]+)(\/[^\s?#"<>]*)?$/i.exec(settingOf('site_url')?.trim() ?? '') ?? [];
  const base = settingOf('base_url')?.trim() ?? '';
  const root = origin !== '' ? path : /^\/[^\s?#"<>]*$/.test(base) ? base : '';
  return { origin, root: `/${trimOf(root, '/')}/`.replace('//', '/') };
}

const complete = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?|\[\[)/i;

export function siteAddressOf(path: string, { origin, root }: SitePlace, form: 'absolute' | 'site'): string {
  if (path === '' || complete.test(path)) return path;
  const host = form === 'absolute' ? origin : '';
  if (path.startsWith('/')) return host + path;
  return host + root + (path.startsWith('./') ? path.replace(/^(?:\.\/)+/, '') : path);
}
