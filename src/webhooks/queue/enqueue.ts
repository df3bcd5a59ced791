/**
 * Puts an event into the outbox: one delivery per active subscription that wants it, in the transaction of the change
 * itself, so that the two are kept or lost together. Nothing leaves the process here.
 */
import { randomId } from '../../crypto/random.js';
import type { Tx } from '../../store/base/database.js';
import { bumpContentGeneration } from '../../store/state/state.js';
import { insertDeliveries, readActiveEventLists } from '../rows/webhook-queue.js';
import { type EventFacts, eventBody, eventName, wantsEvent } from '../rules/events.js';

interface EnqueueOptions {
  /** Id of the event; an event with the same id is queued once per subscription. Default: a fresh one. */
  readonly eventId?: string;
  /** Only for this subscription, whatever its list says; for tests of a subscription. */
  readonly onlyFor?: number;
  /** Gives the generation of the content that the event announces. Default: the next one. */
  readonly revision?: () => Promise<number>;
}

/** What was queued; null when nobody wants the event. */
interface QueuedEvent {
  readonly eventId: string;
  readonly subscriptionIds: readonly number[];
}

/**
 * One read when nobody wants the event. The number of the event is the generation of the content, which is raised under a
 * lock that lasts until the commit, so numbers grow in the order in which changes take effect.
 */
export async function enqueue(tx: Tx, facts: EventFacts, options: EnqueueOptions = {}): Promise<QueuedEvent | null> {
  const name = eventName(facts);
  const { lists, now } = await readActiveEventLists(tx);
  const wanting = lists.filter(({ id, events }) =>
    options.onlyFor === undefined ? wantsEvent(events, name) : id === options.onlyFor,
  );
  if (wanting.length === 0) return null;
  const eventId = options.eventId ?? randomId();
  const revision = await (options.revision?.() ?? bumpContentGeneration(tx));
  const body = eventBody(facts, { id: eventId, createdOn: now, revision });
  const subscriptionIds = wanting.map(({ id }) => id);
  await insertDeliveries(tx, { subscriptionIds, eventId, event: name, revision, body });
  return { eventId, subscriptionIds };
}
