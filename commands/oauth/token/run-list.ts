/** Reads tokens for `hcd oauth token list`. */
import { listTokens } from '../../../src/identity/oauth/manage-tokens.js';
import type { Deps } from '../../deps.js';
import type { ListResult, Marks } from '../../result.js';
import { openReady } from '../../store/open-ready.js';
import { tokenRecord } from '../oauth-record.js';

const columns = ['token_id', 'client_id', 'user', 'scopes', 'state', 'issued_on', 'expires_on'];
const spare = ['issued_on', 'user'];
const marks: Marks = {
  state: { user_inactive: 'warning', password_changed: 'past', expired: 'past', revoked: 'past' },
};

export interface ListOptions {
  readonly client: string | undefined;
  readonly all: boolean;
}

export async function runList({ client, all }: ListOptions, deps: Deps): Promise<ListResult> {
  const store = await openReady(deps);
  const tokens = await listTokens(store, { clientId: client ?? null, all, now: deps.clock.now() });
  return { kind: 'list', columns, spare, marks, rows: tokens.map(tokenRecord), empty: 'There is no access token.' };
}
