/**
 * The events of writes over HTTP: exactly one for each change that took effect, none for any other request, with a
 * payload whose tags are those of every answer that the change touches (docs/reference/gateway.md#tags-of-an-event).
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeSealer } from '../../../src/crypto/seal.js';
import { insertSubscription } from '../../../src/webhooks/models/subscriptions.js';
import { describeEachDatabase } from '../../support/databases.js';
import type { GetOptions, Got, TestSite } from '../../support/site.js';
import { startWritingSite } from './writing-site.js';

interface Event {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: { readonly revalidate: readonly string[] };
}

async function subscribe(site: TestSite, events: readonly string[]): Promise<void> {
  const secret = makeSealer({ rootSecret: 'a root secret for tests', purpose: 'webhook secrets' }).seal('x'.repeat(20));
  const row = { name: null, url: 'https://hooks.example.com/', secret, active: true, createdBy: 'test' };
  await site.store.own.write((tx) => insertSubscription(tx, { ...row, events }));
}

/** What was queued since the last call, in order. */
function eventsOf(site: TestSite): () => Promise<Event[]> {
  let last = 0;
  return async () => {
    const rows = await site.store.own.primary.select({
      sql: 'SELECT `id`, `body` FROM `hcd_webhook_deliveries` WHERE `id` > ? ORDER BY `id`',
      params: [last],
    });
    last = Number(rows.at(-1)?.[0] ?? last);
    return rows.map(([, body]): Event => JSON.parse(String(body)));
  };
}

function tagsOf({ headers }: Got): string[] {
  return (headers.get('cache-tag') ?? '').split(/[ ,]+/).filter((tag) => tag !== '');
}

type Asked = readonly [path: string, options: Omit<GetOptions, 'as'> & { readonly as?: string }];

/** The rows that a site was made of may be noticed as changes of others at any time. */
const ownEvents = { HCD_GATEWAY_CMS_EVENTS: '0' };

describeEachDatabase('writes over HTTP', (database) => {
  test.each(['one database', 'two databases'])(
    'raise one event each, with the data of the contract, and refused or empty ones raise none, in %s',
    async (kind) => {
      const two = kind === 'two databases' ? { ownDatabaseUrl: await database.url() } : {};
      const site = await startWritingSite(database, { ...two, env: ownEvents });
      await subscribe(site, ['*']);
      const queued = eventsOf(site);
      const send = async ([path, options]: Asked): Promise<[status: number, events: Event[]]> => {
        const { status } = await site.get(path, { as: 'all', ...options });
        return [status, await queued()];
      };
      const change = (method: string, path: string, body?: unknown): Asked => [path, { method, body }];
      const data = async (asked: Asked): Promise<unknown> => {
        const [status, events] = await send(asked);
        return [status, ...events.map((event) => ({ type: event.type, ...event.data, revision: undefined }))];
      };
      const resource = (action: string, id: number, more: object) => ({
        ...{ type: `resources.${action}`, object: 'resources', action, id: String(id), context: 'web' },
        ...{ revision: undefined, ...more },
      });
      const place = { uri: 'about/new.html' };
      const below = { ...place, parent: 2 };
      const goods = (action: string) => ({
        type: `goods.${action}`,
        action,
        object: 'goods',
        id: '1',
        revision: undefined,
      });
      const expectAll = async (asked: readonly (readonly [change: Asked, status: number, event: object])[]) => {
        for (const [one, status, event] of asked)
          expect([one, ...((await data(one)) as [])]).toEqual([one, status, event]);
      };
      const create = change('POST', '/resources', { pagetitle: 'New', alias: 'new', parent: 2 });
      await expectAll([
        [create, 201, resource('created', 4, place)],
        [change('PATCH', '/resources/4', { pagetitle: 'Newer' }), 200, resource('updated', 4, below)],
        [change('PUT', '/resources/4', { pagetitle: 'Newest' }), 200, resource('updated', 4, below)],
      ]);
      // The branch goes with its top: one event, whose tags name all of them.
      const [, [trashed]] = await send(change('DELETE', '/resources/2'));
      expect(trashed).toMatchObject({ type: 'resources.deleted', data: { id: '2' } });
      expect(trashed?.meta.revalidate).toEqual(
        expect.arrayContaining(['gateway:resources:2', 'gateway:resources:3', 'gateway:resources:4']),
      );
      await expectAll([
        [change('PATCH', '/resources/2', { deleted: 0 }), 200, resource('updated', 2, { uri: 'about/' })],
        [change('PATCH', '/resources/4', { deleted: 1 }), 200, resource('updated', 4, below)],
        [change('DELETE', '/resources/4?force=1'), 200, resource('deleted', 4, below)],
        [change('POST', '/objects/goods', { title: 'Cup' }), 201, goods('created')],
        [change('PATCH', '/objects/goods/1', { stock: 3 }), 200, goods('updated')],
        [change('DELETE', '/objects/goods/1'), 200, goods('deleted')],
      ]);
      const maker = 'käse, "a"%\u2028 b';
      const [made, [event]] = await send(change('POST', '/objects/makers', { code: maker, title: 'M' }));
      expect([made, event?.data['id'], event?.meta.revalidate]).toEqual([
        201,
        maker,
        ['gateway:makers', 'gateway:makers:k%C3%A4se%2C%20%22a%22%25%E2%80%A8%20b'],
      ]);

      const refused: readonly (readonly [status: number, ...Asked])[] = [
        [422, '/resources', { method: 'POST', body: { pagetitle: '' } }],
        [422, '/resources', { method: 'POST', body: { pagetitle: 'Team', alias: 'team', parent: 2 } }],
        [422, '/resources/3', { method: 'PATCH', body: { parent: 3 } }],
        [422, '/resources/3', { method: 'PATCH', body: '{', headers: { 'content-type': 'application/json' } }],
        [401, '/resources/3', { method: 'DELETE', as: 'nobody' }],
        [403, '/resources/3', { method: 'DELETE', as: 'updater' }],
        [404, '/resources/99', { method: 'PATCH', body: { pagetitle: 'x' } }],
        [404, '/resources/99', { method: 'DELETE' }],
        [409, '/resources/1', { method: 'DELETE' }],
        [412, '/resources/3', { method: 'PATCH', body: { pagetitle: 'x' }, headers: { 'if-match': '"no"' } }],
        [405, '/contexts/web', { method: 'DELETE' }],
        [422, '/objects/makers', { method: 'POST', body: { code: maker, title: 'M' } }],
        [200, '/resources', {}],
        [200, '/resources', { method: 'HEAD' }],
      ];
      for (const [status, path, options] of refused) {
        expect([path, options.method, ...(await send([path, options]))]).toEqual([path, options.method, status, []]);
      }
      const keyed: Asked = [
        '/resources',
        { method: 'POST', body: { pagetitle: 'Once', alias: 'once' }, headers: { 'idempotency-key': 'once' } },
      ];
      expect((await send(keyed)).map((part) => (Array.isArray(part) ? part.length : part))).toEqual([201, 1]);
      expect(await send(keyed)).toEqual([201, []]);
      const sql = 'SELECT `revision`, `event_id` FROM `hcd_webhook_deliveries` ORDER BY `id`';
      const all = await site.store.own.primary.select({ sql, params: [] });
      const revisions = all.map(([revision]) => Number(revision));
      expect(revisions).toEqual([...new Set(revisions)].sort((one, other) => one - other));
      // The server makes the indexes of content once, which is a state of its own.
      expect([0, 1]).toContain((revisions.at(-1) ?? 0) - revisions.length);
      expect(new Set(all.map(([, id]) => id)).size).toBe(all.length);
    },
  );
});

const someFields = fc.record(
  {
    pagetitle: fc.constantFrom('Home', 'Über uns', 'c'),
    alias: fc.constantFrom('a', 'b', 'ünï', 'x y', '100%'),
    uri: fc.constantFrom('a.html', 'b/c', '/deep/', ''),
    uri_override: fc.boolean(),
    parent: fc.constantFrom(0, 1, 2, 3, 4, 5),
    published: fc.boolean(),
    deleted: fc.boolean(),
    hidemenu: fc.boolean(),
    isfolder: fc.boolean(),
    context_key: fc.constantFrom('web', 'en'),
    menuindex: fc.nat({ max: 3 }),
    tvs: fc.record({ mood: fc.constantFrom('calm', '@INHERIT', 'wild') }),
  },
  { requiredKeys: [] },
);
/** Few fields at once: of many, one would be refused nearly always. */
const anyBody = fc
  .tuple(someFields, fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 3 }))
  .map(([fields, picks]) => {
    const entries = Object.entries(fields);
    return Object.fromEntries(picks.flatMap((at) => entries.slice(at % Math.max(1, entries.length)).slice(0, 1)));
  });
const anyId = fc.integer({ min: 1, max: 8 });
const patch = fc.tuple(anyId, anyBody).map(([id, body]): Asked => [`/resources/${id}`, { method: 'PATCH', body }]);
const post = anyBody.map((body): Asked => ['/resources', { method: 'POST', body: { pagetitle: 'New', ...body } }]);
const put = fc
  .tuple(anyId, anyBody)
  .map(([id, body]): Asked => [`/resources/${id}`, { method: 'PUT', body: { pagetitle: 'Put', ...body } }]);
const removal = fc
  .tuple(anyId, fc.nat(9))
  .map(([id, seldom]): Asked => [`/resources/${id}${seldom === 0 ? '?force=1' : ''}`, { method: 'DELETE' }]);
const someChange: fc.Arbitrary<Asked> = fc.oneof(
  { weight: 12, arbitrary: patch },
  { weight: 2, arbitrary: post },
  { weight: 1, arbitrary: put },
  { weight: 1, arbitrary: removal },
);
const questions: readonly string[] = [
  ...[1, 2, 3, 4, 5, 6, 7, 8].flatMap((id) => [
    `/resources/${id}`,
    `/resources/${id}?include=tvs`,
    `/resources/${id}?include=parent,children`,
  ]),
  '/resources',
  '/resources?limit=2&sort=-menuindex',
  '/resources?filter[parent]=2&fields=id',
  '/resources?q=Über&include=parent',
  '/resources/lookup?uri=about/team.html',
  '/resources/lookup?uri=b/c',
  '/templates',
  '/contexts',
];

describeEachDatabase('the tags of an event', (database) => {
  test('meet those of answers with values that are inherited from the record, and of no others', async () => {
    const site = await startWritingSite(database, { env: { ...ownEvents, HCD_GATEWAY_CACHE_ENABLED: '1' } });
    await subscribe(site, ['*']);
    const queued = eventsOf(site);
    const make = async (parent: number, mood: string): Promise<number> => {
      const body = { pagetitle: `With ${mood} below ${parent}`, published: true, template: 1, parent, tvs: { mood } };
      const made = await site.get('/resources', { as: 'all', method: 'POST', body });
      return (made.body['data'] as { id: number }).id;
    };
    const top = await make(0, 'wild');
    const middle = await make(top, '@INHERIT');
    const child = await make(middle, '@INHERIT');
    const own = await make(middle, 'calm');
    const tags = async (path: string) =>
      tagsOf(await site.get(path)).filter((tag) => /^gateway:resources:\d+$/.test(tag));
    const named = (...ids: number[]) => ids.map((id) => `gateway:resources:${id}`);
    const before = await site.get(`/resources/${child}?include=tvs`);
    expect(before.body).toMatchObject({ data: { tvs: { mood: 'wild' } } });
    expect([...(await tags(`/resources/${child}?include=tvs`))].sort()).toEqual(named(top, middle, child).sort());
    expect(await tags(`/resources/${child}`)).toEqual(named(child));
    expect(await tags(`/resources/${own}?include=tvs`)).toEqual(named(own));
    await queued();
    await site.get(`/resources/${top}`, { as: 'all', method: 'PATCH', body: { tvs: { mood: 'calm' } } });
    const [event] = await queued();
    expect(event?.meta.revalidate).toContain(`gateway:resources:${top}`);
    const after = await site.get(`/resources/${child}?include=tvs`);
    expect(after.body).toMatchObject({ data: { tvs: { mood: 'calm' } } });
  });

  test('meet those of every answer that the change touches, and hold all of the record itself', async () => {
    const site = await startWritingSite(database, { env: { ...ownEvents, HCD_GATEWAY_CACHE_ENABLED: '1' } });
    await subscribe(site, ['*']);
    const queued = eventsOf(site);
    await site.fill({
      site_content: [4, 5, 6, 7, 8].map((id) => ({
        ...{ id, pagetitle: `Page ${id}`, alias: `page-${id}`, parent: id % 3 },
        ...{ uri: `page-${id}.html`, isfolder: id % 2, template: 1 },
      })),
    });
    const ask = () => Promise.all(questions.map((path) => site.get(path)));
    let before = await ask();
    let effective = 0;
    await fc.assert(
      fc.asyncProperty(someChange, async ([path, options]) => {
        const { status } = await site.get(path, { as: 'all', ...options });
        const events = await queued();
        expect(events.length).toBeLessThanOrEqual(status < 300 ? 1 : 0);
        const after = await ask();
        const stale = new Set(events.flatMap((event) => event.meta.revalidate));
        for (const [at, answer] of before.entries()) {
          const then = after[at];
          if (answer.status !== 200 || (then?.status === 200 && then.text === answer.text)) continue;
          effective += 1;
          const asked = { question: questions[at], path, options, tags: tagsOf(answer), stale: [...stale] };
          const isTold = asked.tags.some((tag) => stale.has(tag));
          expect({ ...asked, isTold }).toEqual({ ...asked, isTold: true });
        }
        for (const event of events) {
          const shown = after[questions.indexOf(`/resources/${String(event.data['id'])}`)];
          if (shown?.status === 200) expect([...stale]).toEqual(expect.arrayContaining(tagsOf(shown)));
        }
        before = after;
      }),
      { numRuns: 100, endOnFailure: true },
    );
    expect(effective).toBeGreaterThan(50);
  });
});
