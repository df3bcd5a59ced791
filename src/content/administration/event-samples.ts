/** Every event that a site can raise, with its cause and a sample payload. */
import { randomId } from '../../crypto/primitives.js';
import {
  type EventAction,
  type EventFacts,
  eventActions,
  eventBody,
  eventName,
  type PageAction,
  pageActions,
  pagesObject,
  testEvent,
} from '../../webhooks/rules/events.js';
import { contextTag, keyTag, type Mutation, mediaObject, objectTag, revalidateTags, uriTag } from '../live/mutation.js';
import { mediaSources } from '../objects/core-objects.js';
import type { ObjectDefinition, Registry } from '../objects/definition.js';

export interface EventSample {
  readonly event: string;
  readonly when: string;
  readonly body: string;
}

/** The test event is last. `now` is the time in the payloads, Unix milliseconds. */
export function eventSamples(registry: Registry, now: number): readonly EventSample[] {
  const objects = [...new Map([[mediaSources.name, mediaSources], ...registry.objects]).values()];
  const sampled = [
    ...objects.flatMap((object) => eventActions.flatMap((action) => ofRecord(object, action, registry))),
    ...eventActions.map(ofFile),
    burst,
    ...pageActions.map(ofPage),
    ofTest,
  ];
  return sampled.map(([when, facts]) => {
    const stamp = { id: randomId(), createdOn: now, revision: 1207 };
    return { event: eventName(facts), when, body: eventBody(facts, stamp) };
  });
}

export function knownEvents(registry: Registry): readonly string[] {
  return eventSamples(registry, 0).flatMap(({ event }) => (event === testEvent ? [] : event));
}

type Sampled = readonly [when: string, facts: EventFacts];

const noPlace = { context: null, uri: null, parent: null };
const place = { ...noPlace, context: 'web', uri: 'news/winter.html' };
const verbs = { created: 'was created', updated: 'was changed', deleted: 'was deleted' } as const;
const rights = { created: 'creatable', updated: 'updatable', deleted: 'deletable' } as const;

const commands = {
  created: 'hcd element create',
  updated: 'hcd element update',
  deleted: 'hcd element remove',
} as const;

/** Empty for what the gateway cannot change. */
function ofRecord(definition: ObjectDefinition, action: EventAction, { elements }: Registry): readonly Sampled[] {
  const { name: object } = definition;
  const isElement = [...elements, mediaSources].includes(definition);
  if (!isElement && !definition[rights[action]]) return [];
  const facts = { object, action, key: 42, ...(object === 'resources' ? { ...place, parent: 7 } : noPlace) };
  const how = isElement ? ` by ${commands[action]} with --events` : '';
  return [[`a record of ${object} ${verbs[action]}${how}`, withTags(facts)]];
}

function ofFile(action: EventAction): Sampled {
  const command = action === 'deleted' ? 'hcd media remove' : 'hcd media put';
  const facts = withTags({ object: mediaObject, action, key: 'products/lamp.jpg', ...noPlace });
  return [`a file ${verbs[action]} over HTTP, or by ${command} with --events`, facts];
}

function withTags(facts: Omit<Mutation, 'rows'>): EventFacts {
  return { ...facts, revalidate: revalidateTags({ ...facts, rows: [] }) };
}

function ofPage(action: PageAction): Sampled {
  const revalidate = [keyTag('resources', 42), uriTag(place.uri)];
  const facts = { object: pagesObject, action, key: 42, ...place, publishedRevision: 3, revalidate };
  return [`the document of a page was ${action}; not part of *`, facts];
}

const burst: Sampled = [
  'more than 500 resources were changed at once in the CMS; sent for resources.* too',
  {
    ...{ object: 'resources', action: 'changed', key: 0, ...noPlace, source: 'cms', count: 5000 },
    revalidate: [objectTag('resources'), `${objectTag('resources')}:list`, contextTag('web')],
  },
];

const ofTest: Sampled = [
  'by hcd webhook test',
  { object: 'webhook', action: 'test', key: 3, ...noPlace, revalidate: [] },
];
