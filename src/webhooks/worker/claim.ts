/** Takes due deliveries for this worker, which no other worker has as long as the lease lasts. */
import { randomId } from '../../crypto/random.js';
import type { Database, DialectName, Param, RawRow, Reader, Statement, Tx } from '../../store/base/database.js';
import { byIds, idList, isOpen, openStatuses } from '../models/deliveries.js';
import type { DecidingTime } from '../rules/deciding-time.js';
import type { DueReceiver, Share } from './fair-share.js';

/** The whole of one send, and what is left for recording it. */
export const sendDeadlineMs = 15_000;
export const leaseMs = sendDeadlineMs + 15_000;

export interface ClaimDeps {
  readonly own: Database;
  readonly time: DecidingTime;
  /** Who claims, for people. */
  readonly claimedBy: string;
  /** From 0 up to 1. */
  readonly random: () => number;
}

export interface Outlook {
  /** Receivers with deliveries that are due. */
  readonly due: readonly DueReceiver[];
  /** Those of them where a lease has ended, so that another worker may take over what is not recorded. */
  readonly ended: ReadonlySet<number>;
  /** Milliseconds until the next one is due; null when none is open. */
  readonly nextInMs: number | null;
}

/** What there is to do, without a lock: a worker with nothing to do does not keep others from writing. */
export async function lookAhead({ own, time }: ClaimDeps): Promise<Outlook> {
  const { next, now } = await readNextDeliveries(own.primary, time(own.dialect));
  const later = next.filter(({ dueOn }) => dueOn > now).map(({ dueOn }) => dueOn - now);
  const ended = next.filter(({ leaseEndsOn }) => leaseEndsOn !== null && leaseEndsOn <= now);
  return {
    ended: new Set(ended.map(({ subscriptionId }) => subscriptionId)),
    due: next.filter(({ dueOn }) => dueOn <= now).map(({ subscriptionId, dueOn }) => ({ subscriptionId, dueOn })),
    nextInMs: later.length === 0 ? null : Math.min(...later),
  };
}

interface ClaimQuestion {
  readonly shares: readonly Share[];
  /** The last claim met other workers: choose among more deliveries than are wanted. */
  readonly isCrowded: boolean;
  /** Receivers where a lease has ended. */
  readonly ended: ReadonlySet<number>;
}

const crowdedSpread = 8;

/** Claims up to the shared places. A claim that was not answered counts as none: its leases end by themselves. */
export async function claim(deps: ClaimDeps, { shares, isCrowded, ended }: ClaimQuestion): Promise<Claimed> {
  const { own, time, claimedBy, random } = deps;
  if (shares.length === 0) return { won: [], missed: 0 };
  const token = randomId();
  const spread = isCrowded ? crowdedSpread : 1;
  const request = {
    wanted: shares.map((share) => ({ ...share, withEnded: ended.has(share.subscriptionId) })),
    ...{ claim: token, claimedBy, leaseMs, spread, random, time: time(own.dialect) },
  };
  return own.write((tx) => claimDeliveries(tx, request), { isOneStatement: true });
}

/** The first open delivery of an active subscription. */
interface NextDelivery {
  readonly subscriptionId: number;
  /** When it is due, or when the lease on it ends; Unix milliseconds. */
  readonly dueOn: number;
  /** When the first lease ends; null when none is held. */
  readonly leaseEndsOn: number | null;
}

interface WantedDeliveries {
  readonly subscriptionId: number;
  readonly places: number;
  /** Also those whose lease has ended; usually there are none. */
  readonly withEnded: boolean;
}

interface ClaimRequest {
  readonly wanted: readonly WantedDeliveries[];
  /** Written into the rows that are won; 32 hexadecimal digits. */
  readonly claim: string;
  /** Who claims, for people. */
  readonly claimedBy: string;
  /** The SQL expression of the time that decides. */
  readonly time: string;
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

interface NextDeliveries {
  readonly next: readonly NextDelivery[];
  /** The time that decides; 0 where there is no active subscription. */
  readonly now: number;
}

/**
 * For each active subscription with open deliveries the first one: one step into the index for each of the two states.
 * `time` is the SQL expression of the time that decides.
 */
export async function readNextDeliveries(reader: Reader, time: string): Promise<NextDeliveries> {
  const firsts = openStatuses.map(
    (status) => `(SELECT \`d\`.\`visible_at\` FROM \`hcd_webhook_deliveries\` \`d\`
      WHERE \`d\`.\`status\` = '${status}' AND \`d\`.\`subscription_id\` = \`s\`.\`id\` ORDER BY \`d\`.\`visible_at\`, \`d\`.\`id\` LIMIT 1)`,
  );
  const sql = `SELECT \`s\`.\`id\`, ${time}, ${firsts.join(', ')} FROM \`hcd_webhook_subscriptions\` \`s\` WHERE \`s\`.\`active\` = 1`;
  const rows = await reader.select({ sql, params: [] });
  const next = rows.flatMap(([id, , dueOn, leaseEndsOn]) => {
    const times = [dueOn, leaseEndsOn].filter((at) => typeof at === 'number');
    if (times.length === 0) return [];
    const lease = typeof leaseEndsOn === 'number' ? leaseEndsOn : null;
    return [{ subscriptionId: Number(id), dueOn: Math.min(...times), leaseEndsOn: lease }];
  });
  return { next, now: Number(rows[0]?.[1] ?? 0) };
}

/** Claims up to the wanted numbers of due deliveries, for each subscription the oldest first. What another worker took meanwhile is left out. */
async function claimDeliveries(tx: Tx, request: ClaimRequest): Promise<Claimed> {
  const { claim, claimedBy, time, leaseMs } = request;
  const chosen = choose(await tx.select(dueStatement(tx.dialect, request)), request);
  if (chosen.length === 0) return { won: [], missed: 0 };
  // In one order everywhere, so that workers do not wait in a circle.
  const { marks, params } = idList(chosen.toSorted((left, right) => left - right));
  await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\`${byIds(tx.dialect)}
      SET \`status\` = 'delivering', \`attempts\` = \`attempts\` + 1, \`claim\` = ?, \`claimed_by\` = ?, \`visible_at\` = ${time} + ?
      WHERE \`id\` IN (${marks}) AND ${isOpen} AND \`visible_at\` <= ${time}`,
    params: [claim, claimedBy, leaseMs, ...params],
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

interface ClaimOneRequest extends Pick<ClaimRequest, 'claim' | 'claimedBy' | 'time' | 'leaseMs'> {
  readonly id: number;
}

/** Claims one delivery that waits, whether it is due or not; null when it is under way or finished. */
export async function claimDelivery(tx: Tx, request: ClaimOneRequest): Promise<ClaimedDelivery | null> {
  const { id, claim, claimedBy, time, leaseMs } = request;
  await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\`
      SET \`status\` = 'delivering', \`attempts\` = \`attempts\` + 1, \`claim\` = ?, \`claimed_by\` = ?, \`visible_at\` = ${time} + ?
      WHERE \`id\` = ? AND \`status\` = 'pending'`,
    params: [claim, claimedBy, leaseMs, id],
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
 * The due deliveries of each wanted subscription that is still active: one walk along the index for those that wait, and one
 * for those whose lease has ended, if there are any.
 */
export function dueStatement(
  dialect: DialectName,
  { wanted, time, spread }: Pick<ClaimRequest, 'wanted' | 'time' | 'spread'>,
): Statement {
  // SQLite takes no parentheses here, and MariaDB would make a table in memory for each of them.
  const begin = dialect === 'sqlite' ? 'SELECT * FROM (' : '(';
  const walk = (status: string) => `${begin}SELECT \`d\`.\`id\`, \`d\`.\`subscription_id\`, \`d\`.\`visible_at\`
    FROM \`hcd_webhook_subscriptions\` \`s\` JOIN \`hcd_webhook_deliveries\` \`d\` ON \`d\`.\`subscription_id\` = \`s\`.\`id\`
    WHERE \`s\`.\`id\` = ? AND \`s\`.\`active\` = 1 AND \`d\`.\`status\` = '${status}' AND \`d\`.\`subscription_id\` = ? AND \`d\`.\`visible_at\` <= ${time}
    ORDER BY \`d\`.\`visible_at\`, \`d\`.\`id\` LIMIT ?)`;
  return {
    sql: wanted.flatMap((one) => walksOf(one).map(walk)).join(' UNION ALL '),
    params: wanted.flatMap((one) =>
      walksOf(one).flatMap((): Param[] => [one.subscriptionId, one.subscriptionId, one.places * spread]),
    ),
  };
}

function walksOf({ withEnded }: WantedDeliveries): readonly string[] {
  return withEnded ? openStatuses : ['pending'];
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
