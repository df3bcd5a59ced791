/** `hcd banner key add NAME`: a new read-only key for the banner API. */
import { addReadKey } from '../../../src/banners/management/banner-keys.js';
import { defineCommand } from '../../command.js';
import { readKeyParameter, usageNotes } from './shared.js';

export const command = defineCommand({
  path: 'banner key add',
  summary: 'Create a read-only key for the banner API',
  description:
    'Creates a key that can read everything in the banner API and change nothing, and prints it. The key is shown only once: the setting banners_api_read_keys stores its name and a digest.',
  arguments: { name: readKeyParameter },
  options: {},
  examples: [
    { line: 'banner key add dashboard', does: 'Create a key for a statistics page' },
    { line: 'banner key add report --json', does: 'Create a key and print it as JSON' },
  ],
  async run({ name }, deps) {
    const store = await deps.openReady();
    const made = await addReadKey(store, { env: deps.env, name });
    return {
      kind: 'record',
      record: { name: made.name, key: made.key },
      notes: ['Copy the key now: it is not shown again.', ...(await usageNotes(deps, store))],
    };
  },
});
