/** `hcd token list`: the tokens of the page delivery API. */

import { listTokens, type TokenView } from '../../src/identity/page-tokens/manage-tokens.js';
import { tokensVariable } from '../../src/identity/page-tokens/token-settings.js';
import { defineCommand } from '../command.js';
import { toggle } from '../parameters.js';
import type { Marks } from '../result.js';
import { tokenRecord } from './shared.js';

const columns = ['id', 'name', 'prefix', 'scopes', 'state', 'expires', 'lastUsed', 'created', 'revoked'];

const spare = ['created', 'revoked', 'lastUsed'];

const marks: Marks = { state: { expires_soon: 'warning', expired: 'past', revoked: 'past' } };

const working: readonly TokenView['state'][] = ['active', 'expires_soon'];

export const command = defineCommand({
  path: 'token list',
  summary: 'List page tokens',
  description:
    'Lists all tokens of the page delivery API with their scopes, state, expiry and last use. Secrets are never shown. States: active, expires_soon (within 14 days), expired and revoked. The last use is recorded at most once a minute. A narrow terminal shows fewer columns and names the missing ones.',
  arguments: {},
  options: { usable: toggle('Show only tokens that work now') },
  examples: [
    { line: 'token list', does: 'List all tokens' },
    { line: 'token list --usable --json', does: 'List the tokens that work as JSON' },
  ],
  async run({ usable }, deps) {
    const store = await deps.openReady();
    const { tokens, isLocked } = await listTokens(store, { env: deps.env, now: deps.clock.now() });
    const shown = usable ? tokens.filter(({ state }) => working.includes(state)) : tokens;
    const empty = 'No page tokens. Create one: hcd token create --scopes pages.read,catalog.read';
    const notes = isLocked ? [`${tokensVariable} is set in this environment and overrides the stored tokens.`] : [];
    return { kind: 'list', columns, spare, marks, rows: shown.map(tokenRecord), empty, notes };
  },
});
