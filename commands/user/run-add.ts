/** Makes a user for `hcd user add`. */
import { resolve } from 'node:path';
import { openRegistry } from '../../src/content/objects/object-registry.js';
import { readRuntimeSettings } from '../../src/content/settings/runtime-settings.js';
import { addUser, checkNewUser } from '../../src/identity/users/add-user.js';
import { loadUser } from '../../src/identity/users/user-view.js';
import type { Deps } from '../deps.js';
import type { RecordResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { type PasswordOptions, readPassword } from './read-password.js';
import { userRecord } from './user-record.js';

export interface AddOptions extends PasswordOptions {
  readonly username: string;
  readonly permissions: readonly string[] | undefined;
  readonly sudo: boolean;
  readonly fullName: string | undefined;
  readonly email: string | undefined;
}

export async function runAdd(options: AddOptions, deps: Deps): Promise<RecordResult> {
  const { username, permissions = [], sudo, fullName = '', email = '' } = options;
  const { config } = deps.loadConfig();
  const store = await openReady(deps);
  const registry = await openRegistry(store, {
    folder: resolve(deps.cwd, config.objects_dir),
    plugins: config.plugins,
  });
  const { values } = await readRuntimeSettings(store, deps.env);
  await checkNewUser(store, { registry, username, permissions });
  const { password, isGenerated } = await readPassword(options, deps);
  const now = deps.clock.now();
  const context = values.gateway_context;
  await addUser(store, { registry, username, password, sudo, permissions, fullName, email, context, now });
  const record = userRecord(await loadUser(store, username, { context, now }));
  const shown = isGenerated ? { ...record, password } : record;
  return {
    kind: 'record',
    record: shown,
    fields: ['id', 'username', ...(isGenerated ? ['password'] : []), 'sudo', 'groups', 'permissions'],
    notes: [
      ...(isGenerated ? ['The password is shown only now.'] : []),
      ...(sudo ? ['The user may do everything.'] : []),
      ...(sudo || permissions.length > 0
        ? []
        : ['The user has no permissions: hcd user add --help tells how to give some.']),
    ],
  };
}
