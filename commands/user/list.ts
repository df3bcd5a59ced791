/** `hcd user list`: the users of the content system. */
import { readRuntimeSettings } from '../../src/content/settings/runtime-settings.js';
import { listUsers } from '../../src/identity/users/user-view.js';
import { defineCommand } from '../command.js';
import { toggle } from '../parameters.js';
import type { Marks } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { userRecord } from './user-record.js';

const columns = ['id', 'username', 'state', 'sudo', 'groups', 'permissions', 'last_login_on'];

const spare = ['groups'];

const marks: Marks = { state: { inactive: 'past', blocked: 'past' } };

export const command = defineCommand({
  path: 'user list',
  summary: 'List users with what they may do',
  description:
    'Lists every user of the content system with state (active, inactive, blocked), groups, last log-in, and the permissions that the user has in the context gateway_context: of all that policies hold those that the gateway asks for, * for everything. Never a password.',
  arguments: {},
  options: { usable: toggle('Only users who may log in') },
  examples: [
    { line: 'user list', does: 'Show all users' },
    { line: 'user list --usable --json', does: 'Read the users who may log in, for a script' },
  ],
  async run({ usable }, deps) {
    const store = await openReady(deps);
    const { values } = await readRuntimeSettings(store, deps.env);
    const users = await listUsers(store, { context: values.gateway_context, now: deps.clock.now() });
    const shown = usable ? users.filter(({ state }) => state === 'active') : users;
    const empty = 'There is no user. Make one: hcd user add admin --sudo';
    return { kind: 'list', columns, spare, marks, rows: shown.map(userRecord), empty };
  },
});
