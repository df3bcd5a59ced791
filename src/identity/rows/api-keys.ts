/** Rows of `hcd_api_keys`. Secrets are never in them, only digests; times are Unix milliseconds. */

import { endOrNull, numberOrNull, textOrNull } from '../../store/base/cells.js';
import type { Param, RawRow, Reader, Tx } from '../../store/base/database.js';
import { insertValues } from '../../store/base/insert-values.js';

export interface ApiKeyRow {
  readonly id: number;
  /** 16 hexadecimal digits; public. */
  readonly lookupId: string;
  readonly secretHash: string;
  /** Digest of the secret before the last rotation, which works until `previousEndsOn`. */
  readonly previousHash: string | null;
  readonly previousEndsOn: number | null;
  readonly name: string | null;
  readonly scopes: readonly string[];
  /** The user whose content rights decide. */
  readonly userId: number | null;
  /** Requests in one window; null = the general number. */
  readonly rateLimitMax: number | null;
  /** Seconds; null = the general length. */
  readonly rateLimitWindow: number | null;
  readonly expiresOn: number | null;
  readonly revokedOn: number | null;
  readonly rotatedOn: number | null;
  readonly lastUsedOn: number | null;
  readonly createdOn: number;
  readonly createdBy: string;
}

export type NewApiKey = Pick<
  ApiKeyRow,
  | 'lookupId'
  | 'secretHash'
  | 'name'
  | 'scopes'
  | 'userId'
  | 'rateLimitMax'
  | 'rateLimitWindow'
  | 'expiresOn'
  | 'createdOn'
  | 'createdBy'
>;

/** How a key is named: by its number, or by the public part of its text. */
export type ApiKeySelector = { readonly id: number } | { readonly lookupId: string };

/** A new secret for the key that still has the expected one. */
export interface ApiKeyRotation {
  readonly id: number;
  readonly expectedHash: string;
  readonly secretHash: string;
  /** Until when the old secret works as well; null = it ends now. */
  readonly previousEndsOn: number | null;
  readonly at: number;
}

const columns = [
  'id',
  'lookup_id',
  'secret_hash',
  'previous_hash',
  'previous_ends_on',
  'name',
  'scopes',
  'user_id',
  'rate_limit_max',
  'rate_limit_window',
  'expires_on',
  'revoked_on',
  'rotated_on',
  'last_used_on',
  'created_on',
  'created_by',
]
  .map((name) => `\`${name}\``)
  .join(', ');

/** One read by an unique index; null when there is no such key. */
export async function readApiKey(reader: Reader, selector: ApiKeySelector): Promise<ApiKeyRow | null> {
  const [column, value] = 'id' in selector ? ['id', selector.id] : ['lookup_id', selector.lookupId];
  const rows = await reader.select({
    sql: `SELECT ${columns} FROM \`hcd_api_keys\` WHERE \`${column}\` = ?`,
    params: [value],
  });
  return rows[0] === undefined ? null : decodeApiKey(rows[0]);
}

/** All keys, the oldest first. */
export async function readApiKeys(reader: Reader): Promise<ApiKeyRow[]> {
  const rows = await reader.select({ sql: `SELECT ${columns} FROM \`hcd_api_keys\` ORDER BY \`id\``, params: [] });
  return rows.map(decodeApiKey);
}

/** Adds a key and gives its id. Throws conflict when the lookup id is taken. */
export async function insertApiKey(tx: Tx, key: NewApiKey): Promise<number> {
  const row: Readonly<Record<string, Param>> = {
    lookup_id: key.lookupId,
    secret_hash: key.secretHash,
    name: key.name,
    scopes: JSON.stringify(key.scopes),
    user_id: key.userId,
    rate_limit_max: key.rateLimitMax,
    rate_limit_window: key.rateLimitWindow,
    expires_on: key.expiresOn,
    created_on: key.createdOn,
    created_by: key.createdBy,
  };
  return insertValues(tx, 'hcd_api_keys', row);
}

/** Ends the key for good; a key that was revoked before keeps its time. */
export async function markApiKeyRevoked(tx: Tx, id: number, at: number): Promise<void> {
  await tx.run({
    sql: 'UPDATE `hcd_api_keys` SET `revoked_on` = ? WHERE `id` = ? AND `revoked_on` IS NULL',
    params: [at, id],
  });
}

/** False when somebody else rotated or revoked the key meanwhile. */
export async function replaceApiKeySecret(tx: Tx, rotation: ApiKeyRotation): Promise<boolean> {
  const { id, expectedHash, secretHash, previousEndsOn, at } = rotation;
  const { changes } = await tx.run({
    sql: 'UPDATE `hcd_api_keys` SET `secret_hash` = ?, `previous_hash` = ?, `previous_ends_on` = ?, `rotated_on` = ? WHERE `id` = ? AND `secret_hash` = ? AND `revoked_on` IS NULL',
    params: [secretHash, previousEndsOn === null ? null : expectedHash, previousEndsOn, at, id, expectedHash],
  });
  return changes > 0;
}

/** Notes when a key was used, unless a use of the last `interval` milliseconds stands there already. */
export async function noteApiKeyUse(
  tx: Tx,
  use: { readonly id: number; readonly at: number; readonly interval: number },
): Promise<void> {
  await tx.run({
    sql: 'UPDATE `hcd_api_keys` SET `last_used_on` = ? WHERE `id` = ? AND (`last_used_on` IS NULL OR `last_used_on` <= ?)',
    params: [use.at, use.id, use.at - use.interval],
  });
}

function decodeApiKey(row: RawRow): ApiKeyRow {
  const [id, lookupId, secretHash, previousHash, previousEndsOn, name, scopes, userId, ...rest] = row;
  const [rateLimitMax, rateLimitWindow, expiresOn, revokedOn, rotatedOn, lastUsedOn, createdOn, createdBy] = rest;
  return {
    id: Number(id),
    lookupId: String(lookupId),
    secretHash: String(secretHash),
    previousHash: textOrNull(previousHash),
    previousEndsOn: endOrNull(previousEndsOn),
    name: textOrNull(name),
    scopes: decodeScopes(String(scopes)),
    userId: numberOrNull(userId),
    rateLimitMax: numberOrNull(rateLimitMax),
    rateLimitWindow: numberOrNull(rateLimitWindow),
    expiresOn: endOrNull(expiresOn),
    revokedOn: numberOrNull(revokedOn),
    rotatedOn: numberOrNull(rotatedOn),
    lastUsedOn: numberOrNull(lastUsedOn),
    createdOn: Number(createdOn),
    createdBy: String(createdBy),
  };
}

/** Text that is no list of texts grants nothing: a damaged row must not open a site. */
function decodeScopes(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter((scope) => typeof scope === 'string') : [];
  } catch {
    return [];
  }
}
