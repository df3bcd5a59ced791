/** What the commands for keys of the banner API say about a key. */
import { timeValue } from '../../../src/config/time-values.js';
import { readRuntimeSettings } from '../../../src/content/settings/settings.js';
import type { Store } from '../../../src/store/open/open.js';
import type { Deps } from '../../deps.js';
import { origin } from '../../key/usage-notes.js';

/** How to send a key, and what is in the way of its use. */
export async function usageNotes(deps: Deps, store: Store): Promise<readonly string[]> {
  const { values } = await readRuntimeSettings(store, deps.env);
  return [
    // The shell fills in the key, so that it does not end up in a history or a log.
    `To try the key, with BANNERS_KEY set to it: curl -H "X-API-Key: $BANNERS_KEY" '${origin(deps)}/banners/api.php/ads'`,
    ...(values.banners_api_enabled ? [] : ['The banner API is off. Turn it on: hcd setting set banners_api_enabled 1']),
  ];
}

export function isoTime(seconds: number | null): string | null {
  return seconds === null ? null : timeValue.format(seconds);
}
