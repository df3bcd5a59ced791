/** Addresses of resources by the content system's rules (storage.md 2.3), and of the site itself. */
import { flagSetting } from '../../content/settings.js';
import type { LinkedPage } from '../../store/rows/linked-pages.js';
import { contextSetting, type LiveSnapshot } from '../live-state.js';

/** Where the site of a context begins, with a slash at the end; null where its setting names no whole address. */
export function siteAddress(snapshot: LiveSnapshot, context: string): string | null {
  const text = contextSetting(snapshot, context, 'site_url')?.trim() ?? '';
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) ? text.replace(/\/*$/, '/') : null;
}

/** Absolute where the site of the resource's context has an address, else a path from the root. */
export function resourceAddress(snapshot: LiveSnapshot, page: LinkedPage): string {
  const { id, contextKey, uri } = page;
  const base = siteAddress(snapshot, contextKey) ?? '/';
  const settingOf = (name: string) => contextSetting(snapshot, contextKey, name);
  if (Number(settingOf('site_start')) === id) return base;
  const settings = new Map([['friendly_urls', settingOf('friendly_urls')]]);
  if (flagSetting(settings, 'friendly_urls', false) && uri !== '') return base + uri.replace(/^\/+/, '');
  return `${base}${settingOf('request_controller') ?? 'index.php'}?${settingOf('request_param_id') ?? 'id'}=${id}`;
}
