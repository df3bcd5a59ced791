/** `hcd token list`: the tokens of the page delivery API. */
import { defineCommand } from '../command.js';
import { toggle } from '../parameters.js';

export const command = defineCommand({
  path: 'token list',
  summary: 'List page tokens with their state',
  description:
    'Lists every token of the page delivery API with scopes, state, end and last use; never a secret. States: active, expires_soon (within 14 days), expired and revoked. The last use is written at most once a minute. A narrow terminal shows fewer columns and says which are missing.',
  arguments: {},
  options: { usable: toggle('Only tokens that work now') },
  examples: [
    { line: 'token list', does: 'Show all tokens' },
    { line: 'token list --usable --json', does: 'Read the tokens that work, for a script' },
  ],
  // Loaded when it runs: the database layer takes longer to load than most commands take to run.
  run: async (options, deps) => (await import('./run-list.js')).runList(options, deps),
});
