/** OAuth clients and their access tokens, without secrets: only digests are stored. */
import { Op } from 'sequelize';
import type { Reader, Tx } from '../../store/base/database.js';
import { commaList, end, integer, key, orNull, text, time } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';
import { limitColumns, secretColumns } from '../credentials/secrets.js';

export type OauthClientRow = RowOf<typeof oauthClients>;

export const oauthClients = defineModel('hcd_oauth_clients', {
  /** Compared exactly. */
  clientId: key(text(64)),
  ...secretColumns,
  name: text(100),
  scopes: commaList(),
  grants: commaList(190),
  ...limitColumns,
  createdOn: time(),
  createdBy: text(190),
});

export type OauthTokenRow = RowOf<typeof oauthTokens>;

export const oauthTokens = defineModel('hcd_oauth_tokens', {
  tokenHash: key(text(64)),
  /** 16 hexadecimal digits; public. */
  tokenId: text(16),
  clientId: text(64),
  /** The user who logged in for it; null = the client acts for itself. */
  userId: orNull(integer()),
  passwordMark: orNull(text(64)),
  scopes: commaList(),
  issuedOn: time(),
  expiresOn: end(),
  revokedOn: orNull(time()),
});

export type LimitedOauthTokenRow = OauthTokenRow & Pick<OauthClientRow, 'rateLimitMax' | 'rateLimitWindow'>;

/** One read for a request that shows a token. */
export async function findLimitedOauthToken(reader: Reader, tokenHash: string): Promise<LimitedOauthTokenRow | null> {
  const [row] = await reader.select({
    sql: `SELECT c.\`rate_limit_max\`, c.\`rate_limit_window\`, ${oauthTokens.selectList(reader, 't')} FROM \`hcd_oauth_tokens\` t LEFT JOIN \`hcd_oauth_clients\` c ON c.\`client_id\` = t.\`client_id\` WHERE t.\`token_hash\` = ?`,
    params: [tokenHash],
  });
  if (row === undefined) return null;
  const [max = null, window = null, ...token] = row;
  const { rateLimitMax, rateLimitWindow } = limitColumns;
  const limit = { rateLimitMax: rateLimitMax.decode(max), rateLimitWindow: rateLimitWindow.decode(window) };
  return { ...oauthTokens.decode(token), ...limit };
}

/** The first to end first; null = of all clients. */
export function findOauthTokens(
  reader: Reader,
  { clientId, endsAfter }: { readonly clientId: string | null; readonly endsAfter: number },
): Promise<OauthTokenRow[]> {
  const where = { expiresOn: { [Op.gt]: endsAfter }, ...(clientId === null ? {} : { clientId }) };
  return oauthTokens.on(reader).findAll({ where, order: ['expiresOn', 'tokenId'] });
}

export async function revokeOauthTokens(
  tx: Tx,
  of: Pick<OauthTokenRow, 'tokenId'> | Pick<OauthTokenRow, 'clientId'> | { readonly userId: number },
  at: number,
): Promise<number> {
  return oauthTokens
    .on(tx)
    .update({ revokedOn: at }, { where: { ...of, expiresOn: { [Op.gt]: at }, revokedOn: null } });
}

export function removeEndedOauthTokens(tx: Tx, endedBy: number): Promise<number> {
  return oauthTokens.on(tx).destroy({ where: { expiresOn: { [Op.lte]: endedBy } } });
}
