/** `hcd user`: users of the CMS. A password is never read from an argument. */
import { listValue, textValue } from '../src/config/value-type.js';
import { AppError } from '../src/errors/app-error.js';
import {
  addUser,
  changePassword,
  checkNewUser,
  generatePassword,
  removeUser,
} from '../src/identity/users/manage-users.js';
import { listUsers, loadUser, loadUserRow, type UserView } from '../src/identity/users/user-view.js';
import { isoTimeOfSeconds } from '../src/values/dates.js';
import { defineSiteCommand, recordOf } from './command.js';
import { rightsOfResources } from './credentials.js';
import type { Deps } from './deps.js';
import { labelValue, optional, required, toggle, usageError, type Values } from './parameters.js';

const usernameValue = textValue({
  accepts: 'a name of 1 to 100 characters without controls and without spaces at its ends',
  pattern: /^(?=\S)(?=.*\S$)\P{Cc}{1,100}$/u,
});

const userParameter = required(usernameValue, 'Name of the user', { placeholder: 'NAME' });

const passwordOptions = {
  passwordStdin: toggle('Read the password from standard input'),
  generate: toggle('Generate a password and print it'),
};

function userRecord(user: UserView) {
  return {
    ...recordOf(user, ['id', 'username']),
    fullname: user.fullName,
    ...recordOf(user, ['email', 'state', 'sudo', 'groups', 'permissions']),
    last_login_on: isoTimeOfSeconds(user.lastLogIn),
    created_on: isoTimeOfSeconds(user.createdOn),
  };
}

export async function readPassword(
  { passwordStdin, generate }: Values<typeof passwordOptions>,
  { io, prompt }: Deps,
): Promise<string> {
  if (passwordStdin && generate) throw usageError({ '--generate': 'cannot be combined with --password-stdin' });
  if (generate) return generatePassword();
  // Some shells put a byte order mark before what they pipe.
  if (passwordStdin)
    return (await io.stdin.readAll())
      .toString()
      .replace(/^\ufeff/, '')
      .replace(/\r?\n$/, '');
  const flag = '--password-stdin';
  const first = await prompt.password({ message: 'Password', flag });
  const second = await prompt.password({ message: 'Repeat password', flag });
  if (first === second) return first;
  throw new AppError('refused', { message: 'The passwords do not match; nothing was changed' });
}

const permissionValue = textValue({ accepts: 'a permission such as resources.read', pattern: /^[^\s,]{1,191}$/ });

const ended = 'The sessions and access tokens of the user stop working within one second.';

export const commands = {
  add: defineSiteCommand({
    description:
      'Creates a user who can log in at POST /auth/session, and at POST /auth/token when the grant password is enabled. On a terminal the command asks for the password twice; scripts use --password-stdin or --generate. A password has at least 8 characters.\n\nA session can do what the policies of the user allow in the context gateway_context. --permissions creates a policy with these permissions and read access, for a group "gateway: NAME" with only this user. Permissions are the scopes of API keys except context.KEY, fields.FIELD, resources.static, resources.bindings and *, plus view_unpublished, empty_recycle_bin, new_static_resource, tv_bindings, gateway_fields_FIELD and gateway_fields_all. A user without permissions and groups can log in, but does not see content with access rules. --sudo allows everything.\n\nOn the database of an existing site the user is a user of its CMS, and the password is stored in its format.',
    arguments: { username: userParameter },
    options: {
      permissions: optional(
        listValue(permissionValue, { min: 1, accepts: 'a comma list of permissions such as resources.read,preview' }),
        'Permissions of the user, separated by commas',
        { suggestions: [...rightsOfResources, 'view_unpublished'] },
      ),
      sudo: toggle('Allow the user to do everything'),
      fullName: optional(labelValue, 'Full name of the user', { placeholder: 'TEXT' }),
      email: optional(labelValue, 'Email address of the user', { placeholder: 'ADDRESS' }),
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
  }),

  list: defineSiteCommand({
    description:
      'Lists all users of the CMS with their state (active, inactive, blocked), groups, last login and permissions. The permissions are those that the gateway checks, in the context gateway_context; * is everything. Passwords are never shown.',
    options: { usable: toggle('Show only users who can log in') },
    examples: {
      'user list': 'List all users',
      'user list --usable --json': 'List the users who can log in as JSON',
    },
    async run({ usable }, deps) {
      const { gateway_context: context } = await deps.settings('gateway');
      const users = await listUsers(deps.store, { context, now: deps.clock.now() });
      const shown = usable ? users.filter(({ state }) => state === 'active') : users;
      return {
        kind: 'list',
        columns: ['id', 'username', 'state', 'sudo', 'groups', 'permissions', 'last_login_on'],
        spare: ['groups'],
        marks: { state: { inactive: 'past', blocked: 'past' } },
        rows: shown.map(userRecord),
        empty: 'No users. Create one: hcd user add admin --sudo',
      };
    },
  }),

  passwd: defineSiteCommand({
    description:
      'Changes the password of a user. On a terminal the command asks for it twice; scripts use --password-stdin or --generate. A password has at least 8 characters. Sessions and access tokens of the user stop working within one second; API keys with the access rights of the user keep working. Failed logins are reset, so a user who was locked out can log in.\n\nThe password is stored as argon2id. On the database of an existing site it is stored as bcrypt, which its CMS can verify, and is limited to 72 bytes.',
    arguments: { username: userParameter },
    options: passwordOptions,
    examples: {
      'user passwd rowan': 'Enter the new password',
      'user passwd rowan --generate --json': 'Generate a password and print it as JSON',
    },
    async run(options, deps) {
      const { username } = options;
      // No password is entered for a user who does not exist.
      await loadUserRow(deps.store, username);
      const password = await readPassword(options, deps);
      const id = await changePassword(deps.store, { username, password, now: deps.clock.now() });
      if (!options.generate) {
        return { kind: 'done', message: `Changed the password of ${username}. ${ended}`, data: { id, username } };
      }
      return {
        kind: 'record',
        record: { id, username, password },
        notes: ['Copy the password now: it is not shown again.', ended],
      };
    },
  }),

  remove: defineSiteCommand({
    description:
      'Removes a user permanently, with profile, memberships and settings, and the group "gateway: NAME" when it has no other members. Sessions and access tokens of the user stop working within one second, and so do API keys with the access rights of the user. Content of the user is kept. The last active sudo user of an existing site cannot be removed.',
    arguments: { username: userParameter },
    examples: {
      'user remove rowan': 'Remove the user rowan',
      'user remove rowan --yes --json': 'Remove the user rowan without confirmation',
    },
    destructive: {},
    async run({ username }, deps) {
      await loadUserRow(deps.store, username);
      await deps.confirm(`Remove the user ${username} permanently?`);
      const id = await removeUser(deps.store, { username, now: deps.clock.now() });
      return { kind: 'done', message: `Removed the user ${username}.`, data: { id, username } };
    },
  }),
};
