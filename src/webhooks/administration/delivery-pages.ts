/** Reads and counts deliveries in bounded stretches, so that no statement meets the time limit of statements. */
import type { Param, Reader } from '../../store/base/database.js';
import { byIds, byStatus, type DeliveryStatus, deliveryStatuses, receiversWith } from '../models/deliveries.js';

/** Null and absent = no condition. */
export interface RowFilter {
  readonly statuses: readonly DeliveryStatus[] | null;
  readonly subscriptionId: number | null;
  readonly event?: string;
  /** Created at or after this time. */
  readonly since?: number;
}

export interface Stretch {
  readonly rows: number;
  /** Entries that an index answers without reading rows. */
  readonly entries: number;
}

const usual: Stretch = Object.freeze({ rows: 20_000, entries: 500_000 });

/** Ids after `after`, up to `upTo`. */
interface Span {
  readonly after: number;
  readonly upTo: number;
}

interface Condition {
  readonly sql: string;
  readonly params: readonly Param[];
}

/** Forces an index: a database knows too little about states with few rows. */
interface Way {
  readonly condition: Condition;
  /** Many rows fit, so the ids are the shorter way; else the index is. */
  readonly isWide: boolean;
}

interface DeliveryPageRequest {
  readonly filter: RowFilter;
  readonly limit: number;
  readonly offset: number;
}

/** The newest first. */
export async function pageOfIds(
  reader: Reader,
  { filter, limit, offset }: DeliveryPageRequest,
  stretch: Stretch = usual,
): Promise<number[]> {
  const found: number[] = [];
  let skip = offset;
  const { way, spans } = await plan(reader, filter, stretch);
  for (const span of spans.toReversed()) {
    const passed = skip === 0 ? 0 : await countWithin(reader, way, span);
    if (skip > 0 && passed <= skip) {
      skip -= passed;
      continue;
    }
    const page = { tail: 'ORDER BY `id` DESC LIMIT ? OFFSET ?', params: [limit - found.length, skip] };
    found.push(...(await selectWithin(reader, { way, span, what: '`id`', ...page })));
    if (found.length >= limit) break;
    skip = 0;
  }
  return found;
}

export async function countDeliveries(reader: Reader, filter: RowFilter, stretch: Stretch = usual): Promise<number> {
  const { statuses, subscriptionId, event, since } = filter;
  if (subscriptionId === null && event === undefined && since === undefined) {
    let sum = 0;
    for (const status of statuses ?? deliveryStatuses) {
      for await (const receiver of receiversWith(reader, status)) {
        sum += await countEntries(reader, { status, receiver, most: stretch.entries });
      }
    }
    return sum;
  }
  const { way, spans } = await plan(reader, filter, stretch);
  return sumOf(reader, way, spans);
}

export async function* replayIds(
  reader: Reader,
  { filter, limit }: { readonly filter: RowFilter; readonly limit: number },
  stretch: Stretch = usual,
): AsyncGenerator<readonly number[]> {
  const { way, spans } = await plan(reader, filter, stretch);
  for (const span of spans) {
    let { after } = span;
    for (let isFull = true; isFull; ) {
      const next = { span: { ...span, after }, tail: 'ORDER BY `id` LIMIT ?', params: [limit] };
      const ids = await selectWithin(reader, { way, what: '`id`', ...next });
      if (ids.length > 0) yield ids;
      after = ids.at(-1) ?? after;
      isFull = ids.length === limit;
    }
  }
}

export async function countOfActive(reader: Reader, filter: RowFilter, stretch: Stretch = usual): Promise<number> {
  const { way, spans } = await plan(reader, filter, stretch);
  const ofActive =
    'EXISTS (SELECT 1 FROM `hcd_webhook_subscriptions` `s` WHERE `s`.`id` = `hcd_webhook_deliveries`.`subscription_id` AND `s`.`active` = 1)';
  const { sql, params } = way.condition;
  return sumOf(reader, { ...way, condition: { sql: `${sql} AND ${ofActive}`, params } }, spans);
}

/** One stretch where an index narrows the rows down, else stretches of ids. */
async function plan(
  reader: Reader,
  filter: RowFilter,
  { rows }: Stretch,
): Promise<{ readonly way: Way; readonly spans: readonly Span[] }> {
  const bounds = await readBounds(reader);
  const { statuses, subscriptionId } = filter;
  const whole = spansOf(bounds, Number.POSITIVE_INFINITY);
  // Every value of the first column, so that the index serves.
  const ofSubscription = conditionOf({ statuses: deliveryStatuses, subscriptionId });
  if (subscriptionId !== null && (await isFew(reader, ofSubscription, rows))) {
    const condition = conditionOf({ ...filter, statuses: statuses ?? deliveryStatuses });
    return { way: { condition, isWide: false }, spans: whole };
  }
  const condition = conditionOf(filter);
  const isNarrow = statuses !== null && (await isFew(reader, conditionOf({ statuses, subscriptionId: null }), rows));
  return { way: { condition, isWide: !isNarrow }, spans: isNarrow ? whole : spansOf(bounds, rows) };
}

/** The index answers alone, in the order of times, so one statement may read many entries. */
async function countEntries(
  reader: Reader,
  { status, receiver, most }: { readonly status: DeliveryStatus; readonly receiver: number; readonly most: number },
): Promise<number> {
  const later = '`status` = ? AND `subscription_id` = ? AND `visible_at` > ?';
  const select = (sql: string, params: readonly Param[]) => reader.select({ sql, params, heavy: true });
  let sum = 0;
  for (let after = -1; ; ) {
    const [end] = await select(
      `SELECT \`visible_at\` FROM \`hcd_webhook_deliveries\` WHERE ${later} ORDER BY \`visible_at\` LIMIT 1 OFFSET ?`,
      [status, receiver, after, most - 1],
    );
    const upTo = end?.[0] ?? Number.MAX_SAFE_INTEGER;
    const counted = `SELECT COUNT(*) FROM \`hcd_webhook_deliveries\` WHERE ${later} AND \`visible_at\` <= ?`;
    sum += Number((await select(counted, [status, receiver, after, upTo]))[0]?.[0]);
    if (end === undefined) return sum;
    after = Number(upTo);
  }
}

async function isFew(reader: Reader, { sql, params }: Condition, most: number): Promise<boolean> {
  const counted = `SELECT 1 AS \`found\` FROM \`hcd_webhook_deliveries\`${byStatus(reader.dialect)} WHERE ${sql} LIMIT ?`;
  const [row] = await reader.select({
    sql: `SELECT COUNT(*) FROM (${counted}) AS \`some\``,
    params: [...params, most + 1],
    heavy: true,
  });
  return Number(row?.[0]) <= most;
}

async function readBounds(reader: Reader): Promise<Span | null> {
  const ends = ['MIN', 'MAX'].map((end) => `(SELECT ${end}(\`id\`) FROM \`hcd_webhook_deliveries\`)`);
  const [row] = await reader.select({ sql: `SELECT ${ends.join(', ')}`, params: [] });
  const [first, last] = row ?? [];
  if (first === null || first === undefined || last === null || last === undefined) return null;
  return { after: Number(first) - 1, upTo: Number(last) };
}

function spansOf(bounds: Span | null, size: number): readonly Span[] {
  if (bounds === null) return [];
  const spans: Span[] = [];
  for (let { after } = bounds; after < bounds.upTo; ) {
    const upTo = Math.min(bounds.upTo, after + size);
    spans.push({ after, upTo });
    after = upTo;
  }
  return spans;
}

async function sumOf(reader: Reader, way: Way, spans: readonly Span[]): Promise<number> {
  let sum = 0;
  for (const span of spans) sum += await countWithin(reader, way, span);
  return sum;
}

async function countWithin(reader: Reader, way: Way, span: Span): Promise<number> {
  const [count = 0] = await selectWithin(reader, { way, span, what: 'COUNT(*)', tail: '', params: [] });
  return count;
}

interface WithinQuestion {
  readonly way: Way;
  readonly span: Span;
  readonly what: string;
  readonly tail: string;
  readonly params: readonly number[];
}

async function selectWithin(reader: Reader, { way, span, what, tail, params }: WithinQuestion): Promise<number[]> {
  const { condition, isWide } = way;
  const hint = isWide ? byIds(reader.dialect) : byStatus(reader.dialect);
  const rows = await reader.select({
    sql: `SELECT ${what} FROM \`hcd_webhook_deliveries\`${hint} WHERE ${condition.sql} AND \`id\` > ? AND \`id\` <= ? ${tail}`,
    params: [...condition.params, span.after, span.upTo, ...params],
    heavy: true,
  });
  return rows.map(([value]) => Number(value));
}

function conditionOf({ statuses, subscriptionId, event, since }: RowFilter): Condition {
  const parts: readonly (Condition | null)[] = [
    statuses && { sql: `\`status\` IN (${statuses.map(() => '?').join(', ')})`, params: statuses },
    subscriptionId === null ? null : { sql: '`subscription_id` = ?', params: [subscriptionId] },
    event === undefined ? null : { sql: '`event` = ?', params: [event] },
    since === undefined ? null : { sql: '`created_on` >= ?', params: [since] },
  ];
  const given = parts.filter((part) => part !== null);
  if (given.length === 0) return { sql: '1 = 1', params: [] };
  return { sql: given.map(({ sql }) => sql).join(' AND '), params: given.flatMap(({ params }) => params) };
}
