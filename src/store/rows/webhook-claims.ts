/**
 * Taking deliveries from `hcd_webhook_deliveries` for sending. A claim is a conditional update that leaves a token in the
 * row; whoever lost the lease finds another token and changes nothing.
 */
import type { Param, RawRow, Reader, Statement, Tx } from '../database.js';
import { byIds, idList } from './webhook-id-list.js';
import { isOpen, openStatuses } from './webhook-statuses.js';

/** The first open delivery of an active subscription. */
export interface NextDelivery {
  readonly subscriptionId: number;
  /** When it is due, or when the lease on it ends; Unix milliseconds. */
  readonly dueOn: number;
}

export interface ClaimRequest {
  readonly wanted: readonly { readonly subscriptionId: number; readonly places: number }[];
  /** Written into the rows that are won; 32 hexadecimal digits. */
  readonly claim: string;
  /** Who claims, for people. */
  readonly claimedBy: string;
  readonly now: number;
  readonly leaseMs: number;
  /** Choose among so many times the wanted number: workers that met at the same rows do not meet again. */
  readonly spread: number;
  /** From 0 up to 1. */
  readonly random: () => number;
}

export interface Claimed {
  readonly won: readonly ClaimedDelivery[];
  /** Deliveries that were due and that another worker took first. */
  readonly missed: number;
}

export interface ClaimedDelivery {
  readonly id: number;
  readonly subscriptionId: number;
  readonly eventId: string;
  readonly event: string;
  readonly body: string;
  readonly url: string;
  /** Sealed, the newest first. */
  readonly secrets: readonly string[];
  /** The one that begins now included. */
  readonly attempts: number;
  readonly claim: string;
}

const claimedColumns = '`id`, `subscription_id`, `event_id`, `event`, `body`, `url`, `secrets`, `attempts`, `claim`';

/** For each active subscription with open deliveries the first one: one step into the index for each of the two states. */
export async function readNextDeliveries(reader: Reader): Promise<NextDelivery[]> {
  const firsts = openStatuses.map(
    (status) => `(SELECT \`d\`.\`visible_at\` FROM \`hcd_webhook_deliveries\` \`d\`
      WHERE \`d\`.\`status\` = '${status}' AND \`d\`.\`subscription_id\` = \`s\`.\`id\` ORDER BY \`d\`.\`visible_at\`, \`d\`.\`id\` LIMIT 1)`,
  );
  const sql = `SELECT \`s\`.\`id\`, ${firsts.join(', ')} FROM \`hcd_webhook_subscriptions\` \`s\` WHERE \`s\`.\`active\` = 1`;
  const rows = await reader.select({ sql, params: [] });
  return rows.flatMap(([id, ...times]) => {
    const dueOn = Math.min(...times.filter((time) => time !== null).map(Number));
    return Number.isFinite(dueOn) ? [{ subscriptionId: Number(id), dueOn }] : [];
  });
}

/** Claims up to the wanted numbers of due deliveries, for each subscription the oldest first. What another worker took meanwhile is left out. */
export async function claimDeliveries(tx: Tx, request: ClaimRequest): Promise<Claimed> {
  const { claim, claimedBy, now, leaseMs } = request;
  const chosen = choose(await tx.select(dueStatement(request)), request);
  if (chosen.length === 0) return { won: [], missed: 0 };
  // In one order everywhere, so that workers do not wait in a circle.
  const { marks, params } = idList(chosen.toSorted((left, right) => left - right));
  await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\`${byIds(tx.dialect)}
      SET \`status\` = 'delivering', \`attempts\` = \`attempts\` + 1, \`claim\` = ?, \`claimed_by\` = ?, \`visible_at\` = ?
      WHERE \`id\` IN (${marks}) AND ${isOpen} AND \`visible_at\` <= ?`,
    params: [claim, claimedBy, now + leaseMs, ...params, now],
  });
  const rows = await tx.select({
    sql: `SELECT ${claimedColumns}
      FROM \`hcd_webhook_deliveries\`${byIds(tx.dialect)} WHERE \`id\` IN (${marks}) AND \`claim\` = ?`,
    params: [...params, claim],
  });
  const turns = new Map(chosen.map((id, turn) => [id, turn]));
  const won = rows.map(decodeClaimed).sort((left, right) => (turns.get(left.id) ?? 0) - (turns.get(right.id) ?? 0));
  return { won, missed: chosen.length - won.length };
}

export interface ClaimOneRequest extends Pick<ClaimRequest, 'claim' | 'claimedBy' | 'now' | 'leaseMs'> {
  readonly id: number;
}

/** Claims one delivery that waits, whether it is due or not; null when it is under way or finished. */
export async function claimDelivery(tx: Tx, request: ClaimOneRequest): Promise<ClaimedDelivery | null> {
  const { id, claim, claimedBy, now, leaseMs } = request;
  await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\`
      SET \`status\` = 'delivering', \`attempts\` = \`attempts\` + 1, \`claim\` = ?, \`claimed_by\` = ?, \`visible_at\` = ?
      WHERE \`id\` = ? AND \`status\` = 'pending'`,
    params: [claim, claimedBy, now + leaseMs, id],
  });
  const rows = await tx.select({
    sql: `SELECT ${claimedColumns} FROM \`hcd_webhook_deliveries\` WHERE \`id\` = ? AND \`claim\` = ?`,
    params: [id, claim],
  });
  return rows[0] === undefined ? null : decodeClaimed(rows[0]);
}

/** The wanted number of each subscription, those that are due longest first. */
function choose(candidates: readonly RawRow[], { wanted, spread, random }: ClaimRequest): number[] {
  return wanted.flatMap(({ subscriptionId, places }) => {
    const own = candidates
      .filter(([, of]) => Number(of) === subscriptionId)
      .map(([id, , dueOn]) => ({ id: Number(id), dueOn: Number(dueOn) }))
      .sort((left, right) => left.dueOn - right.dueOn || left.id - right.id)
      .map(({ id }) => id);
    const first = spread === 1 ? 0 : Math.floor(random() * Math.max(1, own.length - places + 1));
    return own.slice(first, first + places);
  });
}

/**
 * The due deliveries of each wanted subscription that is still active, those that wait and those whose lease has ended: one
 * walk along the index for each.
 */
export function dueStatement({ wanted, now, spread }: Pick<ClaimRequest, 'wanted' | 'now' | 'spread'>): Statement {
  const walk = (status: string) => `SELECT * FROM (SELECT \`d\`.\`id\`, \`d\`.\`subscription_id\`, \`d\`.\`visible_at\`
    FROM \`hcd_webhook_subscriptions\` \`s\` JOIN \`hcd_webhook_deliveries\` \`d\` ON \`d\`.\`subscription_id\` = \`s\`.\`id\`
    WHERE \`s\`.\`id\` = ? AND \`s\`.\`active\` = 1 AND \`d\`.\`status\` = '${status}' AND \`d\`.\`subscription_id\` = ? AND \`d\`.\`visible_at\` <= ?
    ORDER BY \`d\`.\`visible_at\`, \`d\`.\`id\` LIMIT ?)`;
  return {
    sql: wanted
      .flatMap((_, at) => openStatuses.map((status) => `${walk(status)} AS \`${status}_${at}\``))
      .join(' UNION ALL '),
    params: wanted.flatMap(({ subscriptionId, places }) =>
      openStatuses.flatMap((): Param[] => [subscriptionId, subscriptionId, now, places * spread]),
    ),
  };
}

function decodeClaimed(row: RawRow): ClaimedDelivery {
  const [id, subscriptionId, eventId, event, body, url, secrets, attempts, claim] = row;
  return {
    id: Number(id),
    subscriptionId: Number(subscriptionId),
    eventId: String(eventId),
    event: String(event),
    body: String(body),
    url: String(url),
    secrets: String(secrets).split(' '),
    attempts: Number(attempts),
    claim: String(claim),
  };
}
