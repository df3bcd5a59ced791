/** `hcd token list`: list page tokens. */
import { listTokens } from '../../src/identity/page-tokens/manage-tokens.js';
import { tokensVariable } from '../../src/identity/page-tokens/token-settings.js';
import { defineSiteCommand } from '../command.js';
import { toggle } from '../parameters.js';
import { tokenRecord } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Lists all tokens of the page delivery API with their scopes, state, expiry and last use. Secrets are never shown. States: active, expires_soon (within 14 days), expired and revoked. The last use is recorded at most once a minute. A narrow terminal shows fewer columns and names the missing ones.',
  options: { usable: toggle('Show only tokens that work now') },
  examples: {
    'token list': 'List all tokens',
    'token list --usable --json': 'List the tokens that work as JSON',
  },
  async run({ usable }, deps) {
    const { tokens, isLocked } = await listTokens(deps.store, { env: deps.env, now: deps.clock.now() });
    const shown = usable ? tokens.filter(({ state }) => state === 'active' || state === 'expires_soon') : tokens;
    return {
      kind: 'list',
      columns: ['id', 'name', 'prefix', 'scopes', 'state', 'expires', 'lastUsed', 'created', 'revoked'],
      spare: ['created', 'revoked', 'lastUsed'],
      marks: { state: { expires_soon: 'warning', expired: 'past', revoked: 'past' } },
      rows: shown.map(tokenRecord),
      empty: 'No page tokens. Create one: hcd token create --scopes pages.read,catalog.read',
      notes: [isLocked && `${tokensVariable} is set in this environment and overrides the stored tokens.`],
    };
  },
});
