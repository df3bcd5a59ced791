/** Rows of `hcd_oauth_clients`. Secrets are never in them, only digests; times are Unix milliseconds. */

import { endOrNull, numberOrNull } from '../../store/base/cells.js';
import type { Param, RawRow, Reader, Tx } from '../../store/base/database.js';
import { insertValues } from '../../store/base/insert-values.js';

export interface OauthClientRow {
  /** Chosen by whoever made the client; up to 64 characters, compared exactly. */
  readonly clientId: string;
  readonly secretHash: string;
  /** Digest of the secret before the last rotation, which works until `previousEndsOn`. */
  readonly previousHash: string | null;
  readonly previousEndsOn: number | null;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly grants: readonly string[];
  /** Requests of each of its tokens in one window; null = the general value. */
  readonly rateLimitMax: number | null;
  /** Seconds. */
  readonly rateLimitWindow: number | null;
  readonly revokedOn: number | null;
  readonly rotatedOn: number | null;
  /** When it last got a token. */
  readonly lastUsedOn: number | null;
  readonly createdOn: number;
  readonly createdBy: string;
}

export type NewOauthClient = Pick<
  OauthClientRow,
  | 'clientId'
  | 'secretHash'
  | 'name'
  | 'scopes'
  | 'grants'
  | 'rateLimitMax'
  | 'rateLimitWindow'
  | 'createdOn'
  | 'createdBy'
>;

/** A new secret for the client that still has the expected one. */
export interface OauthClientRotation {
  readonly clientId: string;
  readonly expectedHash: string;
  readonly secretHash: string;
  /** Until when the old secret works as well; null = it ends now. */
  readonly previousEndsOn: number | null;
  readonly at: number;
}

const columns = [
  'client_id',
  'secret_hash',
  'previous_hash',
  'previous_ends_on',
  'name',
  'scopes',
  'grants',
  'rate_limit_max',
  'rate_limit_window',
  'revoked_on',
  'rotated_on',
  'last_used_on',
  'created_on',
  'created_by',
]
  .map((name) => `\`${name}\``)
  .join(', ');

/** One read by the primary key; null when there is no such client. */
export async function readOauthClient(reader: Reader, clientId: string): Promise<OauthClientRow | null> {
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_oauth_clients\` WHERE \`client_id\` = ?`,
    params: [clientId],
  });
  return rows[0] === undefined ? null : decodeClient(rows[0]);
}

/** All clients, the oldest first. */
export async function readOauthClients(reader: Reader): Promise<OauthClientRow[]> {
  const sql = `SELECT ${columns} FROM \`hcd_oauth_clients\` ORDER BY \`created_on\`, \`client_id\``;
  return (await reader.select({ sql, params: [] })).map(decodeClient);
}

/** Throws conflict when the id is taken. */
export async function insertOauthClient(tx: Tx, client: NewOauthClient): Promise<void> {
  const row: Readonly<Record<string, Param>> = {
    client_id: client.clientId,
    secret_hash: client.secretHash,
    name: client.name,
    scopes: client.scopes.join(','),
    grants: client.grants.join(','),
    rate_limit_max: client.rateLimitMax,
    rate_limit_window: client.rateLimitWindow,
    created_on: client.createdOn,
    created_by: client.createdBy,
  };
  await insertValues(tx, 'hcd_oauth_clients', row);
}

/** Ends the client for good; one that was revoked before keeps its time. */
export async function markOauthClientRevoked(tx: Tx, clientId: string, at: number): Promise<void> {
  await tx.run({
    sql: 'UPDATE `hcd_oauth_clients` SET `revoked_on` = ? WHERE `client_id` = ? AND `revoked_on` IS NULL',
    params: [at, clientId],
  });
}

/** Notes that the client got a token. */
export async function noteOauthClientUse(tx: Tx, clientId: string, at: number): Promise<void> {
  await tx.run({
    sql: 'UPDATE `hcd_oauth_clients` SET `last_used_on` = ? WHERE `client_id` = ?',
    params: [at, clientId],
  });
}

/** False when somebody else rotated or revoked the client meanwhile. */
export async function replaceOauthClientSecret(tx: Tx, rotation: OauthClientRotation): Promise<boolean> {
  const { clientId, expectedHash, secretHash, previousEndsOn, at } = rotation;
  const { changes } = await tx.run({
    sql: 'UPDATE `hcd_oauth_clients` SET `secret_hash` = ?, `previous_hash` = ?, `previous_ends_on` = ?, `rotated_on` = ? WHERE `client_id` = ? AND `secret_hash` = ? AND `revoked_on` IS NULL',
    params: [secretHash, previousEndsOn === null ? null : expectedHash, previousEndsOn, at, clientId, expectedHash],
  });
  return changes > 0;
}

function decodeClient(row: RawRow): OauthClientRow {
  const [clientId, secretHash, previousHash, previousEndsOn, name, scopes, grants, ...rest] = row;
  const [rateLimitMax, rateLimitWindow, revokedOn, rotatedOn, lastUsedOn, createdOn, createdBy] = rest;
  return {
    clientId: String(clientId),
    secretHash: String(secretHash),
    previousHash: previousHash === null || previousHash === undefined ? null : String(previousHash),
    previousEndsOn: endOrNull(previousEndsOn),
    name: String(name),
    scopes: splitList(String(scopes)),
    grants: splitList(String(grants)),
    rateLimitMax: numberOrNull(rateLimitMax),
    rateLimitWindow: numberOrNull(rateLimitWindow),
    revokedOn: numberOrNull(revokedOn),
    rotatedOn: numberOrNull(rotatedOn),
    lastUsedOn: numberOrNull(lastUsedOn),
    createdOn: Number(createdOn),
    createdBy: String(createdBy),
  };
}

/** Scopes and grants are comma lists in the store. */
function splitList(text: string): readonly string[] {
  return text.split(',').filter((part) => part !== '');
}
