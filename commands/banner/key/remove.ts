/** `hcd banner key remove NAME`: ends a key of the banner API that may only read. */
import { removeReadKey } from '../../../src/banners/management/banner-keys.js';
import { defineCommand } from '../../command.js';
import { confirmChange } from '../../confirm.js';
import { openReady } from '../../store/open-ready.js';
import { readKeyParameter } from './parameters.js';

export const command = defineCommand({
  path: 'banner key remove',
  summary: 'End a key of the banner API that may only read',
  description:
    'Ends a key by its name: servers refuse it within one second. The main key is replaced by hcd banner key rotate.',
  arguments: { name: readKeyParameter },
  options: {},
  examples: [
    { line: 'banner key remove dashboard', does: 'End a key' },
    { line: 'banner key remove report --yes --json', does: 'The same, from a script' },
  ],
  destructive: {},
  async run({ name }, deps) {
    const store = await openReady(deps);
    await confirmChange(deps, `End the key ${name} for good?`);
    await removeReadKey(store, { env: deps.env, name });
    return {
      kind: 'done',
      message: `Ended the key ${name}. Servers refuse it within one second.`,
      data: { name, removed: true },
    };
  },
});
