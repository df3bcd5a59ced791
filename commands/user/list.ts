/** `hcd user list`: the users of the content system. */
import { readRuntimeSettings } from '../../src/content/settings/settings.js';
import { listUsers } from '../../src/identity/users/user-view.js';
import { defineCommand } from '../command.js';
import { toggle } from '../parameters.js';
import type { Marks } from '../result.js';
import { userRecord } from './shared.js';

const columns = ['id', 'username', 'state', 'sudo', 'groups', 'permissions', 'last_login_on'];

const spare = ['groups'];

const marks: Marks = { state: { inactive: 'past', blocked: 'past' } };

export const command = defineCommand({
  path: 'user list',
  summary: 'List users and their permissions',
  description:
    'Lists all users of the content system with their state (active, inactive, blocked), groups, last login and permissions. The permissions are those that the gateway checks, in the context gateway_context; * is everything. Passwords are never shown.',
  arguments: {},
  options: { usable: toggle('Show only users who can log in') },
  examples: [
    { line: 'user list', does: 'List all users' },
    { line: 'user list --usable --json', does: 'List the users who can log in as JSON' },
  ],
  async run({ usable }, deps) {
    const store = await deps.openReady();
    const { values } = await readRuntimeSettings(store, deps.env);
    const users = await listUsers(store, { context: values.gateway_context, now: deps.clock.now() });
    const shown = usable ? users.filter(({ state }) => state === 'active') : users;
    const empty = 'No users. Create one: hcd user add admin --sudo';
    return { kind: 'list', columns, spare, marks, rows: shown.map(userRecord), empty };
  },
});
