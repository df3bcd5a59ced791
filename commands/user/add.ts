/** `hcd user add NAME`: a new user of the content system. */
import { resolve } from 'node:path';
import { listValue, textValue } from '../../src/config/value-type.js';
import { openRegistry } from '../../src/content/objects/object-registry.js';
import { readRuntimeSettings } from '../../src/content/settings/runtime-settings.js';
import { addUser, checkNewUser } from '../../src/identity/users/add-user.js';
import { loadUser } from '../../src/identity/users/user-view.js';
import { defineCommand } from '../command.js';
import { optional, toggle } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { passwordOptions, userParameter } from './parameters.js';
import { readPassword } from './read-password.js';
import { userRecord } from './user-record.js';

const permissionValue = textValue({ accepts: 'a permission such as resources.read', pattern: /^[^\s,]{1,191}$/ });
const lineAccepts = 'a text of 1 to 100 characters without line breaks and other controls';
const line = textValue({ accepts: lineAccepts, pattern: /^(?=.*\S)\P{Cc}{1,100}$/u });

export const command = defineCommand({
  path: 'user add',
  summary: 'Make a user of the content system',
  description:
    'Makes a user who can log in at POST /auth/session, and at POST /auth/token by the grant password while that is enabled. The password is asked twice on a terminal; scripts give it on standard input with --password-stdin or let --generate make one. It has 8 characters or more.\n\nA session may do what the user\'s policies allow in the context gateway_context. --permissions makes such a policy: a group "gateway: NAME" that holds the user alone, with a policy of these permissions and the right to read. Permissions are the scopes of API keys without context.KEY, fields.FIELD, resources.static and *, and view_unpublished, empty_recycle_bin, new_static_resource, gateway_fields_FIELD and gateway_fields_all. A user without permissions and without groups may log in and sees nothing of the content that has rules. --sudo lets the user do everything.\n\nOn the database of an existing site the password is stored as the content system stores it, and the user is one of its own users.',
  arguments: { username: userParameter },
  options: {
    permissions: optional(
      listValue(permissionValue, { min: 1, accepts: 'a comma list of permissions such as resources.read,preview' }),
      {
        placeholder: 'LIST',
        description: 'What the user may do: permissions, separated by commas',
        suggestions: ['resources.read', 'resources.create', 'resources.update', 'resources.delete', 'view_unpublished'],
      },
    ),
    sudo: toggle('The user may do everything'),
    fullName: optional(line, { placeholder: 'TEXT', description: 'Name of the person' }),
    email: optional(line, { placeholder: 'ADDRESS', description: 'E-mail address of the person' }),
    ...passwordOptions,
  },
  examples: [
    {
      line: 'user add rowan --permissions resources.read,resources.update,view_unpublished',
      does: 'Make a user who edits resources; the password is asked for',
    },
    { line: 'user add admin --sudo --generate --json', does: 'Make a user who may do everything, for a script' },
  ],
  async run(options, deps) {
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
  },
});
