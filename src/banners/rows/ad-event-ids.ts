/** Which clicks and impressions have given ids, for an import that keeps the ids of its file. */

import type { Reader } from '../../store/base/database.js';
import { batchesOf } from '../../values/batches.js';
import type { EventKind, EventRow } from './ad-events.js';

/** What an export tells of an event without cutting it, but for the milliseconds of `at`. */
export type EventFacts = Pick<EventRow, 'ad' | 'position' | 'at'>;

const sources: Readonly<Record<EventKind, { readonly table: string; readonly moment: string }>> = Object.freeze({
  clicks: { table: '`hcd_ad_clicks`', moment: '`clicked_on`' },
  impressions: { table: '`hcd_ad_impressions`', moment: '`shown_on`' },
});

/** Ids of one statement. */
const together = 200;

/** The events that have one of the ids. */
export async function readEventsById(
  reader: Reader,
  kind: EventKind,
  ids: readonly number[],
): Promise<Map<number, EventFacts>> {
  const { table, moment } = sources[kind];
  const found = new Map<number, EventFacts>();
  for (const part of batchesOf(ids, together)) {
    const sql = `SELECT \`id\`, \`ad\`, \`position\`, ${moment} FROM ${table} WHERE \`id\` IN (${part.map(() => '?').join(', ')})`;
    for (const [id, ad, position, at] of await reader.select({ sql, params: part })) {
      found.set(Number(id), { ad: Number(ad), position: Number(position), at: Number(at) });
    }
  }
  return found;
}
