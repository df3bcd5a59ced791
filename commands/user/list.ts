/** `hcd user list`: list users and their permissions. */
import { listUsers } from '../../src/identity/users/user-view.js';
import { defineSiteCommand } from '../command.js';
import { toggle } from '../parameters.js';
import { userRecord } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Lists all users of the content system with their state (active, inactive, blocked), groups, last login and permissions. The permissions are those that the gateway checks, in the context gateway_context; * is everything. Passwords are never shown.',
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
});
