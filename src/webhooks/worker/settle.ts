/** Records the results of attempts, several in one transaction. A row that another worker has claimed stays as it is. */
import type { Clock } from '../../clock/clock.js';
import type { Observation } from '../../log/observation.js';
import type { Database, Param, Tx } from '../../store/base/database.js';
import { groupBy, padded } from '../../values/batches.js';
import {
  attempts as attemptRows,
  byIds,
  cutAnswer,
  cutError,
  type DeliveryRow,
  deliveries,
} from '../models/deliveries.js';
import { subscriptions } from '../models/subscriptions.js';
import { type DecidingTime, readTime } from '../rules/deciding-time.js';
import { type Decision, decide } from '../rules/retry.js';
import { type ClaimedDelivery, claimOne } from './claim.js';
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

export interface Ended {
  readonly delivery: ClaimedDelivery;
  readonly attempt: Attempt;
}

type SettledAs = Decision['kind'] | 'lost';

export interface Settled {
  readonly ended: Ended;
  readonly as: SettledAs;
}

export interface Settlement {
  readonly settled: readonly Settled[];
  readonly notices: readonly Notice[];
}

/** Records received deliveries first: to record them twice does no harm. Without the database leases end and others take over. */
export async function settle(deps: SettleDeps, ended: readonly Ended[]): Promise<Settlement> {
  const received = ended.filter(isReceived);
  const receivers = [...new Set(received.map(({ delivery }) => delivery.subscriptionId))];
  const [recorded, failing] = await Promise.all([finishAll(deps, received), readFailing(deps.own, receivers)]);
  const rest = ended.filter((one) => !recorded.has(one));
  if (rest.length === 0 && failing.size === 0) {
    return { settled: ended.map((one) => ({ ended: one, as: 'delivered' })), notices: [] };
  }
  let last: Settlement | undefined;
  return deps.own.write(
    async (tx) => {
      const { settledAs, now } = await settleRest(tx, { deps, rest });
      const notices = await judgeReceivers(tx, { ended, failing, now, disableAfterDays: deps.disableAfterDays() });
      last = { settled: ended.map((one) => ({ ended: one, as: settledAs.get(one) ?? 'delivered' })), notices };
      return last;
    },
    { ...undoable, outcome: async (tx) => ((await areRecorded(tx, rest)) ? last : undefined) },
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

async function readFailing(own: Database, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const found = await subscriptions.on(own.primary).lookUpAll({ id: ids }, { attributes: ['id', 'failures'] });
  return new Set(found.filter(({ failures }) => failures > 0).map(({ id }) => id));
}

function isReceived({ attempt }: Ended): boolean {
  return attempt.outcome === 'delivered';
}

/** One statement for those claimed together and answered alike. Returns those that are recorded: no other worker has claimed them. */
async function finishAll({ own, time }: SettleDeps, received: readonly Ended[]): Promise<ReadonlySet<Ended>> {
  const alike = groupBy(received, ({ delivery, attempt }) => `${delivery.claim} ${attempt.status}`);
  const recorded = new Set<Ended>();
  for (const some of alike.values()) {
    const [first] = some;
    if (first === undefined) continue;
    const rows = some.map(({ delivery: { id }, attempt: { durationMs, answer } }) => {
      return { id, tookMs: durationMs, answer: cutAnswer(answer) };
    });
    const { claim } = first.delivery;
    const finished = { rows, claim, lastStatus: first.attempt.status, time: time(own.dialect) };
    const ids = new Set(await own.write((tx) => finishReceived(tx, finished), { ...undoable, isOneStatement: true }));
    for (const one of some) if (ids.has(one.delivery.id)) recorded.add(one);
  }
  return recorded;
}

/** Each attempt that failed, or that another worker also finished, gets its own row. `now` is null without any. */
async function settleRest(
  tx: Tx,
  { deps, rest }: { readonly deps: SettleDeps; readonly rest: readonly Ended[] },
): Promise<{ readonly settledAs: ReadonlyMap<Ended, SettledAs>; readonly now: number | null }> {
  const settledAs = new Map<Ended, SettledAs>();
  if (rest.length === 0) return { settledAs, now: null };
  const failed = rest.filter((one) => !isReceived(one));
  const locked = await lockClaimed(tx, { claims: failed.map(({ delivery }) => delivery), time: deps.time(tx.dialect) });
  const now = locked.now ?? (await readTime(tx, deps.time));
  for (const one of rest) {
    const { id, attempts } = one.delivery;
    const question = { result: one.attempt, attempts, maxAttempts: deps.maxAttempts(), random: deps.random(), now };
    const decision = decide(question);
    const isClaimed = locked.claimed.has(id) && decision.kind !== 'delivered';
    settledAs.set(one, isClaimed ? decision.kind : 'lost');
    if (!isClaimed) continue;
    const values = {
      status: decision.kind === 'failed' ? 'failed' : 'pending',
      visibleAt: decision.kind === 'retry' ? now + decision.delayMs : now,
      attempts: decision.kind === 'give_back' ? attempts - 1 : attempts,
      ...{ lastStatus: one.attempt.status, lastError: cutError(one.attempt.error), claim: '', claimedBy: null },
    } as const;
    await deliveries.on(tx).update(values, { where: { id } });
  }
  await attemptRows.on(tx).bulkCreate(rest.map((one) => attemptRow(one, now)));
  return { settledAs, now };
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

interface LockQuestion {
  readonly claims: readonly Pick<DeliveryRow, 'id' | 'claim'>[];
  /** The SQL expression of the time that decides. */
  readonly time: string;
}

interface LockedClaims {
  /** Claimed by this worker: no other one has taken them over and none was cancelled. */
  readonly claimed: ReadonlySet<number>;
  /** The time that decides; null when none of the rows is claimed. */
  readonly now: number | null;
}

/** What is claimed stays so until the transaction ends. */
async function lockClaimed(tx: Tx, { claims, time }: LockQuestion): Promise<LockedClaims> {
  if (claims.length === 0) return { claimed: new Set(), now: null };
  const params = padded(claims.map(({ id }) => id));
  const lock = tx.dialect === 'mariadb' ? ' FOR UPDATE' : '';
  const rows = await tx.select({
    sql: `SELECT \`id\`, \`claim\`, ${time} FROM \`hcd_webhook_deliveries\`${byIds(tx.dialect)}
      WHERE \`id\` IN (${marksOf(params)}) AND \`status\` = 'delivering'${lock}`,
    params,
  });
  const current = new Map(rows.map(([id, claim]) => [Number(id), claim]));
  return {
    claimed: new Set(claims.filter(({ id, claim }) => current.get(id) === claim).map(({ id }) => id)),
    now: rows[0] === undefined ? null : Number(rows[0][2]),
  };
}

interface ReceivedRows {
  readonly rows: readonly Pick<DeliveryRow, 'id' | 'tookMs' | 'answer'>[];
  readonly claim: string;
  readonly lastStatus: number | null;
  /** The SQL expression of the time that decides. */
  readonly time: string;
}

/** Returns ids that were still claimed, or that this call had finished before; the others stay as they are. */
async function finishReceived(tx: Tx, { rows, claim, lastStatus, time }: ReceivedRows): Promise<number[]> {
  const ids = rows.map(({ id }) => id);
  const params = padded(ids);
  const marks = marksOf(params);
  const answers = rows.filter(({ answer }) => answer !== null);
  const took = valueOfEach(rows.map(({ id, tookMs }) => [id, tookMs]));
  const answer = valueOfEach(answers.map((row) => [row.id, row.answer]));
  const { changes } = await tx.run({
    sql: `UPDATE \`hcd_webhook_deliveries\`${byIds(tx.dialect)}
      SET \`status\` = 'delivered', \`visible_at\` = ${time}, \`claimed_by\` = '', \`last_status\` = ?,
        \`last_error\` = NULL, \`took_ms\` = ${took.sql}, \`answer\` = ${answer.sql}
      WHERE \`id\` IN (${marks}) AND \`claim\` = ? AND \`status\` = 'delivering'`,
    params: [lastStatus ?? 0, ...took.params, ...answer.params, ...params, claim],
  });
  if (changes === ids.length) return ids;
  const finished = await tx.select({
    sql: `SELECT \`id\` FROM \`hcd_webhook_deliveries\`${byIds(tx.dialect)}
      WHERE \`id\` IN (${marks}) AND \`claim\` = ? AND \`status\` = 'delivered'`,
    params: [...params, claim],
  });
  return finished.map(([id]) => Number(id));
}

function marksOf(params: readonly Param[]): string {
  return params.map(() => '?').join(', ');
}

/** NULL for other ids; padded like the lists of ids. */
function valueOfEach(values: readonly (readonly [number, Param])[]): { sql: string; params: readonly Param[] } {
  if (values.length === 0) return { sql: 'NULL', params: [] };
  const pairs = padded(values);
  return { sql: `CASE \`id\`${' WHEN ? THEN ?'.repeat(pairs.length)} END`, params: pairs.flat() };
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
