/** `hcd key list`: the API keys of the gateway. */
import { defineCommand } from '../command.js';
import { toggle } from '../parameters.js';

export const command = defineCommand({
  path: 'key list',
  summary: 'List API keys with their state',
  description:
    'Lists every API key with scopes, state, end and last use; never a secret. States: active, expires_soon (within 14 days), expired, revoked, and user_inactive for a key whose user was deactivated, blocked or removed. rate_limit_max and rate_limit_window (seconds) are empty where the settings of the gateway decide. The last use is written at most once a minute. previous_ends_on is the time until which the secret before a rotation works too. A narrow terminal shows fewer columns and says which are missing.',
  arguments: {},
  options: { usable: toggle('Only keys that work now') },
  examples: [
    { line: 'key list', does: 'Show all keys' },
    { line: 'key list --usable --json', does: 'Read the keys that work, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-list.js')).runList(options, deps),
});
