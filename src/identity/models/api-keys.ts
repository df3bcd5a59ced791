/** API keys, without secrets: only digests are stored. */
import { Op } from 'sequelize';
import type { Tx } from '../../store/base/database.js';
import { end, id, integer, jsonTexts, orNull, text, time } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';
import { limitColumns, secretColumns, useInterval } from '../credentials/secrets.js';

export type ApiKeyRow = RowOf<typeof apiKeys>;

/** By number, or by the public part of the text. */
export type ApiKeySelector = Pick<ApiKeyRow, 'id'> | Pick<ApiKeyRow, 'lookupId'>;

export const apiKeys = defineModel('hcd_api_keys', {
  id: id(),
  /** 16 hexadecimal digits; public. */
  lookupId: text(16),
  ...secretColumns,
  name: orNull(text(100)),
  /** A damaged list grants nothing. */
  scopes: jsonTexts(),
  userId: orNull(integer()),
  ...limitColumns,
  expiresOn: orNull(end()),
  createdOn: time(),
  createdBy: text(190),
});

/** Writes unless a use was noted just before. */
export async function noteApiKeyUse(tx: Tx, id: number, at: number): Promise<void> {
  const lastUsedOn = { [Op.or]: [null, { [Op.lte]: at - useInterval }] };
  await apiKeys.on(tx).update({ lastUsedOn: at }, { where: { id, lastUsedOn } });
}
