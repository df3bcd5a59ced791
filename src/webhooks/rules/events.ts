/** Events and their bodies (docs/webhooks.md#for-receivers), which name the changed record without its values. */

import { nearMatch } from '../../config/near-match.js';
import { isoTimeOfMs } from '../../values/dates.js';

export const eventActions = ['created', 'updated', 'deleted'] as const;
export type EventAction = (typeof eventActions)[number];

export const pageActions = ['published', 'withdrawn'] as const;
export type PageAction = (typeof pageActions)[number];
export const pagesObject = 'pages';

/** Of more resources at once than are announced one by one. */
const burstAction = 'changed';
const burstEvent = 'content.changed';

/** In the list of a subscription: every event of the gateway. */
const everyEvent = '*';
/** Raised by a test of a subscription only; no list contains it. */
export const testEvent = 'webhook.test';

/** Who made a change: this program, or the CMS and other programs. */
export type EventSource = 'hcd' | 'cms';

export interface EventFacts {
  readonly object: string;
  readonly action: EventAction | PageAction | typeof burstAction | 'test';
  readonly key: string | number;
  readonly context: string | null;
  readonly uri: string | null;
  readonly parent: number | null;
  /** Of an event of a page: the number under which it was published last. */
  readonly publishedRevision?: number;
  /** Tags of the cached answers that the change touches. */
  readonly revalidate: readonly string[];
  readonly source?: EventSource;
  readonly count?: number;
}

interface EventStamp {
  /** 32 hexadecimal digits, by which receivers recognise a repetition. */
  readonly id: string;
  readonly createdOn: number;
  /** Grows with every event of the site, so that a receiver can drop the older of two. */
  readonly revision: number;
}

export function eventName({ object, action }: Pick<EventFacts, 'object' | 'action'>): string {
  return action === burstAction ? burstEvent : `${object}.${action}`;
}

export const pageEvents = pageActions.map((action) => eventName({ object: pagesObject, action }));

/** `*` leaves out the events of pages (docs/webhooks.md#what-raises-events). A pattern matches nothing. */
export function wantsEvent(events: readonly string[], name: string): boolean {
  // It stands for many events of single resources.
  if (name === burstEvent && events.some((event) => event.startsWith('resources.'))) return true;
  return events.includes(name) || (events.includes(everyEvent) && !pageEvents.includes(name));
}

export function eventListProblem(events: readonly string[], known: readonly string[]): string | null {
  const accepted = `Accepted events: ${[...known, everyEvent].join(', ')}`;
  if (events.length === 0) return `A subscription needs at least one event. ${accepted}`;
  const unknown = [...new Set(events)].filter((event) => event !== everyEvent && !known.includes(event));
  if (unknown.length === 0) return null;
  return `${unknown.map((event) => hint(event, known)).join(' ')} ${accepted}`;
}

function hint(event: string, known: readonly string[]): string {
  if (event.includes('*'))
    return `Patterns such as ${event} match nothing: name the events, or * for all events of the gateway.`;
  const near = nearMatch(event, known);
  return near === undefined ? `There is no event ${event}.` : `There is no event ${event}; did you mean ${near}?`;
}

/** The exact text that is delivered; keys in the order of docs/webhooks.md#the-request. */
export function eventBody(facts: EventFacts, stamp: EventStamp): string {
  return JSON.stringify({
    id: stamp.id,
    type: eventName(facts),
    created_at: isoTimeOfMs(stamp.createdOn).replace('Z', '+00:00'),
    data: { ...subjectOf(facts), revision: stamp.revision },
    meta: {
      revalidate: [...new Set(facts.revalidate)],
      source: facts.source ?? 'hcd',
      ...(facts.count === undefined ? {} : { count: facts.count }),
    },
  });
}

function subjectOf({ object, action, key, context, uri, parent, publishedRevision }: EventFacts) {
  // As the page delivery API names them.
  if (publishedRevision !== undefined) return { resourceId: key, publishedRevision, uri, context };
  if (action === burstAction) return { object, action };
  return {
    object,
    action,
    id: String(key),
    ...(context ? { context } : {}),
    ...(uri ? { uri } : {}),
    ...(parent !== null && parent > 0 && action !== 'created' ? { parent } : {}),
  };
}
