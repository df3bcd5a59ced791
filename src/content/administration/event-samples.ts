/** Every event that a site can raise, with its cause and a sample payload. */
import { randomId } from '../../crypto/primitives.js';
import {
  type EventAction,
  eventActions,
  eventBody,
  eventName,
  type PageAction,
  pageActions,
  pagesObject,
  testEvent,
} from '../../webhooks/rules/events.js';
import { contextTag, keyTag, mediaObject, objectTag, revalidateTags, uriTag } from '../live/content-tags.js';
import { mediaSources } from '../objects/core-objects.js';
import type { ObjectDefinition, Registry } from '../objects/definition.js';

export interface EventSample {
  readonly event: string;
  readonly when: string;
  readonly body: string;
}

/** The test event is last. `now` is the time in the payloads, Unix milliseconds. */
export function eventSamples(registry: Registry, now: number): readonly EventSample[] {
  const samples = [...new Map([[mediaSources.name, mediaSources], ...registry.objects]).values()].flatMap((object) =>
    eventActions.flatMap((action) => sampleOf(object, action, { registry, now }) ?? []),
  );
  const files = eventActions.map((action) => fileSample(action, now));
  const pages = pageActions.map((action) => pageSample(action, now));
  return [...samples, ...files, burstSample(now), ...pages, testSample(now)];
}

/** What a subscription can name, without `*`. */
export function knownEvents(registry: Registry): readonly string[] {
  return eventSamples(registry, 0).flatMap(({ event }) => (event === testEvent ? [] : event));
}

interface Sampled {
  readonly registry: Registry;
  readonly now: number;
}

const verbs = { created: 'was created', updated: 'was changed', deleted: 'was deleted' } as const;
const rights = { created: 'creatable', updated: 'updatable', deleted: 'deletable' } as const;

const commands = {
  created: 'hcd element create',
  updated: 'hcd element update',
  deleted: 'hcd element remove',
} as const;

/** Null for what the gateway cannot change. */
function sampleOf(definition: ObjectDefinition, action: EventAction, { registry, now }: Sampled): EventSample | null {
  const { name } = definition;
  const isResource = name === 'resources';
  const place = isResource ? { context: 'web', uri: 'news/winter.html', parent: 7 } : noPlace;
  const key = 42;
  const facts = { object: name, action, key, ...place };
  const isElement = [...registry.elements, mediaSources].includes(definition);
  if (!isElement && !definition[rights[action]]) return null;
  const how = isElement ? ` by ${commands[action]} with --events` : '';
  return {
    event: eventName(facts),
    when: `a record of ${name} ${verbs[action]}${how}`,
    body: eventBody({ ...facts, revalidate: revalidateTags({ ...facts, rows: [] }) }, stamp(now)),
  };
}

function fileSample(action: EventAction, now: number): EventSample {
  const facts = { object: mediaObject, action, key: 'products/lamp.jpg', ...noPlace };
  const command = action === 'deleted' ? 'hcd media remove' : 'hcd media put';
  const body = eventBody({ ...facts, revalidate: revalidateTags({ ...facts, rows: [] }) }, stamp(now));
  return {
    event: eventName(facts),
    when: `a file ${verbs[action]} over HTTP, or by ${command} with --events`,
    body,
  };
}

function pageSample(action: PageAction, now: number): EventSample {
  const place = { context: 'web', uri: 'news/winter.html', parent: null };
  const facts = { object: pagesObject, action, key: 42, ...place, publishedRevision: 3 };
  const revalidate = [keyTag('resources', 42), uriTag(place.uri)];
  const body = eventBody({ ...facts, revalidate }, stamp(now));
  return { event: eventName(facts), when: `the document of a page was ${action}; not part of *`, body };
}

function burstSample(now: number): EventSample {
  const facts = { object: 'resources', action: 'changed', key: 0, ...noPlace, source: 'cms', count: 5000 } as const;
  const revalidate = [objectTag('resources'), `${objectTag('resources')}:list`, contextTag('web')];
  const when = 'more than 500 resources were changed at once in the CMS; sent for resources.* too';
  return { event: eventName(facts), when, body: eventBody({ ...facts, revalidate }, stamp(now)) };
}

const noPlace = { context: null, uri: null, parent: null };

function testSample(now: number): EventSample {
  const facts = { object: 'webhook', action: 'test', key: 3, ...noPlace, revalidate: [] } as const;
  return { event: testEvent, when: 'by hcd webhook test', body: eventBody(facts, stamp(now)) };
}

function stamp(now: number) {
  return { id: randomId(), createdOn: now, revision: 1207 };
}
