/** `hcd banner key add`: create a read-only key for the banner API. */
import { addReadKey } from '../../../src/banners/management/banner-keys.js';
import { defineSiteCommand } from '../../command.js';
import { readKeyParameter, usageNotes } from '../shared.js';

export const command = defineSiteCommand({
  description:
    'Creates a key that can read everything in the banner API and change nothing, and prints it. The key is shown only once: the setting banners_api_read_keys stores its name and a digest.',
  arguments: { name: readKeyParameter },
  examples: {
    'banner key add dashboard': 'Create a key for a statistics page',
    'banner key add report --json': 'Create a key and print it as JSON',
  },
  async run({ name }, deps) {
    const made = await addReadKey(deps.store, { env: deps.env, name });
    return {
      kind: 'record',
      record: { name: made.name, key: made.key },
      notes: ['Copy the key now: it is not shown again.', ...(await usageNotes(deps))],
    };
  },
});
