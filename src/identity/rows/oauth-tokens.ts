/** Rows of `hcd_oauth_tokens`. Tokens are never in them, only digests; times are Unix milliseconds. */

import { endOrNull, numberOrNull, textOrNull } from '../../store/base/cells.js';
import type { Param, RawRow, Reader, Tx } from '../../store/base/database.js';
import { insertValues } from '../../store/base/insert-values.js';

export interface OauthTokenRow {
  readonly tokenHash: string;
  /** 16 hexadecimal digits; public: names the token in lists and logs. */
  readonly tokenId: string;
  readonly clientId: string;
  /** The user who logged in for it (grant password); null = the client acts for itself. */
  readonly userId: number | null;
  /** Of the password that the user logged in with; null = nobody did. */
  readonly passwordMark: string | null;
  readonly scopes: readonly string[];
  readonly issuedOn: number;
  readonly expiresOn: number;
  readonly revokedOn: number | null;
}

export type NewOauthToken = Omit<OauthTokenRow, 'revokedOn'>;

/** A token with the rate limit that its client has of its own. */
export interface LimitedOauthTokenRow extends OauthTokenRow {
  readonly rateLimitMax: number | null;
  /** Seconds. */
  readonly rateLimitWindow: number | null;
}

/** How tokens are named: one by the public part of its text, or all of a client or of a user. */
export type OauthTokenSelector =
  | { readonly tokenId: string }
  | { readonly clientId: string }
  | { readonly userId: number };

const names = [
  'token_hash',
  'token_id',
  'client_id',
  'user_id',
  'password_mark',
  'scopes',
  'issued_on',
  'expires_on',
  'revoked_on',
];
const columns = names.map((name) => `\`${name}\``).join(', ');

/** One read by the primary key; null when there is no such token. */
export async function readOauthToken(reader: Reader, tokenHash: string): Promise<OauthTokenRow | null> {
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_oauth_tokens\` WHERE \`token_hash\` = ?`,
    params: [tokenHash],
  });
  return rows[0] === undefined ? null : decodeToken(rows[0]);
}

/** The same with the limit of the client, in the same read. */
export async function readLimitedOauthToken(reader: Reader, tokenHash: string): Promise<LimitedOauthTokenRow | null> {
  const ofToken = names.map((name) => `t.\`${name}\``).join(', ');
  const rows = await reader.select({
    sql: `SELECT ${ofToken}, c.\`rate_limit_max\`, c.\`rate_limit_window\` FROM \`hcd_oauth_tokens\` t LEFT JOIN \`hcd_oauth_clients\` c ON c.\`client_id\` = t.\`client_id\` WHERE t.\`token_hash\` = ?`,
    params: [tokenHash],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const [rateLimitMax, rateLimitWindow] = row.slice(names.length).map(numberOrNull);
  return { ...decodeToken(row), rateLimitMax: rateLimitMax ?? null, rateLimitWindow: rateLimitWindow ?? null };
}

/** One read by the public id. */
export async function readOauthTokenById(reader: Reader, tokenId: string): Promise<OauthTokenRow | null> {
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_oauth_tokens\` WHERE \`token_id\` = ?`,
    params: [tokenId],
  });
  return rows[0] === undefined ? null : decodeToken(rows[0]);
}

/** Tokens that end after a time, the first to end first; of one client, or of all for null. */
export async function readOauthTokens(
  reader: Reader,
  { clientId, endsAfter }: { readonly clientId: string | null; readonly endsAfter: number },
): Promise<OauthTokenRow[]> {
  const [condition, params]: [string, Param[]] = clientId === null ? ['', []] : [' AND `client_id` = ?', [clientId]];
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_oauth_tokens\` WHERE \`expires_on\` > ?${condition} ORDER BY \`expires_on\`, \`token_id\``,
    params: [endsAfter, ...params],
  });
  return rows.map(decodeToken);
}

export async function insertOauthToken(tx: Tx, token: NewOauthToken): Promise<void> {
  const row: Readonly<Record<string, Param>> = {
    token_hash: token.tokenHash,
    token_id: token.tokenId,
    client_id: token.clientId,
    user_id: token.userId,
    password_mark: token.passwordMark,
    scopes: token.scopes.join(','),
    issued_on: token.issuedOn,
    expires_on: token.expiresOn,
  };
  await insertValues(tx, 'hcd_oauth_tokens', row);
}

/** Ends tokens that have not ended yet; gives how many. */
export async function markOauthTokensRevoked(tx: Tx, selector: OauthTokenSelector, at: number): Promise<number> {
  const [column, value] = conditionOf(selector);
  const { changes } = await tx.run({
    sql: `UPDATE \`hcd_oauth_tokens\` SET \`revoked_on\` = ? WHERE \`${column}\` = ? AND \`expires_on\` > ? AND \`revoked_on\` IS NULL`,
    params: [at, value, at],
  });
  return changes;
}

function conditionOf(selector: OauthTokenSelector): readonly [column: string, value: Param] {
  if ('tokenId' in selector) return ['token_id', selector.tokenId];
  return 'clientId' in selector ? ['client_id', selector.clientId] : ['user_id', selector.userId];
}

/** Removes tokens that ended up to a time; gives how many. */
export async function removeEndedOauthTokens(tx: Tx, endedBy: number): Promise<number> {
  return (await tx.run({ sql: 'DELETE FROM `hcd_oauth_tokens` WHERE `expires_on` <= ?', params: [endedBy] })).changes;
}

function decodeToken(row: RawRow): OauthTokenRow {
  const [tokenHash, tokenId, clientId, userId, passwordMark, scopes, issuedOn, expiresOn, revokedOn] = row;
  return {
    tokenHash: String(tokenHash),
    tokenId: String(tokenId),
    clientId: String(clientId),
    userId: numberOrNull(userId),
    passwordMark: textOrNull(passwordMark),
    scopes: String(scopes)
      .split(',')
      .filter((scope) => scope !== ''),
    issuedOn: Number(issuedOn),
    expiresOn: endOrNull(expiresOn) ?? 0,
    revokedOn: numberOrNull(revokedOn),
  };
}
