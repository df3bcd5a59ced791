/** Where the site of a context begins, as the content system's setting site_url says. */

import { parseUrl } from '../../values/parse-url.js';
import { contextSetting, type LiveSnapshot } from './live-state.js';

/** With a slash at the end; null where the setting names no whole address. */
export function siteAddress(snapshot: LiveSnapshot, context: string): string | null {
  const text = contextSetting(snapshot, context, 'site_url')?.trim() ?? '';
  return /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/i.test(text) && parseUrl(text) !== null
    ? text.replace(/\/*$/, '/')
    : null;
}
