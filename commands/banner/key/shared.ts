/** What the commands for keys of the banner API share. */

import { textValue } from '../../../src/config/value-type.js';
import type { Notes } from '../../command.js';
import type { SiteDeps } from '../../deps.js';
import { required } from '../../parameters.js';

export const readKeyParameter = required(
  textValue({ accepts: 'a name of 1 to 40 characters of a-z, 0-9, _ and -', pattern: /^[a-z0-9][a-z0-9_-]{0,39}$/ }),
  { placeholder: 'NAME', description: 'Name of the read-only key (see hcd banner key show)' },
);

export async function usageNotes(deps: SiteDeps): Promise<Notes> {
  const { banners_api_enabled: isOn } = await deps.settings('banners');
  return [
    // The shell fills in the key, so that it does not end up in a history or a log.
    `To try the key, with BANNERS_KEY set to it: curl -H "X-API-Key: $BANNERS_KEY" '${await deps.addressOf('banners')}/banners/api.php/ads'`,
    !isOn && 'The banner API is off. Turn it on: hcd setting set banners_api_enabled 1',
  ];
}
