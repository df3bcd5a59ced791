/** OAuth clients as people look at them: state and times; nothing from which a secret could be made. */
import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { type OauthClientRow, oauthClients } from '../models/oauth-clients.js';
import { findOauthTokens } from '../models/oauth-tokens.js';

export interface ClientView extends Omit<OauthClientRow, 'secretHash' | 'previousHash'> {
  readonly state: 'active' | 'revoked';
  /** How many of its tokens work now. */
  readonly liveTokens: number;
}

/** All clients, the oldest first. `now` is Unix milliseconds. */
export async function listClients({ own }: Store, now: number): Promise<ClientView[]> {
  const tokens = await findOauthTokens(own.primary, { clientId: null, endsAfter: now });
  const live = new Map<string, number>();
  for (const { clientId, revokedOn } of tokens) {
    if (revokedOn === null) live.set(clientId, (live.get(clientId) ?? 0) + 1);
  }
  return (await oauthClients.on(own.primary).findAll({ order: ['createdOn', 'clientId'] })).map((row) =>
    viewOf(row, live.get(row.clientId) ?? 0),
  );
}

/** Throws not_found. */
export async function loadClient(store: Store, clientId: string, now: number): Promise<ClientView> {
  const row = await loadClientRow(store, clientId);
  const tokens = await findOauthTokens(store.own.primary, { clientId, endsAfter: now });
  return viewOf(row, tokens.filter(({ revokedOn }) => revokedOn === null).length);
}

/** The row of a client. Throws not_found. */
export async function loadClientRow({ own }: Store, clientId: string): Promise<OauthClientRow> {
  const row = await oauthClients.on(own.primary).findOne({ where: { clientId } });
  if (row !== null) return row;
  const message = `There is no OAuth client ${clientId}; hcd oauth client list shows every client`;
  throw new AppError('not_found', { message });
}

function viewOf(
  { secretHash: _secret, previousHash: _previous, ...row }: OauthClientRow,
  liveTokens: number,
): ClientView {
  return { ...row, state: row.revokedOn === null ? 'active' : 'revoked', liveTokens };
}
