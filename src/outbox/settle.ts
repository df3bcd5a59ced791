/**
 * Records what came of attempts: the state of each delivery, the attempt itself, and how its receiver stands. Several
 * attempts share one transaction; a row whose lease was lost stays as it is.
 */
import type { Database, Tx } from '../store/database.js';
import { cut, hasAttempt, insertAttempts } from '../store/rows/webhook-attempts.js';
import { type ClaimedDelivery, settleDelivery } from '../store/rows/webhook-claims.js';
import {
  deactivateSubscription,
  noteFailures,
  noteSuccess,
  noteWarnings,
  type Receiver,
} from '../store/rows/webhook-subscriptions.js';
import type { DecidingTime } from './deciding-time.js';
import type { Attempt } from './deliver.js';
import { type Decision, decide, isReceiversFault } from './retry.js';
import { standingOf } from './standing.js';

export interface SettleDeps {
  readonly own: Database;
  readonly time: DecidingTime;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly maxAttempts: () => number;
  readonly disableAfterDays: () => number;
}

export interface Ended {
  readonly delivery: ClaimedDelivery;
  readonly attempt: Attempt;
}

export type SettledAs = Decision['kind'] | 'lost';

export interface Settled {
  readonly ended: Ended;
  readonly as: SettledAs;
}

/** Something about a receiver that people should hear of. */
export type Notice =
  | {
      readonly kind: 'failing';
      readonly subscriptionId: number;
      readonly failures: number;
      readonly failingDays: number;
      readonly daysLeft: number;
    }
  | { readonly kind: 'disabled'; readonly subscriptionId: number; readonly reason: string };

export interface Settlement {
  readonly settled: readonly Settled[];
  readonly notices: readonly Notice[];
}

const longestError = 300;

/** Records them all, or none when the database does not answer: then the leases end and others take over. */
export function settle(deps: SettleDeps, ended: readonly Ended[]): Promise<Settlement> {
  let last: Settlement | undefined;
  return deps.own.write(
    async (tx) => {
      const now = await deps.time(tx);
      const settled: Settled[] = [];
      for (const one of ended) settled.push({ ended: one, as: await settleOne(tx, { deps, one, now }) });
      await insertAttempts(
        tx,
        ended.map((one) => attemptRow(one, now)),
      );
      last = { settled, notices: await judgeReceivers(tx, { deps, settled, now }) };
      return last;
    },
    { outcome: async (tx) => ((await areRecorded(tx, ended)) ? last : undefined) },
  );
}

/** They are recorded together, so one of them tells. */
async function areRecorded(tx: Tx, [first]: readonly Ended[]): Promise<boolean> {
  return first !== undefined && hasAttempt(tx, { deliveryId: first.delivery.id, claim: first.delivery.claim });
}

interface One {
  readonly deps: SettleDeps;
  readonly one: Ended;
  readonly now: number;
}

async function settleOne(tx: Tx, { deps, one, now }: One): Promise<SettledAs> {
  const { id, claim, attempts } = one.delivery;
  const { attempt: result } = one;
  const decision = decide({ result, attempts, maxAttempts: deps.maxAttempts(), random: deps.random(), now });
  const isGivenBack = decision.kind === 'give_back';
  const isDone = await settleDelivery(tx, {
    id,
    claim,
    status: decision.kind === 'retry' || isGivenBack ? 'pending' : decision.kind,
    visibleAt: decision.kind === 'retry' ? now + decision.delayMs : now,
    attempts: isGivenBack ? attempts - 1 : attempts,
    lastStatus: result.status,
    lastError: cut(result.error, longestError),
    now,
  });
  return isDone ? decision.kind : 'lost';
}

function attemptRow({ delivery, attempt }: Ended, now: number) {
  const { outcome, status, error, answer, durationMs } = attempt;
  return {
    deliveryId: delivery.id,
    number: delivery.attempts,
    outcome,
    status,
    error,
    answer: answer === '' ? null : answer,
    startedOn: now - durationMs,
    endedOn: now,
    claim: delivery.claim,
  };
}

interface Judgement {
  readonly deps: SettleDeps;
  readonly settled: readonly Settled[];
  readonly now: number;
}

/** In order of their ids: transactions of two workers then never wait for one another in a circle. */
async function judgeReceivers(tx: Tx, { deps, settled, now }: Judgement): Promise<Notice[]> {
  const deliveries = settled.map(({ ended }) => ended.delivery);
  const receivers = new Map(deliveries.map((delivery) => [`${delivery.subscriptionId} ${delivery.url}`, delivery]));
  const notices: Notice[] = [];
  for (const receiver of [...receivers.values()].sort((a, b) => a.subscriptionId - b.subscriptionId)) {
    const results = settled.filter(({ ended }) => isSameReceiver(ended.delivery, receiver));
    const lastSuccess = results.findLastIndex(({ ended }) => ended.attempt.outcome === 'delivered');
    if (lastSuccess >= 0) await noteSuccess(tx, receiver);
    const failed = results.slice(lastSuccess + 1).filter(({ ended }) => isReceiversFault(ended.attempt.outcome));
    const isGone = failed.some(({ ended }) => ended.attempt.outcome === 'gone');
    const found = failed.length === 0 ? null : await judge(tx, { deps, receiver, count: failed.length, isGone, now });
    if (found !== null) notices.push(found);
  }
  return notices;
}

function isSameReceiver(one: Receiver, other: Receiver): boolean {
  return one.subscriptionId === other.subscriptionId && one.url === other.url;
}

interface Failing {
  readonly deps: SettleDeps;
  readonly receiver: Receiver;
  readonly count: number;
  readonly isGone: boolean;
  readonly now: number;
}

async function judge(tx: Tx, { deps, receiver, count, isGone, now }: Failing): Promise<Notice | null> {
  const subscription = await noteFailures(tx, receiver, { count, at: now });
  if (subscription === null || !subscription.active) return null;
  const { id } = subscription;
  if (isGone) return disable(tx, { id, reason: 'The receiver answered 410 Gone' });
  const standing = standingOf({ subscription, now, disableAfterDays: deps.disableAfterDays() });
  if (standing.kind === 'fine') return null;
  const { failures } = subscription;
  const { failingDays } = standing;
  if (standing.kind === 'disable') {
    return disable(tx, { id, reason: `Nothing but failures for ${failingDays} days (${failures} attempts)` });
  }
  const isFirst = await noteWarnings(tx, id, standing.warnings);
  return isFirst ? { kind: 'failing', subscriptionId: id, failures, failingDays, daysLeft: standing.daysLeft } : null;
}

async function disable(
  tx: Tx,
  { id, reason }: { readonly id: number; readonly reason: string },
): Promise<Notice | null> {
  if (!(await deactivateSubscription(tx, id, reason))) return null;
  return { kind: 'disabled', subscriptionId: id, reason };
}
