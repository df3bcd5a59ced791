/** Takes due deliveries for this worker: what nobody else has, for as long as the lease lasts. */
import { randomId } from '../../crypto/random.js';
import type { Database } from '../../store/base/database.js';
import { type Claimed, claimDeliveries, readNextDeliveries } from '../rows/webhook-claims.js';
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
  /** Those of them where a lease has ended, so that somebody may take over what nobody records. */
  readonly ended: ReadonlySet<number>;
  /** Milliseconds until the next one is due; null when none is open. */
  readonly nextInMs: number | null;
}

/** What there is to do, without a lock: a worker with nothing to do keeps nobody from writing. */
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
