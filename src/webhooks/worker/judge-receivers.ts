/** Judges receivers by attempts: a success ends a run of failures, and a long run warns and then disables. */
import { col, fn, literal, Op } from 'sequelize';
import type { Observation } from '../../log/observation.js';
import type { Tx } from '../../store/base/database.js';
import { dayMs } from '../../values/dates.js';
import { deactivateSubscription, noFailures, type SubscriptionRow, subscriptions } from '../models/subscriptions.js';
import { type AttemptResult, isReceiversFault } from '../rules/retry.js';

/** Attempts at a former address do not count for the present one. */
interface Receiver {
  readonly subscriptionId: number;
  readonly url: string;
}

export type Notice = Extract<Observation, { readonly kind: 'webhook_failing' | 'webhook_disabled' }>;

interface JudgeQuestion {
  readonly ended: readonly { readonly delivery: Receiver; readonly attempt: Pick<AttemptResult, 'outcome'> }[];
  readonly now: number;
  readonly disableAfterDays: number;
}

/** Since its last success, and whether there was one. */
interface Record {
  readonly receiver: Receiver;
  succeeded: boolean;
  failures: number;
  isGone: boolean;
}

/** In order of their ids, so that transactions of two workers do not wait for each other in a circle. */
export async function judgeReceivers(tx: Tx, question: JudgeQuestion): Promise<Notice[]> {
  const { now, disableAfterDays } = question;
  const records = recordsOf(question).sort((a, b) => a.receiver.subscriptionId - b.receiver.subscriptionId);
  // Read without a lock: while receivers answer, nothing waits for a settlement.
  const ids = [...new Set(records.map(({ receiver }) => receiver.subscriptionId))];
  const known = await subscriptions.on(tx).lookUpAll({ id: ids }, { attributes: ['id', 'failures'] });
  const failing = new Set(known.flatMap(({ id, failures }) => (failures > 0 ? id : [])));
  const notices: Notice[] = [];
  for (const record of records) {
    const { subscriptionId: id, url } = record.receiver;
    if (record.succeeded && failing.has(id)) await subscriptions.on(tx).update(noFailures, { where: { id, url } });
    if (record.failures === 0) continue;
    const found = await judge(tx, { record, now, disableAfterDays });
    if (found !== null) notices.push(found);
  }
  return notices;
}

function recordsOf({ ended }: JudgeQuestion): Record[] {
  const records = new Map<string, Record>();
  for (const { delivery, attempt } of ended) {
    const { subscriptionId, url } = delivery;
    const key = `${subscriptionId} ${url}`;
    const record = records.get(key) ?? { receiver: delivery, succeeded: false, failures: 0, isGone: false };
    records.set(key, record);
    if (attempt.outcome === 'delivered') Object.assign(record, { succeeded: true, failures: 0, isGone: false });
    if (!isReceiversFault(attempt.outcome)) continue;
    record.failures += 1;
    record.isGone ||= attempt.outcome === 'gone';
  }
  return [...records.values()];
}

async function judge(
  tx: Tx,
  {
    record,
    now,
    disableAfterDays,
  }: { readonly record: Record; readonly now: number; readonly disableAfterDays: number },
): Promise<Notice | null> {
  const { subscriptionId: id, url } = record.receiver;
  const values = {
    failures: literal(`\`failures\` + ${record.failures}`),
    firstFailureOn: fn('COALESCE', col('first_failure_on'), now),
  };
  if ((await subscriptions.on(tx).update(values, { where: { id, url } })) === 0) return null;
  const subscription = await subscriptions.on(tx).lookUp({ id });
  if (subscription === null || !subscription.active) return null;
  if (record.isGone) return disable(tx, id, 'The receiver answered 410 Gone');
  const { failures } = subscription;
  const standing = standingOf({ subscription, now, disableAfterDays });
  if (standing.kind === 'fine') return null;
  if (standing.kind === 'disable') {
    return disable(tx, id, `Every attempt failed for ${standing.failingDays} days (${failures} attempts)`);
  }
  const { warnings, failingDays, daysLeft } = standing;
  // Another worker may have given the warning before.
  const where = { id, warnings: { [Op.lt]: warnings } };
  const isFirst = (await subscriptions.on(tx).update({ warnings }, { where })) > 0;
  return isFirst ? { kind: 'webhook_failing', subscriptionId: id, failures, failingDays, daysLeft } : null;
}

async function disable(tx: Tx, id: number, reason: string): Promise<Notice | null> {
  const isDone = await deactivateSubscription(tx, id, reason);
  return isDone ? { kind: 'webhook_disabled', subscriptionId: id, reason } : null;
}

interface StandingQuestion {
  readonly subscription: Pick<SubscriptionRow, 'failures' | 'firstFailureOn' | 'warnings'>;
  readonly now: number;
  /** Days of nothing but failures; 0 = never. */
  readonly disableAfterDays: number;
}

type Standing =
  | { readonly kind: 'fine' }
  /** The first warning comes after half of the time, the second one a day before its end. */
  | { readonly kind: 'warn'; readonly warnings: number; readonly failingDays: number; readonly daysLeft: number }
  | { readonly kind: 'disable'; readonly failingDays: number };

/** A site that changes once a week must not lose its receiver over two failures. */
const fewestFailures = 10;

export function standingOf({ subscription, now, disableAfterDays }: StandingQuestion): Standing {
  const { failures, firstFailureOn, warnings } = subscription;
  if (disableAfterDays === 0 || firstFailureOn === null) return { kind: 'fine' };
  const failing = (now - firstFailureOn) / dayMs;
  const failingDays = Math.round(failing * 10) / 10;
  if (failing >= disableAfterDays)
    return failures >= fewestFailures ? { kind: 'disable', failingDays } : { kind: 'fine' };
  const due = failing >= disableAfterDays - 1 && disableAfterDays > 1 ? 2 : failing >= disableAfterDays / 2 ? 1 : 0;
  if (due <= warnings) return { kind: 'fine' };
  const daysLeft = Math.round((disableAfterDays - failing) * 10) / 10;
  return { kind: 'warn', warnings: due, failingDays, daysLeft };
}
