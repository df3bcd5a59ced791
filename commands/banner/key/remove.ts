/** `hcd banner key remove NAME`: revokes a read-only key of the banner API. */
import { removeReadKey } from '../../../src/banners/management/banner-keys.js';
import { defineCommand } from '../../command.js';
import { confirmChange } from '../../confirm.js';
import { readKeyParameter } from './shared.js';

export const command = defineCommand({
  path: 'banner key remove',
  summary: 'Revoke a read-only key of the banner API',
  description:
    'Revokes a read-only key permanently. Servers refuse it within one second. To replace the main key, use hcd banner key rotate.',
  arguments: { name: readKeyParameter },
  options: {},
  examples: [
    { line: 'banner key remove dashboard', does: 'Revoke a key' },
    { line: 'banner key remove report --yes --json', does: 'Revoke a key without confirmation' },
  ],
  destructive: {},
  async run({ name }, deps) {
    const store = await deps.openReady();
    await confirmChange(deps, `Revoke the key ${name} permanently?`);
    await removeReadKey(store, { env: deps.env, name });
    return {
      kind: 'done',
      message: `Revoked the key ${name}. Servers refuse it within one second.`,
      data: { name, removed: true },
    };
  },
});
