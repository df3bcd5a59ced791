/** `hcd banner key add NAME`: a key of the banner API that may only read. */
import { addReadKey } from '../../../src/banners/management/banner-keys.js';
import { defineCommand } from '../../command.js';
import { openReady } from '../../store/open-ready.js';
import { usageNotes } from './key-notes.js';
import { readKeyParameter } from './parameters.js';

export const command = defineCommand({
  path: 'banner key add',
  summary: 'Make a key of the banner API that may only read',
  description:
    'Makes a key that opens every reading route of the banner API and is refused where something would be written. Prints it, once: the setting banners_api_read_keys keeps its name and a digest only.',
  arguments: { name: readKeyParameter },
  options: {},
  examples: [
    { line: 'banner key add dashboard', does: 'Make a key for a page with statistics' },
    { line: 'banner key add report --json', does: 'Make one, for a script' },
  ],
  async run({ name }, deps) {
    const store = await openReady(deps);
    const made = await addReadKey(store, { env: deps.env, name });
    return {
      kind: 'record',
      record: { name: made.name, key: made.key },
      notes: [
        'The key is shown only now: store it where its client reads its secrets.',
        ...(await usageNotes(deps, store)),
      ],
    };
  },
});
