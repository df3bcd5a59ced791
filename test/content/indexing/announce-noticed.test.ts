/** What other programs change raises the events of the same changes made here, once, and changes made here raise none of these. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { openEditing, updateResourceByHand } from '../../../src/content/administration/edit-content.js';
import { removeElementByHand } from '../../../src/content/administration/edit-elements.js';
import { elementKinds } from '../../../src/content/elements/element-kinds.js';
import { announceNoticed } from '../../../src/content/indexing/announce-noticed.js';
import { buildIndexes } from '../../../src/content/indexing/keep-indexes.js';
import { noticeAll, type OnNoticed } from '../../../src/content/indexing/notice.js';
import type { Store } from '../../../src/store/open/open.js';
import { deliveries } from '../../../src/webhooks/models/deliveries.js';
import { changeSubscription, insertSubscription } from '../../../src/webhooks/models/subscriptions.js';
import { atFileEnd } from '../../support/at-file-end.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { execute } from '../../support/execute.js';
import { openMigrated } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';
import { seed, seedByOthers } from '../../support/seed.js';

const stop = new AbortController().signal;
const tagsOf = (id: number, ...uris: readonly string[]) => [
  `gateway:resources:${id}`,
  ...uris.map((uri) => `gateway:uri:${uri}`),
];

describeEachDatabase('a change by another program', (database) => {
  let store: Store;
  let isOn = true;
  let seen = 0;
  const clock = fakeClock();
  let noticed: OnNoticed;

  beforeAll(async () => {
    store = await openMigrated({ databaseUrl: await database.url(), prefix: 'modx_', limits: patientLimits });
    atFileEnd(() => store.close());
    noticed = announceNoticed({ ...store, isOn: () => isOn, clock });
    await seed(store, {
      site_content: [
        { id: 1, pagetitle: 'Home', uri: 'index.html' },
        { id: 2, pagetitle: 'News', uri: 'news/', isfolder: 1 },
        { id: 3, pagetitle: 'Winter', uri: 'news/winter', parent: 2, template: 1 },
        { id: 4, pagetitle: 'Snow', uri: 'news/winter/snow', parent: 3, template: 1 },
        { id: 5, pagetitle: 'Team', uri: 'team', template: 1 },
      ],
      site_templates: [{ id: 1, templatename: 'All' }],
      site_tmplvars: [{ id: 1, type: 'text', name: 'color', default_text: '@INHERIT' }],
      site_tmplvar_templates: [{ tmplvarid: 1, templateid: 1 }],
    });
    await subscribe('*');
    await buildIndexes(store, stop);
    await look();
    expect(await bodies()).toEqual([]);
  });

  beforeEach(async () => {
    isOn = true;
    await look();
    await clock.advance(30_000);
    seen = (await bodies()).length;
  });

  const look = (how: OnNoticed = noticed) => noticeAll(store, { noticed: how, stop });
  const run = (...statements: readonly string[]) => execute(store.content, ...statements);
  const events = async () => {
    const made = (await bodies()).slice(seen);
    return made.map((body) => JSON.parse(body) as { type: string; data: object; meta: object });
  };
  const bodies = async () => {
    const rows = await deliveries.on(store.own.primary).findAll({ attributes: ['body'], order: ['id'] });
    return rows.map(({ body }) => body);
  };
  const subscribe = (...wanted: readonly string[]) => {
    const row = { name: null, url: 'https://site.example/', secret: '', active: true, createdBy: 'a test' };
    return store.own.write((tx) => insertSubscription(tx, { ...row, events: [...wanted] }));
  };
  const set = (ids: string, values: string) => `UPDATE modx_site_content SET ${values} WHERE id IN (${ids})`;
  const color = (id: number, value: string) =>
    `INSERT INTO modx_site_tmplvar_contentvalues (tmplvarid, contentid, value) VALUES (1, ${id}, '${value}')`;
  const close = (id: number) => `INSERT INTO modx_document_groups (document_group, document) VALUES (7, ${id})`;
  const added = (id: number, uri: string) =>
    `INSERT INTO modx_site_content (id, pagetitle, alias, description, parent, published, uri, context_key) VALUES (${id}, 'New', 'new', '', 0, 1, '${uri}', 'web')`;

  it.each<[name: string, sql: readonly string[], ...raised: readonly (readonly [string, number, readonly string[]])[]]>(
    [
      ['a title', [set('5', "pagetitle = 'Us'")], ['updated', 5, tagsOf(5, 'team')]],
      ['hidden', [set('5', 'published = 0')], ['updated', 5, tagsOf(5, 'team')]],
      ['shown', [set('5', 'published = 1')], ['updated', 5, tagsOf(5, 'team')]],
      ['a value of a template variable', [color(5, 'blue')], ['updated', 5, tagsOf(5)]],
      ['a value that another resource inherits', [color(3, 'green')], ['updated', 3, [...tagsOf(3), ...tagsOf(4)]]],
      ['closed by a resource group', [close(5)], ['updated', 5, tagsOf(5)]],
      [
        'a branch that moves',
        [set('2', "uri = 'press/'"), set('3', "uri = 'press/winter'"), set('4', "uri = 'press/winter/snow'")],
        ['updated', 2, [...tagsOf(2, 'news', 'press'), ...tagsOf(4, 'news/winter/snow', 'press/winter/snow')]],
      ],
      [
        'a branch in the trash',
        [set('3, 4', 'deleted = 1')],
        ['deleted', 3, [...tagsOf(3, 'press/winter'), ...tagsOf(4)]],
      ],
      ['a restored branch', [set('3, 4', 'deleted = 0')], ['updated', 3, tagsOf(3, 'press/winter')]],
      ['a new one', [added(6, 'six')], ['created', 6, tagsOf(6, 'six')]],
      [
        'two at once',
        [added(7, 'seven'), set('6', "context_key = 'gone'")],
        ['created', 7, tagsOf(7, 'seven')],
        ['updated', 6, [...tagsOf(6), 'gateway:context:web', 'gateway:context:gone']],
      ],
      ['removed', ['DELETE FROM modx_site_content WHERE id = 6'], ['deleted', 6, tagsOf(6, 'six')]],
      [
        'removed, and its id used again',
        ['DELETE FROM modx_site_content WHERE id = 7', added(7, 'again')],
        ['updated', 7, tagsOf(7, 'seven', 'again')],
      ],
      ['made and removed between two looks', [added(8, 'eight'), 'DELETE FROM modx_site_content WHERE id = 8']],
    ],
  )('%s', async (_name, sql, ...raised) => {
    await run(...sql);
    await look();
    await look();
    const found = await events();
    const expected = raised.map(([action, id, tags]) => ({
      type: `resources.${action}`,
      data: { object: 'resources', action, id: `${id}` },
      meta: { source: 'cms', revalidate: expect.arrayContaining([...tags]) },
    }));
    expect(found).toHaveLength(raised.length);
    expect(found).toEqual(expect.arrayContaining(expected.map((one) => expect.objectContaining(matching(one)))));
  });

  const matching = ({ data, ...rest }: { type: string; data: object; meta: object }) => ({
    type: rest.type,
    data: expect.objectContaining(data),
    meta: rest.meta,
  });

  it('is looked for in the tables that have moved', async () => {
    const lookIn = (...names: readonly string[]) =>
      noticeAll(store, { noticed, stop, moved: new Set(names.map((name) => `modx_${name}`)) });
    await run(set('1', "longtitle = 'moved'"), added(9, 'nine'), color(4, 'red'), close(2));
    expect(await lookIn('context_resource')).toEqual([]);
    expect(await lookIn('site_tmplvar_contentvalues', 'document_groups')).toEqual([2, 4]);
    expect(await lookIn('site_content')).toEqual([1, 9]);
    await run('DELETE FROM modx_site_content WHERE id = 9', 'DELETE FROM modx_document_groups WHERE document = 2');
    expect(await look()).toEqual([2, 9]);
  });

  it('is announced once by any number of processes', async () => {
    await run("UPDATE modx_site_content SET longtitle = 'once' WHERE id IN (1, 5)");
    await Promise.all([look(), look(), look()]);
    expect((await events()).map(({ type }) => type)).toEqual(['resources.updated', 'resources.updated']);
  });

  it('is announced after a failure', async () => {
    await run("UPDATE modx_site_content SET longtitle = 'failed' WHERE id = 1");
    const failing: OnNoticed = async (...noticing) => {
      await noticed(...noticing);
      throw new TypeError('killed');
    };
    await expect(look(failing)).rejects.toThrow('killed');
    expect(await events()).toEqual([]);
    await look();
    expect(await events()).toHaveLength(1);
  });

  it('is remembered and not announced while gateway_cms_events is off', async () => {
    isOn = false;
    await run("UPDATE modx_site_content SET longtitle = 'silent' WHERE id = 1");
    await look();
    isOn = true;
    await look();
    expect(await events()).toEqual([]);
  });

  it('of more than 500 resources is one event', async () => {
    const rows = Array.from({ length: 501 }, (_, at) => ({ id: 1000 + at, uri: `many/${at}`, context_key: 'many' }));
    await seedByOthers(store, { site_content: rows });
    const narrow = await subscribe('resources.created');
    const other = await subscribe('templates.created');
    await look();
    expect(await events()).toMatchObject(
      Array.from({ length: 2 }, () => ({
        type: 'content.changed',
        data: { object: 'resources', action: 'changed' },
        meta: {
          revalidate: expect.arrayContaining([
            'gateway:resources',
            'gateway:context:many',
            ...tagsOf(1500, 'many/500'),
          ]),
          source: 'cms',
          count: 501,
        },
      })),
    );
    for (const id of [narrow, other]) await store.own.write((tx) => changeSubscription(tx, id, { active: false }));
  });

  it('is part of one event when an import goes on', async () => {
    const rows = (from: number) => Array.from({ length: 60 }, (_, at) => ({ id: from + at, uri: `slow/${from + at}` }));
    const types: string[][] = [];
    for (const from of [2000, 2100, 2200]) {
      await seedByOthers(store, { site_content: rows(from) });
      await look();
      types.push((await events()).map(({ type }) => type));
      await clock.advance(1000);
    }
    expect(types.map(({ length }) => length)).toEqual([60, 61, 62]);
    expect(types[2]?.slice(60)).toEqual(['content.changed', 'content.changed']);
  });

  it.each([
    ['silent', false, []],
    ['with events', true, ['hcd']],
  ])('is none when it was a command of this program: %s', async (_name, withEvents, sources) => {
    const options = { env: {}, clock, log: () => {}, events: withEvents, trust: true };
    const editing = await openEditing(store, options);
    await updateResourceByHand(editing, {
      id: 2,
      body: { pagetitle: `Ours ${withEvents}`, alias: `ours-${withEvents}` },
    });
    await look();
    expect((await events()).map(({ meta }) => Reflect.get(meta, 'source'))).toEqual(sources);
  });

  it('is none when a command removed an element that resources used', async () => {
    const options = { env: {}, clock, log: () => {}, events: false, trust: true };
    const kind = elementKinds.find(({ object }) => object === 'templates');
    if (kind === undefined) throw new TypeError('there are no templates');
    await removeElementByHand(await openEditing(store, options), { kind, idOrName: '1', force: true });
    await look();
    expect(await events()).toEqual([]);
  });
});
