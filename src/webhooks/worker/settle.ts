/** Records the results of attempts, several in one transaction. A row that another worker has claimed stays as it is. */
import type { Clock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Observation } from '../../log/observation.js';
import type { Database, Statement, Tx } from '../../store/base/database.js';
import { attempts as attemptRows, cutAnswer, cutError, deliveries, lockDeliveries } from '../models/deliveries.js';
import { type DecidingTime, readTime } from '../rules/deciding-time.js';
import { type Decision, decide } from '../rules/retry.js';
import { type ClaimedDelivery, claimOne, leaseMs } from './claim.js';
import { type Attempt, type DeliverDeps, deliver } from './deliver.js';
import { judgeReceivers, type Notice } from './judge-receivers.js';

export interface SettleDeps {
  readonly own: Database;
  readonly time: DecidingTime;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly maxAttempts: () => number;
  readonly disableAfterDays: () => number;
}

interface Ended {
  readonly delivery: ClaimedDelivery;
  readonly attempt: Attempt;
}

type SettledAs = Decision['kind'] | 'lost';

interface Settled {
  readonly ended: Ended;
  readonly as: SettledAs;
}

export interface Settlement {
  readonly settled: readonly Settled[];
  readonly notices: readonly Notice[];
}

/** Without the database leases end and others take over. */
export function settle(deps: SettleDeps, ended: readonly Ended[]): Promise<Settlement> {
  let last: Settlement | undefined;
  return deps.own.write(
    async (tx) => {
      const now = await readTime(tx, deps.time);
      const settled = await recordAll(tx, { deps, ended, now });
      const notices = await judgeReceivers(tx, { ended, now, disableAfterDays: deps.disableAfterDays() });
      last = { settled, notices };
      return last;
    },
    { ...undoable, outcome: async (tx) => ((await areRecorded(tx, ended)) ? last : undefined) },
  );
}

/** After a loss of power they are sent again, which receivers expect, so the commit need not wait for the disk. */
const undoable = { mayBeUndone: true };

/** They are recorded together, so one of them answers for all. */
async function areRecorded(tx: Tx, [first]: readonly Ended[]): Promise<boolean> {
  if (first === undefined) return false;
  const { id, claim } = first.delivery;
  if ((await attemptRows.on(tx).count({ where: { deliveryId: id, claim } })) > 0) return true;
  return (await deliveries.on(tx).count({ where: { id, claim, status: 'delivered' } })) > 0;
}

interface Recording {
  readonly deps: SettleDeps;
  readonly ended: readonly Ended[];
  readonly now: number;
}

/** Each attempt that failed, or that another worker has taken over, gets its own row. */
async function recordAll(tx: Tx, { deps, ended, now }: Recording): Promise<readonly Settled[]> {
  const ids = ended.map(({ delivery }) => delivery.id);
  const locked = new Map((await lockDeliveries(tx, ids)).map((row) => [row.id, row]));
  const settled: Settled[] = [];
  for (const one of ended) {
    const { attempt } = one;
    const { id, attempts, claim } = one.delivery;
    const row = locked.get(id);
    const question = { result: attempt, attempts, maxAttempts: deps.maxAttempts(), random: deps.random(), now };
    const decision = decide(question);
    // A success that was recorded before, without an answer of the database, is still one.
    const statuses = decision.kind === 'delivered' ? ['delivering', 'delivered'] : ['delivering'];
    const isClaimed = row?.claim === claim && statuses.includes(row.status);
    settled.push({ ended: one, as: isClaimed ? decision.kind : 'lost' });
    if (isClaimed) await tx.run(recording(one, decision, now));
  }
  const apart = settled.filter(({ as }) => as !== 'delivered').map((one) => attemptRow(one.ended, now));
  if (apart.length > 0) await attemptRows.on(tx).bulkCreate(apart);
  return settled;
}

const recorded = `UPDATE \`hcd_webhook_deliveries\` SET \`status\` = ?, \`visible_at\` = ?, \`attempts\` = ?, \`claim\` = ?,
    \`claimed_by\` = '', \`last_status\` = ?, \`last_error\` = ?, \`took_ms\` = ?, \`answer\` = ? WHERE \`id\` = ?`;

function recording({ delivery, attempt }: Ended, decision: Decision, now: number): Statement {
  const { id, attempts, claim } = delivery;
  const status = attempt.status ?? 0;
  if (decision.kind === 'delivered') {
    const { durationMs, answer } = attempt;
    return {
      sql: recorded,
      params: ['delivered', now, attempts, claim, status, null, durationMs, cutAnswer(answer), id],
    };
  }
  const next = decision.kind === 'failed' ? 'failed' : 'pending';
  const visibleAt = decision.kind === 'retry' ? now + decision.delayMs : now;
  const counted = decision.kind === 'give_back' ? attempts - 1 : attempts;
  return { sql: recorded, params: [next, visibleAt, counted, '', status, cutError(attempt.error), 0, null, id] };
}

function attemptRow({ delivery, attempt }: Ended, now: number) {
  const { outcome, status, error, answer, durationMs } = attempt;
  return {
    deliveryId: delivery.id,
    number: delivery.attempts,
    outcome,
    status,
    error: cutError(error),
    answer: cutAnswer(answer),
    startedOn: now - durationMs,
    endedOn: now,
    claim: delivery.claim,
  };
}

export function settlementFacts({ settled, notices }: Settlement): Observation[] {
  return [...settled.map(attemptFact), ...notices];
}

function attemptFact({ ended: { delivery, attempt }, as }: Settled): Observation {
  const { id: deliveryId, subscriptionId, event, attempts } = delivery;
  const { outcome, status, durationMs } = attempt;
  const facts = { deliveryId, subscriptionId, event, attempt: attempts, outcome, result: as, status, durationMs };
  return { kind: 'delivery_settled', ...facts };
}

const batchSize = 64;
/** Turns of the event loop without a further answer after which the wait ends. */
const quietTurns = 4;
const againMs = 200;

interface Waiting {
  readonly ended: Ended;
  readonly done: () => void;
}

interface SettlerDeps extends SettleDeps {
  /** After each transaction that was committed. */
  readonly onSettled: (settlement: Settlement) => void;
  readonly clock: Clock;
  /** Ends the retries when the database does not answer. */
  readonly ending: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Gathers the ends of attempts into few transactions, so that a fast receiver costs no transaction per delivery. */
export class Settler {
  readonly #deps: SettlerDeps;
  #waiting: Waiting[] = [];
  #running = false;

  constructor(deps: SettlerDeps) {
    this.#deps = deps;
  }

  /** Resolves when the attempt is recorded or given up. Never rejects. */
  add(ended: Ended): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ ended, done: resolve });
      if (!this.#running) void this.#run();
    });
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      await this.#gather();
      const batch = this.#waiting.splice(0, batchSize);
      await this.#settle(batch.map(({ ended }) => ended));
      for (const { done } of batch) done();
    }
    this.#running = false;
  }

  /** Waits while turns of the event loop bring more answers; a database in this thread would record each alone. */
  async #gather(): Promise<void> {
    let before = 0;
    for (let quiet = 0; quiet < quietTurns && this.#waiting.length < batchSize; ) {
      quiet = this.#waiting.length > before ? 0 : quiet + 1;
      before = this.#waiting.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Must not throw: unrecorded attempts are delivered again, so the database is asked until the lease ends. */
  async #settle(ended: readonly Ended[]): Promise<void> {
    const { clock, ending, onSettled, onError } = this.#deps;
    const begunAt = clock.elapsed();
    for (;;) {
      try {
        onSettled(await settle(this.#deps, ended));
        return;
      } catch (error) {
        onError(error);
        const isAway = error instanceof AppError && error.kind === 'unavailable';
        if (!isAway || ending.aborted || clock.elapsed() - begunAt > leaseMs) return;
        await clock.sleep(againMs, ending);
      }
    }
  }
}

export interface SendOneDeps extends Pick<DeliverDeps, 'send' | 'sealer' | 'policy' | 'keepsAnswers' | 'stop'> {
  readonly own: Database;
  readonly clock: Clock;
  readonly time: DecidingTime;
  readonly name: string;
  /** Days of nothing but failures after which a receiver is disabled; 0 = never. */
  readonly disableAfterDays: number;
}

const maxAttempts = 1;

/** Null when a worker was faster and has the delivery. */
export async function sendOne(deps: SendOneDeps, id: number): Promise<Attempt | null> {
  const { own, clock, time, name, disableAfterDays } = deps;
  const claimedAt = clock.elapsed();
  const delivery = await claimOne({ own, time, claimedBy: name }, id);
  if (delivery === null) return null;
  const attempt = await deliver(deps, { delivery, maxAttempts, claimedAt });
  const fixed = { random: () => 0, maxAttempts: () => maxAttempts, disableAfterDays: () => disableAfterDays };
  await settle({ own, time, ...fixed }, [{ delivery, attempt }]);
  return attempt;
}
