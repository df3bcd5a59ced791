/** `hcd user add`: create a user. */
import { listValue, textValue } from '../../src/config/value-type.js';
import { addUser, checkNewUser } from '../../src/identity/users/manage-users.js';
import { loadUser } from '../../src/identity/users/user-view.js';
import { defineSiteCommand } from '../command.js';
import { labelValue, optional, toggle } from '../parameters.js';
import { passwordOptions, readPassword, userParameter, userRecord } from './shared.js';

const permissionValue = textValue({ accepts: 'a permission such as resources.read', pattern: /^[^\s,]{1,191}$/ });

export const command = defineSiteCommand({
  description:
    'Creates a user who can log in at POST /auth/session, and at POST /auth/token when the grant password is enabled. On a terminal the command asks for the password twice; scripts use --password-stdin or --generate. A password has at least 8 characters.\n\nA session can do what the policies of the user allow in the context gateway_context. --permissions creates a policy with these permissions and read access, for a group "gateway: NAME" with only this user. Permissions are the scopes of API keys except context.KEY, fields.FIELD, resources.static, resources.bindings and *, plus view_unpublished, empty_recycle_bin, new_static_resource, tv_bindings, gateway_fields_FIELD and gateway_fields_all. A user without permissions and groups can log in, but does not see content with access rules. --sudo allows everything.\n\nOn the database of an existing site the user is a user of its content system, and the password is stored in its format.',
  arguments: { username: userParameter },
  options: {
    permissions: optional(
      listValue(permissionValue, { min: 1, accepts: 'a comma list of permissions such as resources.read,preview' }),
      {
        description: 'Permissions of the user, separated by commas',
        suggestions: ['resources.read', 'resources.create', 'resources.update', 'resources.delete', 'view_unpublished'],
      },
    ),
    sudo: toggle('Allow the user to do everything'),
    fullName: optional(labelValue, { placeholder: 'TEXT', description: 'Full name of the user' }),
    email: optional(labelValue, { placeholder: 'ADDRESS', description: 'Email address of the user' }),
    ...passwordOptions,
  },
  examples: {
    'user add rowan --permissions resources.read,resources.update,view_unpublished':
      'Create a user who can edit resources',
    'user add admin --sudo --generate --json': 'Create an administrator with a generated password',
  },
  async run(options, deps) {
    const { username, permissions = [], sudo, fullName = '', email = '', generate } = options;
    const registry = await deps.registry();
    const { gateway_context: context } = await deps.settings('gateway');
    await checkNewUser(deps.store, { registry, username, permissions });
    const password = await readPassword(options, deps);
    const now = deps.clock.now();
    await addUser(deps.store, { registry, username, password, sudo, permissions, fullName, email, context, now });
    const record = userRecord(await loadUser(deps.store, username, { context, now }));
    const mayNothing = !sudo && permissions.length === 0;
    return {
      kind: 'record',
      record: generate ? { ...record, password } : record,
      fields: ['id', 'username', ...(generate ? ['password'] : []), 'sudo', 'groups', 'permissions'],
      notes: [
        generate && 'Copy the password now: it is not shown again.',
        sudo && 'The user can do everything.',
        mayNothing && 'The user has no permissions. See hcd user add --help on how to grant some.',
      ],
    };
  },
});
