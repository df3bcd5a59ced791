/** Claims due deliveries for this worker; until the lease ends no other worker can claim them. */
import { randomId } from '../../crypto/primitives.js';
import type { Database, DialectName, RawRow, Statement, Tx } from '../../store/base/database.js';
import { padded } from '../../values/batches.js';
import { byIds, type DeliveryRow, deliveries, isOpen, openStatuses } from '../models/deliveries.js';
import type { DecidingTime } from '../rules/deciding-time.js';
import type { DueReceiver, Share } from './places.js';

/** The whole of one send, and what is left for recording it. */
export const sendDeadlineMs = 15_000;
export const leaseMs = sendDeadlineMs + 15_000;

export interface ClaimDeps {
  readonly own: Database;
  readonly time: DecidingTime;
  readonly claimedBy: string;
  /** From 0 up to 1. */
  readonly random: () => number;
}

export interface Outlook {
  /** Unix milliseconds; 0 without an active subscription. */
  readonly now: number;
  readonly due: readonly DueReceiver[];
  /** Receivers where a lease has ended, so that another worker may take over what is not recorded. */
  readonly ended: ReadonlySet<number>;
  /** Milliseconds until the next delivery is due; null when none is open. */
  readonly nextInMs: number | null;
}

/** Reads the first open delivery of each active subscription, by one step into the index per state and without a lock. */
export async function lookAhead({ own, time }: Pick<ClaimDeps, 'own' | 'time'>): Promise<Outlook> {
  const firsts = openStatuses.map(
    (status) => `(SELECT \`d\`.\`visible_at\` FROM \`hcd_webhook_deliveries\` \`d\`
      WHERE \`d\`.\`status\` = '${status}' AND \`d\`.\`subscription_id\` = \`s\`.\`id\` ORDER BY \`d\`.\`visible_at\`, \`d\`.\`id\` LIMIT 1)`,
  );
  const sql = `SELECT \`s\`.\`id\`, ${time(own.dialect)}, ${firsts.join(', ')} FROM \`hcd_webhook_subscriptions\` \`s\` WHERE \`s\`.\`active\` = 1`;
  const rows = await own.primary.select({ sql, params: [] });
  const now = Number(rows[0]?.[1] ?? 0);
  const due: DueReceiver[] = [];
  const ended = new Set<number>();
  const later: number[] = [];
  for (const [id, , waitsUntil, leaseEndsOn] of rows) {
    const subscriptionId = Number(id);
    const times = [waitsUntil, leaseEndsOn].filter((at) => typeof at === 'number');
    if (times.length === 0) continue;
    const dueOn = Math.min(...times);
    if (dueOn > now) later.push(dueOn - now);
    else due.push({ subscriptionId, dueOn });
    if (typeof leaseEndsOn === 'number' && leaseEndsOn <= now) ended.add(subscriptionId);
  }
  return { now, due, ended, nextInMs: later.length === 0 ? null : Math.min(...later) };
}

interface ClaimQuestion {
  readonly shares: readonly Share[];
  /** The last claim met other workers: choose among more deliveries than are wanted. */
  readonly isCrowded: boolean;
  readonly ended: ReadonlySet<number>;
}

const crowdedSpread = 8;

interface DueQuestion {
  /** `withEnded`: also deliveries whose lease has ended, which is rare. */
  readonly wanted: readonly (Share & { readonly withEnded: boolean })[];
  /** The SQL expression of the time that decides. */
  readonly time: string;
  /** Chooses among this many times the wanted number, so that workers do not meet at the same rows again. */
  readonly spread: number;
}

const claimed = [
  ...(['id', 'subscriptionId', 'eventId', 'event', 'body', 'url'] as const),
  ...(['secrets', 'attempts', 'claim', 'traceparent'] as const),
] as const;

export type ClaimedDelivery = Pick<DeliveryRow, (typeof claimed)[number]>;

/** The oldest first; `missed` were taken by other workers. If the answer to a claim is lost, its leases end later. */
export async function claim(deps: ClaimDeps, { shares, isCrowded, ended }: ClaimQuestion) {
  const { own, claimedBy, random } = deps;
  const none: { readonly won: readonly ClaimedDelivery[]; readonly missed: number } = { won: [], missed: 0 };
  if (shares.length === 0) return none;
  const wanted = shares.map((share) => ({ ...share, withEnded: ended.has(share.subscriptionId) }));
  const due = { wanted, time: deps.time(own.dialect), spread: isCrowded ? crowdedSpread : 1 };
  const work = async (tx: Tx): Promise<typeof none> => {
    const chosen = choose(await tx.select(dueStatement(tx.dialect, due)), { ...due, random });
    if (chosen.length === 0) return none;
    const token = randomId();
    // In one order, so that workers do not wait in a circle.
    const ids = padded(chosen.toSorted((left, right) => left - right));
    const marks = ids.map(() => '?').join(', ');
    await tx.run({
      sql: `UPDATE \`hcd_webhook_deliveries\`${byIds(tx.dialect)} ${setClaimed(due.time)}
        WHERE \`id\` IN (${marks}) AND ${isOpen} AND \`visible_at\` <= ${due.time}`,
      params: [token, claimedBy, leaseMs, ...ids],
    });
    const rows = await tx.select({
      sql: `SELECT ${deliveries.selectList(tx, undefined, claimed)}
        FROM \`hcd_webhook_deliveries\`${byIds(tx.dialect)} WHERE \`id\` IN (${marks}) AND \`claim\` = ?`,
      params: [...ids, token],
    });
    const won = new Map(rows.map((row) => deliveries.decode(row, claimed)).map((one) => [one.id, one]));
    return { won: chosen.flatMap((id) => won.get(id) ?? []), missed: chosen.length - won.size };
  };
  return own.write(work, { isOneStatement: true });
}

/** Parameters: the claim, who claims, and the milliseconds of the lease. */
function setClaimed(time: string): string {
  return `SET \`status\` = 'delivering', \`attempts\` = \`attempts\` + 1, \`claim\` = ?, \`claimed_by\` = ?, \`visible_at\` = ${time} + ?`;
}

/** Whether it is due or not; null when it is under way or finished. */
export async function claimOne(deps: Omit<ClaimDeps, 'random'>, id: number): Promise<ClaimedDelivery | null> {
  const { own, time, claimedBy } = deps;
  const token = randomId();
  const [found = null] = await own.write(
    async (tx) => {
      await tx.run({
        sql: `UPDATE \`hcd_webhook_deliveries\` ${setClaimed(time(tx.dialect))} WHERE \`id\` = ? AND \`status\` = 'pending'`,
        params: [token, claimedBy, leaseMs, id],
      });
      return deliveries.on(tx).lookUpAll({ id, claim: token }, { attributes: claimed });
    },
    { isOneStatement: true },
  );
  return found;
}

function choose(
  candidates: readonly RawRow[],
  { wanted, spread, random }: DueQuestion & Pick<ClaimDeps, 'random'>,
): number[] {
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

/** One walk along the index for waiting deliveries, and one for ended leases, if there are any. */
export function dueStatement(dialect: DialectName, { wanted, time, spread }: DueQuestion): Statement {
  // SQLite takes no parentheses here, and MariaDB would make a table in memory for each of them.
  const begin = dialect === 'sqlite' ? 'SELECT * FROM (' : '(';
  const walk = (status: string) => `${begin}SELECT \`d\`.\`id\`, \`d\`.\`subscription_id\`, \`d\`.\`visible_at\`
    FROM \`hcd_webhook_subscriptions\` \`s\` JOIN \`hcd_webhook_deliveries\` \`d\` ON \`d\`.\`subscription_id\` = \`s\`.\`id\`
    WHERE \`s\`.\`id\` = ? AND \`s\`.\`active\` = 1 AND \`d\`.\`status\` = '${status}' AND \`d\`.\`subscription_id\` = ? AND \`d\`.\`visible_at\` <= ${time}
    ORDER BY \`d\`.\`visible_at\`, \`d\`.\`id\` LIMIT ?)`;
  const walks = wanted.flatMap(({ withEnded, ...one }) =>
    (withEnded ? openStatuses : ['pending']).map((status) => ({ ...one, status })),
  );
  return {
    sql: walks.map(({ status }) => walk(status)).join(' UNION ALL '),
    params: walks.flatMap(({ subscriptionId, places }) => [subscriptionId, subscriptionId, places * spread]),
  };
}
