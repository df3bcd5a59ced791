/** Previews, without tokens: only digests are stored. */

import { Op } from 'sequelize';
import type { Tx } from '../../store/base/database.js';
import { end, fromNow, id, integer, named, orNull, text, time } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';
import { dayMs } from '../../values/dates.js';

export type PreviewRow = RowOf<typeof previews>;

export const previews = defineModel('hcd_previews', {
  id: id(),
  /** 16 hexadecimal digits; public. */
  lookupId: text(16),
  secretHash: text(64),
  context: named('context_key', text(100)),
  resource: named('resource_id', orNull(integer())),
  /** Of the page document at the time; null = there was none. */
  draftRevision: orNull(integer()),
  /** The user whose content rights decide; null = those of anonymous callers. */
  userId: orNull(integer()),
  expiresOn: end(),
  revokedOn: orNull(time()),
  createdOn: time(),
  /** `api_key:5f0c1f9e8d7a6b43`, `access_token:5f0c1f9e8d7a6b43`, `session:7` (of user 7) or `command`. */
  createdBy: text(190),
  /** Digest of the id of the session here that made it; null = none did. */
  sessionHash: orNull(text(64)),
  /** Sealed id of the CMS's session that made it; null = none did. */
  cmsSession: orNull(text(320)),
});

const keptFor = 30 * dayMs;

export function removeEndedPreviews(tx: Tx, limit: number): Promise<number> {
  return previews.on(tx).destroy({ where: { expiresOn: { [Op.lte]: fromNow(tx, -keptFor) } }, limit });
}
