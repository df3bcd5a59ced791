/** Events: which names there are, which a subscription wants, what is delivered. */
import { describe, expect, it, test } from 'vitest';
import { knownEvents } from '../../src/content/administration/event-samples.js';
import { buildRegistry } from '../../src/content/objects/core-objects.js';
import { defineObject } from '../../src/content/objects/definition.js';
import { eventBody, eventListProblem, wantsEvent } from '../../src/webhooks/rules/events.js';
import { integer } from '../support/fields.js';
import { resourceUpdated } from './outbox-store.js';

const stamp = { id: 'a'.repeat(32), createdOn: Date.UTC(2026, 10, 21, 9, 30, 0, 250), revision: 12 };

test('an extra object has the events of what the gateway may change', () => {
  const slots = defineObject({ name: 'slots', table: 'slots', fields: { id: integer() }, creatable: true });
  const names = knownEvents(buildRegistry([slots]));
  expect(names.filter((name) => name.startsWith('slots.'))).toEqual(['slots.created']);
  expect(names.slice(-3)).toEqual(['content.changed', 'pages.published', 'pages.withdrawn']);
});

describe('a subscription to', () => {
  it.each<[readonly string[], string, boolean]>([
    [['resources.updated'], 'resources.updated', true],
    [['*'], 'resources.updated', true],
    [['resources.created', '*'], 'resources.deleted', true],
    [['resources.created'], 'resources.updated', false],
    [['resources.*'], 'resources.updated', false],
    [['*.updated'], 'resources.updated', false],
    [['Resources.Updated'], 'resources.updated', false],
    [['resources'], 'resources.updated', false],
    [['*'], 'content.changed', true],
    [['resources.deleted'], 'content.changed', true],
    [['pages.published', 'templates.created'], 'content.changed', false],
    [['*'], 'pages.published', false],
    [['*'], 'pages.withdrawn', false],
    [['*', 'pages.published'], 'pages.published', true],
    [['*'], 'pages.created', true],
    [[], 'resources.updated', false],
  ])('%j and the event %s: %j', (events, name, expected) => {
    expect(wantsEvent(events, name)).toBe(expected);
  });
});

describe('the list of a subscription', () => {
  const known = ['resources.created', 'resources.updated', 'resources.deleted'];
  const accepted = 'Accepted events: resources.created, resources.updated, resources.deleted, *';
  it.each<[string, readonly string[], string | null]>([
    ['with known names', ['resources.created', 'resources.deleted'], null],
    ['with the star', ['*'], null],
    ['that is empty', [], `A subscription needs at least one event. ${accepted}`],
    [
      'with a typing error',
      ['resource.created'],
      `There is no event resource.created; did you mean resources.created? ${accepted}`,
    ],
    ['with an unknown name', ['orders.paid'], `There is no event orders.paid. ${accepted}`],
    [
      'with a pattern',
      ['resources.*'],
      `Patterns such as resources.* match nothing: name the events, or * for all events of the gateway. ${accepted}`,
    ],
  ])('%s', (_name, events, problem) => {
    expect(eventListProblem(events, known)).toBe(problem);
  });
});

describe('the body', () => {
  it('of an event of a page has what the page delivery API names', () => {
    const page = {
      object: 'pages',
      action: 'published',
      key: 42,
      context: 'web',
      uri: 'about.html',
      parent: null,
    } as const;
    expect(JSON.parse(eventBody({ ...page, publishedRevision: 3, revalidate: [] }, stamp))).toMatchObject({
      type: 'pages.published',
      data: { resourceId: 42, publishedRevision: 3, uri: 'about.html', context: 'web', revision: 12 },
    });
  });

  it('of an update has every key in the order of the contract', () => {
    expect(eventBody({ ...resourceUpdated, key: 42 }, stamp)).toBe(
      JSON.stringify({
        id: 'a'.repeat(32),
        type: 'resources.updated',
        created_at: '2026-11-21T09:30:00+00:00',
        data: {
          object: 'resources',
          action: 'updated',
          id: '42',
          context: 'web',
          uri: 'about.html',
          parent: 7,
          revision: 12,
        },
        meta: { revalidate: ['gateway:resources', 'gateway:resources:1'], source: 'hcd' },
      }),
    );
  });

  it('leaves out an empty context and URI, no parent, and the parent of what was created', () => {
    const data = (facts: object): unknown => JSON.parse(eventBody({ ...resourceUpdated, ...facts }, stamp)).data;
    const rest = { object: 'resources', id: '1', revision: 12 };
    expect(data({ context: '', uri: '', parent: 0 })).toEqual({ ...rest, action: 'updated' });
    expect(data({ context: null, uri: null, parent: null })).toEqual({ ...rest, action: 'updated' });
    expect(data({ action: 'created' })).toEqual({ ...rest, action: 'created', context: 'web', uri: 'about.html' });
  });

  it('names every tag once, and who made the change', () => {
    const body = eventBody({ ...resourceUpdated, revalidate: ['a', 'b', 'a'], source: 'cms' }, stamp);
    expect(JSON.parse(body).meta).toEqual({ revalidate: ['a', 'b'], source: 'cms' });
  });
});
