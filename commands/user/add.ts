/** `hcd user add NAME`: a new user of the content system. */
import { listValue, textValue } from '../../src/config/value-type.js';
import { readRuntimeSettings } from '../../src/content/settings/settings.js';
import { addUser, checkNewUser } from '../../src/identity/users/manage-users.js';
import { loadUser } from '../../src/identity/users/user-view.js';
import { defineCommand } from '../command.js';
import { labelValue, optional, toggle } from '../parameters.js';
import { openSiteRegistry } from '../store/open-registry.js';
import { passwordOptions, readPassword, userParameter, userRecord } from './shared.js';

const permissionValue = textValue({ accepts: 'a permission such as resources.read', pattern: /^[^\s,]{1,191}$/ });

export const command = defineCommand({
  path: 'user add',
  summary: 'Create a user',
  description:
    'Creates a user who can log in at POST /auth/session, and at POST /auth/token when the grant password is enabled. On a terminal the command asks for the password twice; scripts use --password-stdin or --generate. A password has at least 8 characters.\n\nA session can do what the policies of the user allow in the context gateway_context. --permissions creates a policy with these permissions and read access, for a group "gateway: NAME" with only this user. Permissions are the scopes of API keys except context.KEY, fields.FIELD, resources.static and *, plus view_unpublished, empty_recycle_bin, new_static_resource, gateway_fields_FIELD and gateway_fields_all. A user without permissions and groups can log in, but does not see content with access rules. --sudo allows everything.\n\nOn the database of an existing site the user is a user of its content system, and the password is stored in its format.',
  arguments: { username: userParameter },
  options: {
    permissions: optional(
      listValue(permissionValue, { min: 1, accepts: 'a comma list of permissions such as resources.read,preview' }),
      {
        placeholder: 'LIST',
        description: 'Permissions of the user, separated by commas',
        suggestions: ['resources.read', 'resources.create', 'resources.update', 'resources.delete', 'view_unpublished'],
      },
    ),
    sudo: toggle('Allow the user to do everything'),
    fullName: optional(labelValue, { placeholder: 'TEXT', description: 'Full name of the user' }),
    email: optional(labelValue, { placeholder: 'ADDRESS', description: 'Email address of the user' }),
    ...passwordOptions,
  },
  examples: [
    {
      line: 'user add rowan --permissions resources.read,resources.update,view_unpublished',
      does: 'Create a user who can edit resources',
    },
    { line: 'user add admin --sudo --generate --json', does: 'Create an administrator with a generated password' },
  ],
  async run(options, deps) {
    const { username, permissions = [], sudo, fullName = '', email = '' } = options;
    const store = await deps.openReady();
    const registry = await openSiteRegistry(deps, store);
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
        ...(isGenerated ? ['Copy the password now: it is not shown again.'] : []),
        ...(sudo ? ['The user can do everything.'] : []),
        ...(sudo || permissions.length > 0
          ? []
          : ['The user has no permissions. See hcd user add --help on how to grant some.']),
      ],
    };
  },
});
