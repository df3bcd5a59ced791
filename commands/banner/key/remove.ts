/** `hcd banner key remove`: revoke a read-only key of the banner API. */
import { removeReadKey } from '../../../src/banners/management/banner-keys.js';
import { defineSiteCommand } from '../../command.js';
import { readKeyParameter } from '../shared.js';

export const command = defineSiteCommand({
  description:
    'Revokes a read-only key permanently. Servers refuse it within one second. To replace the main key, use hcd banner key rotate.',
  arguments: { name: readKeyParameter },
  examples: {
    'banner key remove dashboard': 'Revoke a key',
    'banner key remove report --yes --json': 'Revoke a key without confirmation',
  },
  destructive: {},
  async run({ name }, deps) {
    await deps.confirm(`Revoke the key ${name} permanently?`);
    await removeReadKey(deps.store, { env: deps.env, name });
    return {
      kind: 'done',
      message: `Revoked the key ${name}. Servers refuse it within one second.`,
      data: { name, removed: true },
    };
  },
});
