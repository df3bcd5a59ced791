/** Which ids of clicks and impressions are in use, for an import that keeps the ids of its file. */
import type { Reader } from '../database.js';
import type { EventKind } from './ad-events.js';

const tables: Readonly<Record<EventKind, string>> = Object.freeze({
  clicks: '`hcd_ad_clicks`',
  impressions: '`hcd_ad_impressions`',
});

/** Ids of one statement. */
const together = 200;

/** Those of the ids that a row has. */
export async function usedEventIds(reader: Reader, kind: EventKind, ids: readonly number[]): Promise<Set<number>> {
  const used = new Set<number>();
  for (let start = 0; start < ids.length; start += together) {
    const part = ids.slice(start, start + together);
    const sql = `SELECT \`id\` FROM ${tables[kind]} WHERE \`id\` IN (${part.map(() => '?').join(', ')})`;
    for (const [id] of await reader.select({ sql, params: part })) used.add(Number(id));
  }
  return used;
}
