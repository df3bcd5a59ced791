/** API keys. Secrets are never in them, only digests. */
import { Op } from 'sequelize';
import type { Tx } from '../../store/base/database.js';
import { end, id, integer, jsonTexts, orNull, text, time } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';

export type ApiKeyRow = RowOf<typeof apiKeys>;

/** How a key is named: by its number, or by the public part of its text. */
export type ApiKeySelector = Pick<ApiKeyRow, 'id'> | Pick<ApiKeyRow, 'lookupId'>;

export const apiKeys = defineModel('hcd_api_keys', {
  id: id(),
  /** 16 hexadecimal digits; public. */
  lookupId: text(16),
  secretHash: text(64),
  /** Digest of the secret before the last rotation, which works until `previousEndsOn`. */
  previousHash: orNull(text(64)),
  previousEndsOn: orNull(end()),
  name: orNull(text(100)),
  /** A damaged list grants nothing. */
  scopes: jsonTexts(),
  /** The user whose content rights decide. */
  userId: orNull(integer()),
  /** Requests in one window; null = the general number. */
  rateLimitMax: orNull(integer()),
  /** Seconds; null = the general length. */
  rateLimitWindow: orNull(integer()),
  expiresOn: orNull(end()),
  revokedOn: orNull(time()),
  rotatedOn: orNull(time()),
  lastUsedOn: orNull(time()),
  createdOn: time(),
  createdBy: text(190),
});

/** Notes when a key was used, unless a use of the last `interval` milliseconds stands there already. */
export async function noteApiKeyUse(
  tx: Tx,
  { id, at, interval }: { readonly id: number; readonly at: number; readonly interval: number },
): Promise<void> {
  const lastUsedOn = { [Op.or]: [null, { [Op.lte]: at - interval }] };
  await apiKeys.on(tx).update({ lastUsedOn: at }, { where: { id, lastUsedOn } });
}
