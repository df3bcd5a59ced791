/** Clicks and impressions in the order of time, page by page: each page begins behind the last row of the one before. */
import type { RawRow, Reader } from '../../store/base/database.js';
import type { EventKind } from './ad-events.js';
import { allOf, eventColumns } from './ad-statistics.js';

/** Where the next page begins: behind this row. */
export interface EventPlace {
  /** Unix milliseconds. */
  readonly at: number;
  readonly id: number;
}

export interface EventPageQuestion {
  readonly kind: EventKind;
  /** First moment, and first moment after; null = open. */
  readonly from: number | null;
  readonly to: number | null;
  /** 0 = all. */
  readonly position: number;
  readonly after: EventPlace | null;
  readonly limit: number;
}

/**
 * One event as it was read: id, moment, banner, position, address, referrer, order; the last two are null of impressions.
 * A file has so many of them that each is taken apart only where its line is written.
 */
export type ExportedEvent = RawRow;

/** Where the page goes on behind the row. */
export function placeOf([id, at]: ExportedEvent): EventPlace {
  return { at: Number(at), id: Number(id) };
}

/** Few rows, read in one go from the index of time; only those of one position may have to be searched for. */
export async function readEventPage(reader: Reader, question: EventPageQuestion): Promise<readonly ExportedEvent[]> {
  const { kind, from, to, position, after, limit } = question;
  const { table, at } = eventColumns[kind];
  const begin = after === null ? from : after.at;
  const { condition, params } = allOf([
    begin === null ? null : [`${at} >= ?`, begin],
    to === null ? null : [`${at} < ?`, to],
    position === 0 ? null : ['`position` = ?', position],
  ]);
  const behind =
    after === null ? '' : `${condition === '' ? ' WHERE' : ' AND'} (${at} > ? OR (${at} = ? AND \`id\` > ?))`;
  const own = kind === 'clicks' ? '`referrer`, `order_id`' : 'NULL, NULL';
  return reader.select({
    sql: `SELECT \`id\`, ${at}, \`ad\`, \`position\`, \`ip\`, ${own} FROM ${table}${condition}${behind} ORDER BY ${at}, \`id\` LIMIT ?`,
    params: [...params, ...(after === null ? [] : [after.at, after.at, after.id]), limit],
    heavy: position !== 0,
  });
}
