/** Removes old rows of clicks and impressions. The sums of their days stay. */
import type { Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/state/ledger.js';
import type { EventKind } from './ad-events.js';

const tables: Readonly<Record<EventKind, { readonly name: string; readonly time: string }>> = Object.freeze({
  clicks: { name: 'hcd_ad_clicks', time: 'clicked_on' },
  impressions: { name: 'hcd_ad_impressions', time: 'shown_on' },
});

export interface OldEvents {
  readonly kind: EventKind;
  /** Milliseconds. */
  readonly olderThan: number;
  readonly most: number;
}

/** Removes the oldest events that are older than so many milliseconds, so many at most; gives how many there were. */
export async function removeOldEvents(tx: Tx, { kind, olderThan, most }: OldEvents): Promise<number> {
  const { name, time } = tables[kind];
  // The inner table makes MariaDB take a LIMIT here.
  const old = `SELECT \`id\` FROM (SELECT \`id\` FROM \`${name}\` WHERE \`${time}\` < ${nowMilliseconds(tx.dialect)} - ? ORDER BY \`${time}\`, \`id\` LIMIT ?) AS \`old\``;
  const sql = `DELETE FROM \`${name}\` WHERE \`id\` IN (${old})`;
  return (await tx.run({ sql, params: [olderThan, most] })).changes;
}
