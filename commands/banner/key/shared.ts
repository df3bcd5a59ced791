/** What the commands for keys of the banner API share. */
import { textValue } from '../../../src/config/value-type.js';
import { readRuntimeSettings } from '../../../src/content/settings/settings.js';
import type { Store } from '../../../src/store/open/open.js';
import type { Deps } from '../../deps.js';
import { origin } from '../../key/shared.js';
import { required } from '../../parameters.js';

export const readKeyParameter = required(
  textValue({ accepts: 'a name of 1 to 40 characters of a-z, 0-9, _ and -', pattern: /^[a-z0-9][a-z0-9_-]{0,39}$/ }),
  { placeholder: 'NAME', description: 'Name of the read-only key (see hcd banner key show)' },
);

/** How to send a key, and what is in the way of its use. */
export async function usageNotes(deps: Deps, store: Store): Promise<readonly string[]> {
  const { values } = await readRuntimeSettings(store, deps.env);
  return [
    // The shell fills in the key, so that it does not end up in a history or a log.
    `To try the key, with BANNERS_KEY set to it: curl -H "X-API-Key: $BANNERS_KEY" '${origin(deps)}/banners/api.php/ads'`,
    ...(values.banners_api_enabled ? [] : ['The banner API is off. Turn it on: hcd setting set banners_api_enabled 1']),
  ];
}
