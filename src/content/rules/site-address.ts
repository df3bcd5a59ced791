/** Addresses on a site, from the root of its host or with the host. */
import { filesBase } from '../../files/media-path.js';
import { trimEndOf, trimOf } from '../../values/text.js';

export interface SitePlace {
  readonly origin: string;
  /** Ends with a slash. */
  readonly root: string;
  /** Of the files that this server sends, without a slash at the end; empty = the origin. */
  readonly files: string;
}

type SettingOf = (key: string) => string | null | undefined;

const wholeAddress = /^(https?:\/\/[^\s/?#@"<>]+)(\/[^\s?#"<>]*)?$/i;

type AddressSetting = 'gateway_site_url' | 'gateway_assets_url';

interface SettingLayers {
  readonly context: SettingOf;
  readonly site: SettingOf;
  readonly ownOfSite: Readonly<Record<AddressSetting, string>>;
}

/** The setting of a context, else of the site; in each our addresses come before the CMS's, which may be in a file. */
export function layeredSetting(key: string, layers: SettingLayers): string | null {
  const stored = storedSetting(key, layers);
  if (stored !== null || (key !== 'base_url' && key !== 'assets_url')) return stored;
  const { root } = sitePlace((name) => storedSetting(name, layers));
  return key === 'base_url' ? root : `${root}assets/`;
}

function storedSetting(key: string, { context, site, ownOfSite }: SettingLayers): string | null {
  return ownAddress(key, context) ?? context(key) ?? ownAddress(key, (name) => ownOfSite[name]) ?? site(key) ?? null;
}

function ownAddress(key: string, settingOf: (key: AddressSetting) => string | null | undefined): string | null {
  if (key === 'assets_url') return trimmed(settingOf('gateway_assets_url'), /^(?:\/|https?:\/\/)[^\s"<>]*$/i);
  if (key !== 'site_url' && key !== 'base_url') return null;
  const address = trimmed(settingOf('gateway_site_url'), wholeAddress);
  return address === null || key === 'site_url' ? address : sitePlace(() => address).root;
}

/** Ends with a slash, as the CMS writes addresses; null for an address of another form. */
function trimmed(text: string | null | undefined, form: RegExp): string | null {
  const address = text?.trim() ?? '';
  return form.test(address) ? `${trimEndOf(address, '/')}/` : null;
}

export function sitePlace(settingOf: SettingOf, files = ''): SitePlace {
  const [, origin = '', path = ''] = wholeAddress.exec(settingOf('site_url')?.trim() ?? '') ?? [];
  const base = settingOf('base_url')?.trim() ?? '';
  const root = origin !== '' ? path : /^\/[^\s?#"<>]*$/.test(base) ? base : '';
  return { origin, root: `/${trimOf(root, '/')}/`.replace('//', '/'), files };
}

const complete = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?|\[\[)/i;

export function siteAddressOf(path: string, { origin, root, files }: SitePlace, form: 'absolute' | 'site'): string {
  if (path === '' || complete.test(path)) return path;
  const whole = path.startsWith('/') ? path : root + (path.startsWith('./') ? path.replace(/^(?:\.\/)+/, '') : path);
  return (form === 'absolute' ? hostOf(whole, origin, files) : '') + whole;
}

export function hostOf(path: string, site: string, files: string): string {
  return files !== '' && path.startsWith(`${filesBase}/`) ? files : site;
}

export function usualContext({
  defaultContext,
  allowedContexts,
}: {
  readonly defaultContext: string;
  readonly allowedContexts: readonly string[];
}): string | undefined {
  return [defaultContext, 'web'].find((key) => allowedContexts.includes(key)) ?? allowedContexts[0];
}
