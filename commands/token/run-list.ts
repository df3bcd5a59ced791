/** Reads tokens for `hcd token list`. */
import { tokensVariable } from '../../src/identity/page-tokens/token-settings.js';
import { listTokens, type TokenState } from '../../src/identity/page-tokens/token-view.js';
import type { Deps } from '../deps.js';
import type { ListResult, Marks } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { tokenRecord } from './token-record.js';

const columns = ['id', 'name', 'prefix', 'scopes', 'state', 'expires', 'lastUsed', 'created', 'revoked'];
const spare = ['created', 'revoked', 'lastUsed'];
const marks: Marks = { state: { expires_soon: 'warning', expired: 'past', revoked: 'past' } };
const working: readonly TokenState[] = ['active', 'expires_soon'];

export async function runList({ usable }: { readonly usable: boolean }, deps: Deps): Promise<ListResult> {
  const store = await openReady(deps);
  const { tokens, isLocked } = await listTokens(store, { env: deps.env, now: deps.clock.now() });
  const shown = usable ? tokens.filter(({ state }) => working.includes(state)) : tokens;
  const empty = 'There is no page token. Make one: hcd token create --scopes pages.read,catalog.read';
  const notes = isLocked ? [`${tokensVariable} is set in this environment and wins over the stored tokens.`] : [];
  return { kind: 'list', columns, spare, marks, rows: shown.map(tokenRecord), empty, notes };
}
