/**
 * Changes as they happen: what each listener is told, how it goes on after a break, and when its stream ends.
 */
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { ChangeFeed } from '../../src/content/live/change-feed.js';
import { AppError } from '../../src/errors/app-error.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { movableClock } from '../support/clock.js';
import { describeEachDatabase } from '../support/databases.js';
import { type Row, seed } from '../support/seed.js';
import { startTestSite, type TestSite } from '../support/site.js';

const resource = (id: number, words: Row = {}): Row => ({
  ...{ id, pagetitle: `Page ${id}`, alias: `page-${id}`, uri: `page-${id}.html` },
  ...words,
});

interface Told {
  readonly id: string;
  readonly event: string;
  readonly tags: readonly string[];
  readonly meta: { readonly source?: string };
}

/** A stream that is open until it is closed, or the server ends it. */
class Stream {
  readonly told: Told[] = [];
  lastId = '';
  text = '';
  isOver = false;
  readonly #abort = new AbortController();

  async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const accept = 'text/event-stream';
    const response = await fetch(url, { headers: { accept, ...headers }, signal: this.#abort.signal });
    void this.#read(response).catch(() => undefined);
    return response;
  }

  close(): void {
    this.#abort.abort();
  }

  async #read({ body }: Response): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const piece of body ?? []) {
      const text = decoder.decode(piece, { stream: true });
      this.text += text;
      rest += text;
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.#take(block);
    }
    this.isOver = true;
  }

  #take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    this.lastId = field('id') ?? this.lastId;
    const data = field('data');
    if (data === undefined) return;
    const { tags, meta } = JSON.parse(data) as Pick<Told, 'tags' | 'meta'>;
    this.told.push({ id: this.lastId, event: field('event') ?? '', tags, meta });
  }
}

describeEachDatabase('changes', (database) => {
  let db: CliDatabase;
  let site: TestSite;
  let key: string;
  const clock = movableClock();
  const open: Stream[] = [];
  afterEach(() => {
    for (const stream of open.splice(0)) stream.close();
  });

  const newKey = async (flags: string): Promise<{ id: number; key: string }> =>
    ((await db.json(`key create ${flags}`, { clock: systemClock })) as { data: { id: number; key: string } }).data;
  const patch = async (id: number, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${key}` };
    expect((await site.get(`/resources/${id}`, { method: 'PATCH', headers, body })).status).toBe(200);
  };
  const listen = async (headers: Readonly<Record<string, string>> = {}, query = ''): Promise<Stream> => {
    const stream = new Stream();
    open.push(stream);
    const response = await stream.open(`${site.url}/api/v1/changes${query}`, headers);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    return stream;
  };
  const tagsOf = (stream: Stream): string[] => [...new Set(stream.told.flatMap(({ tags }) => tags))].sort();
  /** Until every stream has been told of a change of resource 1, which everybody sees: what came before it has arrived. */
  const settled = async (...streams: readonly Stream[]): Promise<void> => {
    const heard = ({ told }: Stream) => told.filter(({ tags }) => tags.includes('gateway:resources:1')).length;
    const before = streams.map(heard);
    await site.live.refresh();
    await patch(1, { longtitle: `again ${Math.random()}` });
    await expect.poll(() => streams.every((stream, at) => heard(stream) > (before[at] ?? 0))).toBe(true);
  };
  const ofPage = (id: number): string[] => [
    'gateway:context:web',
    'gateway:resources',
    `gateway:resources:${id}`,
    `gateway:uri:page-${id}.html`,
  ];
  const poll = async (query: string, headers: Readonly<Record<string, string>> = {}) => {
    const { status, body } = await site.get(`/changes${query}`, { headers });
    return { status, body: body as { data: Told[]; meta: { next: string } } };
  };

  beforeAll(async () => {
    const group = { principal_class: 'MODX\\Revolution\\modUserGroup', principal: 90 };
    const members = { ...group, authority: 9999, policy: 1 };
    db = await prepareCliDatabase(await database.url(), async (store) => {
      await seed(store, {
        site_content: [
          ...[resource(1), resource(2, { published: 0 }), resource(3), resource(5, { context_key: 'en' })],
          ...[resource(8), resource(9)],
        ],
        context: [{ key: 'en', name: 'en' }],
        documentgroup_names: [{ id: 7, name: 'members' }],
        document_groups: [{ document_group: 7, document: 8 }],
        access_resource_groups: [{ target: 7, ...members }],
        // Only members may load the context.
        access_context: [{ target: 'en', ...members }],
      });
    });
    // The state 0 was before the server.
    await db.run('setting set gateway_max_offset 100000', { clock: systemClock });
    site = await startTestSite({
      databaseUrl: db.url,
      clock,
      env: { HCD_GATEWAY_CACHE_ENABLED: '1', HCD_GATEWAY_ALLOWED_CONTEXTS: 'web,en' },
    });
    key = (await newKey('--scopes *')).key;
  });

  it('tells what the caller sees or saw, and nothing else', async () => {
    const anonymous = await listen();
    const editor = await listen({ authorization: `Bearer ${key}` });
    await patch(2, { longtitle: 'a draft' });
    await db.run('resource update 5 --longtitle elsewhere', { clock: systemClock });
    await settled(anonymous, editor);
    expect(tagsOf(anonymous)).toEqual(ofPage(1));
    expect(tagsOf(editor)).toEqual(expect.arrayContaining([...ofPage(1), ...ofPage(2)]));
    anonymous.told.length = 0;
    await patch(3, { published: false });
    await settled(anonymous);
    expect(tagsOf(anonymous)).toEqual([...new Set([...ofPage(1), ...ofPage(3)])].sort());
    anonymous.told.length = 0;
    await patch(3, { longtitle: 'hidden by now', alias: 'secret-address' });
    await settled(anonymous);
    expect(anonymous.text).not.toContain('secret-address');
    expect(tagsOf(anonymous)).toEqual(ofPage(1));
    anonymous.close();
  });

  it('keeps resources of closed groups secret', async () => {
    const anonymous = await listen();
    const headers = { authorization: `Bearer ${key}` };
    await site.change(['UPDATE modx_document_groups SET document_group = 99 WHERE document = 8']);
    await patch(8, { longtitle: 'open' });
    await settled(anonymous);
    expect(tagsOf(anonymous)).toEqual(expect.arrayContaining(ofPage(8)));
    await site.change(['UPDATE modx_document_groups SET document_group = 7 WHERE document = 8']);
    anonymous.told.length = 0;
    expect((await site.get('/resources/8', { headers })).status).toBe(404);
    const { code } = await db.run('resource update 8 --alias secret-place', { clock: systemClock });
    expect(code).toBe(0);
    await settled(anonymous);
    // Another program closed it, which listeners are told without its address.
    expect(tagsOf(anonymous).filter((tag) => tag !== 'gateway:resources:8')).toEqual(ofPage(1));
    expect(anonymous.text).not.toContain('secret-place');
  });

  it('tells of a page that a resource group closes or opens', async () => {
    const anonymous = await listen();
    const resets = () => anonymous.told.filter(({ event }) => event === 'reset').map(({ meta }) => meta);
    const put = 'INSERT INTO modx_document_groups (document_group, document) VALUES (7, 9)';
    for (const sql of [put, 'DELETE FROM modx_document_groups WHERE document = 9']) {
      anonymous.told.length = 0;
      await site.change([sql]);
      await expect.poll(resets).toContainEqual({ source: 'cms' });
    }
    anonymous.told.length = 0;
    const { stdout } = await db.run('export - --object resources', { clock: systemClock });
    const closed = stdout
      .split('\n')
      .map((line) => (line.includes('page-9.html') ? line.replace('"groups":[]', '"groups":["members"]') : line));
    const done = await db.run('import -', { clock: systemClock, stdin: closed.join('\n') });
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('1 updated')]);
    await site.live.refresh();
    await expect.poll(resets).toContainEqual({ source: 'hcd' });
    expect((await site.get('/resources/9')).status).toBe(404);
    await site.change(['DELETE FROM modx_document_groups WHERE document = 9']);
  });

  it('goes on where a listener was', async () => {
    const first = await listen();
    await settled(first);
    const { lastId } = first;
    first.close();
    await patch(9, { longtitle: 'missed' });
    for (const stream of [await listen({ 'last-event-id': lastId }), await listen({}, `?after=${lastId}`)]) {
      await expect.poll(() => tagsOf(stream)).toEqual(ofPage(9));
      stream.close();
    }
    const polled = await poll(`?after=${lastId}`);
    expect([...new Set(polled.body.data.flatMap(({ tags }) => tags))].sort()).toEqual(ofPage(9));
    const now = await poll('');
    expect(now.body.data).toEqual([]);
    expect(Number(now.body.meta.next)).toBeGreaterThanOrEqual(Number(polled.body.meta.next));
  });

  it('tells the next request of a change that arrives while an answer is made', async () => {
    const { join } = ChangeFeed.prototype;
    const joining = vi.spyOn(ChangeFeed.prototype, 'join').mockImplementationOnce(async function (this: ChangeFeed) {
      const joined = await join.call(this, null);
      await patch(1, { longtitle: 'changed meanwhile' });
      return { ...joined, missed: [{ id: joined.id, changed: 'everything' }] };
    });
    const { data, meta } = (await poll('?after=0')).body;
    joining.mockRestore();
    expect(data).toMatchObject([{ event: 'reset' }]);
    const later = (await poll(`?after=${meta.next}`)).body.data;
    expect(later.flatMap(({ tags }) => tags)).toContain('gateway:resources:1');
  });

  it('waits for a change where JSON is asked for', async () => {
    const { next } = (await poll('')).body.meta;
    const waiting = poll(`?after=${next}`);
    await patch(9, { longtitle: 'waited for' });
    const { body } = await waiting;
    const tags = expect.arrayContaining(['gateway:resources:9']);
    expect(body.data).toMatchObject([{ event: 'change', tags, meta: { source: 'hcd' } }]);
    expect(Number(body.meta.next)).toBeGreaterThan(Number(next));
  });

  it.each(['0', '99999999'])('begins anew for a state that is not known: %s', async (after) => {
    await site.store.own.write(async (tx) => void (await tx.run({ sql: 'DELETE FROM hcd_changes', params: [] })));
    await patch(9, { longtitle: `after ${after}` });
    await site.store.own.write(async (tx) => void (await tx.run({ sql: 'DELETE FROM hcd_changes', params: [] })));
    expect((await poll(`?after=${after}`)).body.data).toMatchObject([{ event: 'reset', tags: [] }]);
    const stream = await listen({ 'last-event-id': after });
    await expect.poll(() => stream.told).toMatchObject([{ event: 'reset' }]);
  });

  it('begins anew when settings change', async () => {
    const stream = await listen();
    await db.run('setting set gateway_max_limit 77', { clock: systemClock });
    const reset = expect.objectContaining({ event: 'reset', meta: { source: 'hcd' } });
    await expect.poll(() => stream.told).toContainEqual(reset);
    expect(stream.told.filter(({ meta }) => meta.source !== 'hcd')).toEqual([]);
  });

  it('refuses another after', async () => {
    for (const after of ['x', '-1', '1.2.3', '1e3', '9'.repeat(16)]) {
      const { body } = await site.get(`/changes?after=${after}`);
      expect(body, after).toMatchObject({ status: 422, errors: { after: expect.anything() } });
    }
  });

  it('ends with its credential', async () => {
    const made = await newKey('--scopes resources.read');
    const stream = await listen({ authorization: `Bearer ${made.key}` });
    await settled(stream);
    await db.run(`key revoke ${made.id} --yes`, { clock: systemClock });
    clock.forward(1500);
    const before = stream.told.length;
    await patch(1, { longtitle: 'after the end' });
    await expect.poll(() => stream.isOver).toBe(true);
    expect(stream.told).toHaveLength(before);
  });

  it('is not told to a request that waits when its credential has ended', async () => {
    const made = await newKey('--scopes resources.read');
    const headers = { authorization: `Bearer ${made.key}` };
    const { next } = (await poll('', headers)).body.meta;
    const waiting = poll(`?after=${next}`, headers);
    // Not shown to this key: it still waits.
    await patch(2, { longtitle: 'waited through' });
    await db.run(`key revoke ${made.id} --yes`, { clock: systemClock });
    clock.forward(1500);
    await patch(1, { longtitle: 'after its end' });
    expect((await waiting).status).toBe(401);
  });

  it('gives back the place of a listener that could not begin', async () => {
    const join = vi.spyOn(ChangeFeed.prototype, 'join').mockRejectedValue(new AppError('unavailable'));
    const statuses = new Set<number>();
    for (let times = 0; times < 100; times += 1) {
      const refused = await fetch(`${site.url}/api/v1/changes`);
      await refused.text();
      statuses.add(refused.status);
    }
    expect([...statuses]).toEqual([503]);
    join.mockRestore();
    await listen();
  });

  it('needs the scope of readers', async () => {
    const { key: writer } = await newKey('--scopes resources.update');
    expect((await poll('', { authorization: `Bearer ${writer}` })).status).toBe(403);
    expect((await poll('', { authorization: 'Bearer gk_wrong' })).status).toBe(401);
  });

  it('has a bounded number of listeners of a network without a credential', async () => {
    const streams = await Promise.all(Array.from({ length: 100 }, () => listen()));
    const { next } = (await poll('')).body.meta;
    const headers = { accept: 'application/json' };
    for (const refused of [
      await fetch(`${site.url}/api/v1/changes`),
      await fetch(`${site.url}/api/v1/changes?after=${next}`, { headers }),
    ]) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    }
    const keyed = await listen({ authorization: `Bearer ${key}` });
    for (const stream of [...streams, keyed]) stream.close();
    // A place is free as soon as its connection has closed.
    await expect
      .poll(async () => {
        const stream = new Stream();
        const { status } = await stream.open(`${site.url}/api/v1/changes`);
        stream.close();
        return status;
      })
      .toBe(200);
  });

  it('gives a credential a tenth of all places, and keeps a tenth for callers without one', async () => {
    const keys = await Promise.all(Array.from({ length: 11 }, () => newKey('--scopes resources.read')));
    const [first = '', ...others] = keys.map((one) => one.key);
    await db.run('setting set gateway_changes_max_listeners 10', { clock: systemClock });
    await site.live.refresh();
    const enter = async (as?: string): Promise<unknown[]> => {
      const stream = new Stream();
      open.push(stream);
      const headers: Record<string, string> = as === undefined ? {} : { authorization: `Bearer ${as}` };
      const response = await stream.open(`${site.url}/api/v1/changes`, headers);
      return [response.status, response.headers.get('retry-after')];
    };
    // Streams of other tests may still be closing.
    await expect.poll(() => enter(first)).toEqual([200, null]);
    expect(await enter(first)).toEqual([503, '5']);
    const answers = [];
    for (const one of others) answers.push(await enter(one));
    expect(answers).toEqual([...Array(8).fill([200, null]), [503, '5'], [503, '5']]);
    expect(await enter()).toEqual([200, null]);
    expect(await enter()).toEqual([503, '5']);
    await db.run('setting unset gateway_changes_max_listeners', { clock: systemClock });
    await site.live.refresh();
  });

  it('is closed to previews', async () => {
    const made = await site.get('/previews', {
      ...{ method: 'POST', headers: { authorization: `Bearer ${key}` }, body: { resource: 1 } },
    });
    const { token } = made.body['data'] as { token: string };
    const headers = { accept: 'application/json', 'x-preview-token': token };
    for (const query of ['', '?after=1'])
      expect((await fetch(`${site.url}/api/v1/changes${query}`, { headers })).status).toBe(403);
  });

  it('answers HEAD', async () => {
    const response = await fetch(`${site.url}/api/v1/changes`, { method: 'HEAD' });
    const caching = response.headers.get('cache-control');
    expect([response.status, caching, await response.text()]).toEqual([200, 'no-store', '']);
  });

  it('ends when the server stops', async () => {
    const stream = await listen();
    await site.close();
    await expect.poll(() => stream.isOver).toBe(true);
  });
});
