/** Addresses of resources by the content system's rules. */

import { contextSetting, type LiveSnapshot, siteAddress } from '../../content/live/live-state.js';
import { flagSetting } from '../../content/rules/settings.js';
import type { LinkedPage } from '../rows/linked-pages.js';

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
