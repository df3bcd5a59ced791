/**
 * Records what came of attempts: the state of each delivery, the attempt itself, and how its receiver stands. Several
 * attempts share one transaction; a row whose lease was lost stays as it is.
 */
import type { Database, Tx } from '../store/database.js';
import { cut, hasAttempt, insertAttempts } from '../store/rows/webhook-attempts.js';
import type { ClaimedDelivery } from '../store/rows/webhook-claims.js';
import { finishDelivered, lockHeld, settleDelivery } from '../store/rows/webhook-settlements.js';
import { type DecidingTime, readTime } from './deciding-time.js';
import type { Attempt } from './deliver.js';
import { judgeReceivers, type Notice } from './judge-receivers.js';
import { type Decision, decide } from './retry.js';

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
      const claims = ended.map(({ delivery }) => delivery);
      const locked = await lockHeld(tx, { claims, time: deps.time(tx.dialect) });
      const now = locked.now ?? (await readTime(tx, deps.time));
      const settled = await settleAll(tx, { deps, ended, held: locked.held, now });
      await insertAttempts(
        tx,
        ended.map((one) => attemptRow(one, now)),
      );
      last = { settled, notices: await judgeReceivers(tx, { ended, now, disableAfterDays: deps.disableAfterDays() }) };
      return last;
    },
    // Undone, they would be sent once more, which receivers expect; the next claim takes them to the disk.
    { outcome: async (tx) => ((await areRecorded(tx, ended)) ? last : undefined), mayBeUndone: true },
  );
}

/** They are recorded together, so one of them tells. */
async function areRecorded(tx: Tx, [first]: readonly Ended[]): Promise<boolean> {
  return first !== undefined && hasAttempt(tx, { deliveryId: first.delivery.id, claim: first.delivery.claim });
}

interface Settling {
  readonly deps: SettleDeps;
  readonly ended: readonly Ended[];
  /** Ids of those that may be changed. */
  readonly held: ReadonlySet<number>;
  readonly now: number;
}

/** Those that were received are finished together; what failed has a time and a text of its own. */
async function settleAll(tx: Tx, { deps, ended, held, now }: Settling): Promise<Settled[]> {
  const settled: Settled[] = [];
  const received = new Map<number | null, number[]>();
  for (const one of ended) {
    const { id, attempts } = one.delivery;
    const { attempt: result } = one;
    const decision = decide({ result, attempts, maxAttempts: deps.maxAttempts(), random: deps.random(), now });
    settled.push({ ended: one, as: held.has(id) ? decision.kind : 'lost' });
    if (!held.has(id)) continue;
    if (decision.kind !== 'delivered') await settleFailed(tx, { one, decision, now });
    else received.set(result.status, [...(received.get(result.status) ?? []), id]);
  }
  for (const [lastStatus, ids] of received) await finishDelivered(tx, { ids, lastStatus, now });
  return settled;
}

interface Failed {
  readonly one: Ended;
  readonly decision: Exclude<Decision, { kind: 'delivered' }>;
  readonly now: number;
}

async function settleFailed(tx: Tx, { one, decision, now }: Failed): Promise<void> {
  const { id, attempts } = one.delivery;
  const { status, error } = one.attempt;
  const isGivenBack = decision.kind === 'give_back';
  await settleDelivery(tx, {
    id,
    status: decision.kind === 'failed' ? 'failed' : 'pending',
    visibleAt: decision.kind === 'retry' ? now + decision.delayMs : now,
    attempts: isGivenBack ? attempts - 1 : attempts,
    lastStatus: status,
    lastError: cut(error, longestError),
    now,
  });
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
