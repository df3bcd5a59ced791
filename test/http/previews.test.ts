/**
 * Previews over HTTP: what a token shows in the gateway and in the page delivery API, what it never shows, and when it
 * ends.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { createCredential } from '../../src/crypto/credential-text.js';
import { removeEndedPreviews } from '../../src/identity/models/previews.js';
import { saveDraft } from '../../src/pages/authoring/change-page.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { movableClock } from '../support/clock.js';
import { describeEachDatabase } from '../support/databases.js';
import { accessRule, type Row, seed } from '../support/seed.js';
import { type Got, startTestSite, type TestSite } from '../support/site.js';
import { cmsSessionHandler, loggedIn, putSession } from './gateway/cms-session.js';
import { grant, passwordOf, sessionOf, userRow, Visitor } from './gateway/session-visitor.js';
import { authoring, hero, publish } from './pages/published-site.js';

const hidden = (id: number, words: Row = {}): Row => ({
  ...{ id, pagetitle: `Page ${id}`, alias: `page-${id}`, uri: `page-${id}.html`, published: 0 },
  ...words,
});

interface Preview {
  readonly id: number;
  readonly token: string;
  readonly url: string;
  readonly frontend_url: string | null;
  readonly expires_on: string;
}

interface PageAnswer {
  readonly status: number;
  readonly message: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly caching: string | null;
}

const refused = { status: 401, code: 'invalid_token', detail: 'Invalid or revoked credentials' };

describeEachDatabase('previews', (database) => {
  let db: CliDatabase;
  let site: TestSite;
  let editor: string;
  const clock = movableClock();
  /** What no database has a part in. */
  const pure = it.runIf(database.name === 'sqlite');

  const command = async <T>(line: string): Promise<T> =>
    ((await db.json(line, { clock: systemClock })) as { data: T }).data;
  const newKey = async (flags: string) => command<{ id: number; key: string }>(`key create ${flags}`);
  const post = (body: unknown, key = editor): Promise<Got> =>
    site.get('/previews', { method: 'POST', headers: { authorization: `Bearer ${key}` }, body });
  const preview = async (body: unknown, key = editor): Promise<Preview> => {
    const { status, body: answer, text } = await post(body, key);
    expect(status, text).toBe(201);
    return answer['data'] as Preview;
  };
  const withToken = (token: string) => ({ headers: { 'x-preview-token': token } });
  const statusOf = async (path: string, token?: string): Promise<number> =>
    (await site.get(path, token === undefined ? {} : withToken(token))).status;
  const ids = async (path: string, token: string): Promise<unknown[]> => {
    const { body } = await site.get(path, withToken(token));
    return (body['data'] as { id: unknown }[]).map(({ id }) => id);
  };
  const page = async (route: string, token?: string): Promise<PageAnswer> => {
    const headers: Record<string, string> = token === undefined ? {} : { 'X-Preview-Token': token };
    const response = await fetch(`${site.url}/pages/api/v1.php/pages/${route}`, { headers });
    const { message, object } = (await response.json()) as Pick<PageAnswer, 'message' | 'object'>;
    return { status: response.status, message, object, caching: response.headers.get('cache-control') };
  };
  /** Changes our own tables behind the server's back, as time does. */
  const run = async (sql: string): Promise<void> => {
    await site.store.own.write(async (tx) => void (await tx.run({ sql, params: [] })));
    clock.forward(1500);
  };
  const draft = async (resource: number, title: string): Promise<void> => {
    const document = { schemaVersion: 1, sections: [hero(title)] };
    await saveDraft(authoring(site.store), { resource, document, expected: null, publish: false });
  };

  beforeAll(async () => {
    db = await prepareCliDatabase(await database.url(), async (store) => {
      await seed(store, {
        site_content: [
          ...[hidden(1, { published: 1 }), hidden(2), hidden(3), hidden(4, { deleted: 1 })],
          ...[hidden(5, { context_key: 'en' }), hidden(6, { published: 1, parent: 2 }), hidden(8)],
        ],
        context: [{ key: 'en', name: 'en' }],
        documentgroup_names: [{ id: 7, name: 'members' }],
        document_groups: [{ document_group: 7, document: 8 }],
        access_resource_groups: [accessRule(7, { principal: 90 })],
        users: ['rowan', 'ash', 'birch', 'cedar'].map((username, at) => userRow({ id: 20 + at, username })),
        member_groups: [{ user_group: 90, member: 23, role: 1 }],
      });
      const reading = ['load', 'list', 'view', 'view_unpublished'];
      const previewing = [...reading, 'preview', 'resources.read'];
      await grant(store, { 20: reading, 21: previewing, 22: previewing });
    });
    site = await startTestSite({
      databaseUrl: db.url,
      clock,
      env: {
        ...{ HCD_GATEWAY_CACHE_ENABLED: '1', HCD_GATEWAY_ALLOWED_CONTEXTS: 'web,en', HCD_GATEWAY_AUDIT_ENABLED: '1' },
        ...{ HCD_PAGES_REST_API_ENABLED: '1', HCD_GATEWAY_OAUTH_ENABLED: '1' },
        HCD_GATEWAY_OAUTH_PASSWORD_GRANT_ENABLED: '1',
      },
    });
    editor = (await newKey('--scopes resources.read,preview,context.en')).key;
  });

  it('shows the resource as it is, and no other that is not published', async () => {
    const { token, url, expires_on } = await preview({ resource: 2 });
    expect(url).toBe(`/api/v1/resources/2?context=web&preview_token=${token}`);
    expect(Date.parse(expires_on) - clock.now()).toBeGreaterThan(3_590_000);
    const shown = await site.get('/resources/2?fields=id,published', withToken(token));
    expect([shown.status, shown.body]).toEqual([200, { data: { id: 2, published: false }, meta: {} }]);
    expect(shown.headers.get('cache-control')).toBe('private, no-store, no-transform');
    expect(await statusOf(url.replace('/api/v1', ''))).toBe(200);
    expect(await statusOf('/pages/page-2.html', token)).toBe(200);
    const statuses = [];
    for (const other of ['1', '3', '4', '5', '5?context=en', '8'])
      statuses.push(await statusOf(`/resources/${other}`, token));
    expect(statuses).toEqual([200, 404, 404, 404, 404, 404]);
    await site.change(["UPDATE modx_site_content SET pagetitle = 'Changed' WHERE id = 2"]);
    const { body: changed } = await site.get('/resources/2?fields=pagetitle', withToken(token));
    expect(changed['data']).toEqual({ pagetitle: 'Changed' });
    expect(await ids('/resources?fields=id&sort=id', token)).toEqual([1, 6]);
    // What is not shown through the front door is not shown through another resource.
    const { body } = await site.get('/resources/6?fields=id&include=parent&fields[parent]=id', withToken(token));
    expect(body['data']).not.toHaveProperty('parent.id');
  });

  it('shows a whole context, and no other', async () => {
    const { token, url } = await preview({ context: 'web' });
    expect(url).toBe(`/api/v1/resources?context=web&preview_token=${token}`);
    expect(await ids('/resources?fields=id&sort=id', token)).toEqual([1, 2, 3, 6]);
    expect([await statusOf('/resources/3', token), await statusOf('/resources/4', token)]).toEqual([200, 404]);
    expect(await ids('/resources?context=en&fields=id', token)).toEqual([]);
    expect(await statusOf('/resources/5?context=en', token)).toBe(404);
    expect(await statusOf('/resources?include_deleted=1', token)).toBe(403);
    const english = await preview({ context: 'en' });
    expect(await ids('/resources?fields=id', english.token)).toEqual([5]);
  });

  pure('never changes anything, and shows no elements', async () => {
    const { token } = await preview({ context: 'web' });
    const writes = [
      'POST /resources',
      'PATCH /resources/2',
      'PUT /resources/2',
      'DELETE /resources/2',
      'POST /previews',
    ];
    const reads = ['GET /previews', 'DELETE /previews/1', 'GET /chunks', 'GET /contexts', 'GET /templates/1'];
    for (const ask of [...writes, ...reads]) {
      const [method = '', path = ''] = ask.split(' ');
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: { pagetitle: 'x' } };
      // A key of the same request does not help.
      const headers = { 'x-preview-token': token, authorization: `Bearer ${editor}` };
      expect((await site.get(path, { method, headers, ...body })).status, ask).toBe(403);
    }
  });

  it('is not answered from what others were given, and gives nothing to them', async () => {
    for (let round = 0; round < 3; round += 1) expect(await statusOf('/pages/page-2.html')).toBe(404);
    const list = '/resources?fields=id&sort=-id';
    const before = (await site.get(list)).text;
    const { token } = await preview({ context: 'web' });
    expect(await ids(list, token)).toEqual([6, 3, 2, 1]);
    expect(await statusOf('/pages/page-2.html', token)).toBe(200);
    expect((await site.get(list)).text).toBe(before);
    expect(await statusOf('/pages/page-2.html')).toBe(404);
  });

  it('sees what its maker may see', async () => {
    expect((await post({ resource: 8 })).body).toMatchObject({ status: 404, code: 'not_found' });
    const bound = await newKey('--scopes resources.read,preview --user rowan');
    const { token } = await preview({ resource: 2 }, bound.key);
    expect(await statusOf('/resources/2', token)).toBe(200);
    await site.change(['UPDATE modx_users SET active = 0 WHERE id = 20']);
    clock.forward(1500);
    expect(await statusOf('/resources/2', token)).toBe(401);
    await site.change(['UPDATE modx_users SET active = 1 WHERE id = 20']);
  });

  pure.each([
    ['forged', async (token: string) => token.replace(/.{6}$/, 'aaaaaa')],
    ['of another form', async () => 'pv_'],
    ['empty', async () => ''],
    ['long', async () => `pv_${'a'.repeat(5000)}`],
    ['well formed and unknown', async () => createCredential('pv').text],
    ['an API key', async () => editor],
  ])('refuses a token that is %s', async (_name, makeToken) => {
    const token = await makeToken((await preview({ resource: 2 })).token);
    expect((await site.get('/resources/1', withToken(token))).body).toMatchObject(refused);
    expect((await page('1', token)).status).toBe(401);
  });

  pure('needs the right to read what it shows', async () => {
    const { key } = await newKey('--scopes preview');
    const { status, body } = await post({ resource: 1 }, key);
    const detail = 'Insufficient permissions: this request needs the scope resources.read';
    expect([status, body]).toMatchObject([403, { code: 'scope_denied', detail }]);
    // It still lists its own previews.
    expect((await site.get('/previews', { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
  });

  pure.each(['/', '/schema', '/resources', '/tree', '/pages/page-1.html', '/meta/endpoints', '/health', '/problems'])(
    'refuses a wrong token at %s, also where an answer is kept',
    async (path) => {
      for (let time = 0; time < 2; time += 1) expect(await statusOf(path)).toBe(200);
      const query = path.includes('?') ? '&' : '?';
      for (const name of ['preview_token', 'preview%5Ftoken', 'preview_token=&preview_token']) {
        const { status, body } = await site.get(`${path}${query}${name}=pv_wrong`);
        expect([path, status, body['code']]).toEqual([path, 401, 'invalid_token']);
      }
      expect(await statusOf(path, 'pv_wrong')).toBe(401);
    },
  );

  it('refuses a token given twice', async () => {
    const { token } = await preview({ resource: 2 });
    expect(await statusOf(`/resources/2?preview_token=${token}&preview_token=${token}`)).toBeGreaterThanOrEqual(400);
  });

  it('ends with its time', async () => {
    const { token } = await preview({ resource: 2, expires: 60 });
    expect(await statusOf('/resources/2', token)).toBe(200);
    clock.forward(61_000);
    expect((await site.get('/resources/2', withToken(token))).body).toMatchObject(refused);
  });

  it('ends when it, or the key that made it, is revoked', async () => {
    const made = await newKey('--scopes resources.read,preview');
    const [first, second] = [await preview({ resource: 2 }, made.key), await preview({ resource: 3 }, made.key)];
    const mine = { headers: { authorization: `Bearer ${made.key}` } };
    const listed = await site.get('/previews', mine);
    const data = [
      { id: second.id, resource: 3, context: 'web', state: 'active' },
      { id: first.id, resource: 2 },
    ];
    expect(listed.body).toMatchObject({ data, meta: { count: 2 } });
    expect(listed.text).not.toContain(first.token.slice(20));
    // Somebody else's.
    const foreign = { method: 'DELETE', headers: { authorization: `Bearer ${editor}` } };
    expect((await site.get(`/previews/${first.id}`, foreign)).status).toBe(404);
    const gone = await site.get(`/previews/${first.id}`, { ...mine, method: 'DELETE' });
    expect([gone.status, gone.body]).toEqual([200, { data: { id: first.id, revoked: true }, meta: {} }]);
    expect(await statusOf('/resources/2', first.token)).toBe(401);
    expect(await statusOf('/resources/3', second.token)).toBe(200);
    await command(`key revoke ${made.id} --yes`);
    clock.forward(1500);
    expect(await statusOf('/resources/3', second.token)).toBe(401);
  });

  it('ends with the key that made it', async () => {
    const made = await newKey('--scopes resources.read,preview --expires 10m');
    const { token } = await preview({ resource: 2, expires: 7200 }, made.key);
    expect(await statusOf('/resources/2', token)).toBe(200);
    clock.forward(601_000);
    expect(await statusOf('/resources/2', token)).toBe(401);
  });

  describe('made with an access token', () => {
    let client: { client_id: string; client_secret: string };
    const newToken = async (grantOf: Readonly<Record<string, string>>): Promise<string> => {
      const body = new URLSearchParams({ ...client, ...grantOf });
      const response = await fetch(`${site.url}/api/v1/auth/token`, { method: 'POST', body });
      const answer = (await response.json()) as { access_token: string };
      expect(response.status, JSON.stringify(answer)).toBe(200);
      return answer.access_token;
    };
    const previewBy = async (token: string): Promise<string> => {
      const made = await preview({ resource: 2, expires: 604_800 }, token);
      expect(await statusOf('/resources/2', made.token)).toBe(200);
      return made.token;
    };

    beforeAll(async () => {
      const flags = '--scopes resources.read,preview --grants client_credentials,password';
      client = await command(`oauth client add previewer ${flags}`);
    });

    it('ends when the token is revoked', async () => {
      const access = await newToken({ grant_type: 'client_credentials' });
      const token = await previewBy(access);
      await command(`oauth token revoke ${access.split('_')[1]} --yes`);
      clock.forward(1500);
      expect(await statusOf('/resources/2', token)).toBe(401);
    });

    it('ends with the time of the token', async () => {
      const token = await previewBy(await newToken({ grant_type: 'client_credentials' }));
      await run('UPDATE hcd_oauth_tokens SET expires_on = 1');
      expect(await statusOf('/resources/2', token)).toBe(401);
    });

    it('ends when the user of the token gets another password', async () => {
      const user = { username: 'birch', password: passwordOf('birch') };
      const token = await previewBy(await newToken({ grant_type: 'password', ...user }));
      await db.run('user passwd birch --password-stdin', { stdin: 'another long password\n' });
      clock.forward(1500);
      expect(await statusOf('/resources/2', token)).toBe(401);
    });
  });

  describe('made in a session', () => {
    const made = async (visitor: Visitor): Promise<string> => {
      expect((await visitor.logIn('ash')).status).toBe(200);
      const answer = await visitor.ask('/previews', { method: 'POST', json: { resource: 2, expires: 604_800 } });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      const { token } = answer.body['data'] as Preview;
      expect(await statusOf('/resources/2', token)).toBe(200);
      return token;
    };

    it('ends when its user logs out, and not with another session of the user', async () => {
      const [visitor, other] = [new Visitor(site), new Visitor(site)];
      const [token, kept] = [await made(visitor), await made(other)];
      expect((await visitor.ask('/auth/session', { method: 'DELETE' })).status).toBe(200);
      expect([await statusOf('/resources/2', token), await statusOf('/resources/2', kept)]).toEqual([401, 200]);
    });

    it('ends when the session has ended by time', async () => {
      const token = await made(new Visitor(site));
      await run('UPDATE hcd_sessions SET expires_on = 1');
      expect(await statusOf('/resources/2', token)).toBe(401);
    });
  });

  describe('made by a log-in of the manager', () => {
    let number = 0;
    const made = async (): Promise<{ readonly id: string; readonly token: string }> => {
      number += 1;
      const id = `managersession0000000000${number}`;
      await putSession(site.store, { id, data: loggedIn({ mgr: 21 }) });
      const visitor = new Visitor(site);
      visitor.cookie = `PHPSESSID=${id}`;
      const shown = await visitor.ask('/auth/session');
      expect(shown.status, JSON.stringify(shown.body)).toBe(200);
      visitor.csrf = sessionOf(shown).csrf_token;
      const answer = await visitor.ask('/previews', { method: 'POST', json: { resource: 2, expires: 604_800 } });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      const { token } = answer.body['data'] as Preview;
      expect(await isRefused(token)).toEqual([false, false]);
      return { id, token };
    };
    const change = async (sql: string): Promise<void> => {
      await site.change([sql]);
      clock.forward(1500);
    };
    /** By the gateway, and by the page delivery API. */
    const isRefused = async (token: string): Promise<boolean[]> => [
      (await statusOf('/resources/2', token)) === 401,
      (await page('2', token)).status === 401,
    ];

    beforeAll(async () => {
      await seed(site.store, { system_settings: [{ key: 'session_handler_class', value: cmsSessionHandler }] });
      await site.change([]);
    });

    it.each<[string, (id: string) => string]>([
      ['is gone', (id) => `DELETE FROM modx_session WHERE id = '${id}'`],
      ['was logged out', (id) => `UPDATE modx_session SET data = '${loggedIn({})}' WHERE id = '${id}'`],
      [
        'is that of another user',
        (id) => `UPDATE modx_session SET data = '${loggedIn({ mgr: 22 })}' WHERE id = '${id}'`,
      ],
      [
        'was not written for its lifetime',
        (id) => `UPDATE modx_session SET access = access - 604800 WHERE id = '${id}'`,
      ],
    ])('ends when its session %s, and not with another session of the user', async (_name, sqlOf) => {
      const [{ id, token }, other] = [await made(), await made()];
      await change(sqlOf(id));
      expect(await isRefused(token)).toEqual([true, true]);
      expect(await isRefused(other.token)).toEqual([false, false]);
    });

    it('ends when the CMS keeps its sessions elsewhere', async () => {
      const { token } = await made();
      const setHandler = (value: string) =>
        change(
          `UPDATE modx_system_settings SET value = '${database.name === 'mariadb' ? value.replaceAll('\\', '\\\\') : value}' WHERE \`key\` = 'session_handler_class'`,
        );
      await setHandler('');
      expect(await statusOf('/resources/2', token)).toBe(401);
      await setHandler(cmsSessionHandler);
      expect(await statusOf('/resources/2', token)).toBe(200);
    });

    it('keeps the id of its session out of the store and of lists', async () => {
      const { id, token } = await made();
      const kept = await site.store.own.primary.select({ sql: 'SELECT * FROM hcd_previews', params: [] });
      const listed = (await db.run('preview list --json')).stdout;
      expect(JSON.stringify(kept)).not.toContain(id);
      expect(listed).not.toContain(id);
      expect(listed).not.toMatch(/cms_session|s1\./);
      // What is stored belongs to one token: under another it opens no session.
      const other = await made();
      const sql = (own: string) => `SELECT cms_session FROM hcd_previews WHERE lookup_id = '${own.split('_')[1]}'`;
      await run(
        `UPDATE hcd_previews SET cms_session = (SELECT cms_session FROM (${sql(other.token)}) AS other) WHERE lookup_id = '${token.split('_')[1]}'`,
      );
      expect([await statusOf('/resources/2', token), await statusOf('/resources/2', other.token)]).toEqual([401, 200]);
    });
  });

  it('ends when it was made in a session that nothing names', async () => {
    const visitor = new Visitor(site);
    await visitor.logIn('ash');
    const answer = await visitor.ask('/previews', { method: 'POST', json: { resource: 2 } });
    const { token } = answer.body['data'] as Preview;
    await run(`UPDATE hcd_previews SET session_hash = NULL WHERE lookup_id = '${token.split('_')[1]}'`);
    expect(await statusOf('/resources/2', token)).toBe(401);
  });

  pure('is in no link of an answer, and no ignored parameter', async () => {
    const { token } = await preview({ context: 'web' });
    const list = await site.get(`/resources?fields=id&limit=1&offset=1&preview_token=${token}`);
    expect(list.body['links']).toEqual({
      self: '/api/v1/resources?fields=id&limit=1&offset=1',
      next: '/api/v1/resources?fields=id&limit=1&offset=2',
      prev: '/api/v1/resources?fields=id&limit=1&offset=0',
    });
    const named = await site.get(`/resources?ids=2&fields=id&preview_token=${token}`);
    expect(named.body['links']).toEqual({ self: '/api/v1/resources?ids=2&fields=id' });
    expect((await site.get(`/health?preview_token=${token}`)).body['meta']).toEqual({});
    expect((await site.get('/health?preview_token=pv_wrong')).status).toBe(401);
  });

  pure.each<[name: string, body: unknown, member: string]>([
    ['nothing', {}, 'resource'],
    ['both', { resource: 2, context: 'web' }, 'resource'],
    ['a list', [1], 'body'],
    ['a text as id', { resource: '2' }, 'resource'],
    ['an id of 0', { resource: 0 }, 'resource'],
    ['an unknown context', { context: 'nowhere' }, 'context'],
    ['a context that is not one', { context: 5 }, 'context'],
    ['too long a life', { resource: 2, expires: 604_801 }, 'expires'],
    ['no life', { resource: 2, expires: 0 }, 'expires'],
    ['an unknown member', { resource: 2, days: 1 }, 'days'],
  ])('refuses %s', async (_name, body, member) => {
    const errors = { [member]: expect.anything() };
    expect((await post(body)).body).toMatchObject({ status: 422, code: 'validation_failed', errors });
  });

  it('shows the draft of a page, until the draft changes', async () => {
    await publish(site.store, 1, [hero('Published')]);
    await draft(1, 'Draft one');
    const made = await command<Preview>('page preview 1 --expires 2h');
    const shown = await page('1?include=values,html', made.token);
    expect([shown.status, shown.caching]).toEqual([200, 'private, no-store, no-transform']);
    expect(shown.object).toMatchObject({ resourceId: 1, publishedRevision: 1, state: 'draft', draftRevision: 2 });
    expect(JSON.stringify(shown.object)).toContain('Draft one');
    expect(new URL(made.url).pathname).toBe('/pages/api/v1.php/pages/1');
    expect((await page('page-1?state=draft', made.token)).object).toMatchObject({ draftRevision: 2 });
    const published = await page('1?state=published', made.token);
    expect(published.object).not.toHaveProperty('state');
    expect(JSON.stringify(published.object)).toContain('Published');
    expect(published.caching).toBe(shown.caching);
    await draft(1, 'Draft two');
    const message = 'The draft was changed after this preview was made: make a new preview.';
    expect(await page('1', made.token)).toMatchObject({ status: 409, message });
    const next = await command<Preview>('page preview 1');
    expect((await page('1?include=values', next.token)).object).toMatchObject({ draftRevision: 3 });
  });

  describe('with an address of the frontend', () => {
    const form = 'https://example.com/{context}/p/{uri}?id={id}&token={token}';
    const setForm = async (value: string): Promise<void> => {
      expect((await db.run(['setting', 'set', 'gateway_preview_url', value])).code).toBe(0);
      await site.live.refresh();
    };

    pure('gives it for a resource, a page and a context, with values percent-encoded', async () => {
      await site.change(["UPDATE modx_site_content SET uri = 'a b/ü&{id}?#.html' WHERE id = 1"]);
      await setForm(form);
      const path = 'https://example.com/web/p/a%20b/%C3%BC%26%7Bid%7D%3F%23.html?id=1&token=';
      const byCommands = [await command<Preview>('resource preview 1'), await command<Preview>('page preview 1')];
      for (const made of [await preview({ resource: 1 }), ...byCommands])
        expect(made.frontend_url).toBe(`${path}${made.token}`);
      const whole = await preview({ context: 'en' });
      expect(whole.frontend_url).toBe(`https://example.com/en/p/?id=&token=${whole.token}`);
      await site.change(["UPDATE modx_site_content SET uri = 'page-1.html' WHERE id = 1"]);
    });

    pure('gives none without the setting', async () => {
      await setForm('');
      expect((await preview({ resource: 1 })).frontend_url).toBeNull();
      expect((await command<Preview>('resource preview 1')).frontend_url).toBeNull();
    });
  });

  it('shows pages that were never published, and the drafts of a context', async () => {
    await draft(2, 'First draft');
    const one = await preview({ resource: 2 });
    const never = { publishedRevision: 0, publishedAt: null, state: 'draft' };
    expect((await page('2', one.token)).object).toMatchObject(never);
    expect((await page('page-2', one.token)).status).toBe(200);
    const all = await preview({ context: 'web' });
    await draft(2, 'Second draft');
    expect((await page('2', all.token)).object).toMatchObject({ draftRevision: 2 });
    expect((await page('3', all.token)).status).toBe(404);
    const english = await preview({ context: 'en' });
    expect((await page('2', english.token)).status).toBe(404);
  });

  pure('asks for a preview where a draft is wanted', async () => {
    const { token } = await preview({ resource: 2 });
    expect(await page('2?state=draft')).toMatchObject({ status: 401 });
    expect(await page('1?state=draft', token)).toMatchObject({ status: 404 });
    const message = 'state must be published or draft';
    expect(await page('2?state=other', token)).toMatchObject({ status: 400, message });
    const { token: pageToken } = await command<{ token: string }>('token create --scopes pages.read,catalog.read');
    const response = await fetch(`${site.url}/pages/api/v1.php/pages/2?state=draft`, {
      headers: { authorization: `Bearer ${pageToken}` },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: 'state can be draft only with a preview_token' });
    for (const route of ['', '/catalog/sections', '/health']) {
      const { status } = await fetch(`${site.url}/pages/api/v1.php${route || '/pages'}`, withToken(token));
      expect([route, status]).toEqual([route, 403]);
    }
  });

  it('is in the audit log, without its token', async () => {
    const { id, token } = await preview({ resource: 2 });
    const mine = { method: 'DELETE', headers: { authorization: `Bearer ${editor}` } };
    await site.get(`/previews/${id}`, mine);
    await expect
      .poll(async () => JSON.stringify(await db.json('audit list --limit 5')))
      .toMatch(/"DELETE"[^}]*previews/);
    expect((await db.run('audit list --json')).stdout).not.toContain(token.slice(20, 40));
    expect(JSON.stringify(site.log)).not.toContain(token.slice(20, 40));
    expect((await db.run('preview list --json')).stdout).not.toContain(token.slice(20, 40));
  });

  it('is listed and ended by commands', async () => {
    const { id, token } = await command<Preview>('resource preview 3 --user rowan');
    expect(await statusOf('/resources/3', token)).toBe(200);
    const listed = { id, resource_id: 3, context_key: 'web', state: 'active', created_by: 'command', user_id: 20 };
    expect(await command<unknown[]>('preview list --usable')).toContainEqual(expect.objectContaining(listed));
    expect((await db.run('preview revoke 99999 --yes')).stderr).toContain('There is no preview 99999');
    expect(await command(`preview revoke ${id} --yes`)).toMatchObject({ id, state: 'revoked' });
    clock.forward(1500);
    expect(await statusOf('/resources/3', token)).toBe(401);
    expect((await db.run(`preview revoke ${id} --yes`)).stdout).toMatch(/^Already revoked at .* Nothing to do\.\n$/);
  });

  it('is made by commands of what its user may see', async () => {
    await draft(8, 'For members');
    for (const line of ['resource preview 8 --user cedar', 'page preview 8 --user cedar']) {
      const { token } = await command<Preview>(line);
      expect([line, await statusOf('/resources/8', token), (await page('8', token)).status]).toEqual([line, 200, 200]);
    }
  });

  pure('is not made by commands of what it would never show', async () => {
    const count = async () => (await command<unknown[]>('preview list')).length;
    const before = await count();
    await draft(4, 'Removed');
    const closed = 'it is in a resource group';
    const cases = [
      ['8', `There is no resource 8 that anonymous callers may see: ${closed}`, '--user'],
      ['8 --user rowan', `There is no resource 8 that the user rowan may see: ${closed}`, '--user'],
      ['4', 'There is no resource 4 that a preview shows: it is deleted', 'hcd resource restore 4'],
      ['4 --user cedar', 'There is no resource 4 that a preview shows: it is deleted', 'hcd resource restore 4'],
    ] as const;
    for (const [given, reason, hint] of cases) {
      for (const line of [`resource preview ${given}`, `page preview ${given}`]) {
        const { code, stdout, stderr } = await db.run(line, { clock: systemClock });
        expect([line, code, stdout]).toEqual([line, 1, '']);
        expect(stderr).toContain(reason);
        expect(stderr).toContain(hint);
      }
    }
    expect(await count()).toBe(before);
  });

  it('is made of a context that the gateway does not show, with a note', async () => {
    const env = { HCD_GATEWAY_ALLOWED_CONTEXTS: 'web' };
    const { code, stderr, stdout } = await db.run('resource preview 5', { clock: systemClock, env });
    expect(code).toBe(0);
    expect(stderr + stdout).toContain('The gateway does not show the context en');
  });

  pure.each([
    ['resource preview 77', 'There is no resource 77'],
    ['page preview 5', 'page'],
    ['resource preview 3 --expires 8d', '--expires'],
    ['resource preview 3 --user stranger', '--user stranger: no user has this name'],
  ])('refuses hcd %s', async (line, words) => {
    const { code, stderr } = await db.run(line, { clock: systemClock });
    expect(code).not.toBe(0);
    expect(stderr).toContain(words);
  });

  it('is removed a month after its end', async () => {
    const count = async () => (await command<unknown[]>('preview list')).length;
    const before = await count();
    const { id } = await command<Preview>('resource preview 3');
    const end = Date.now() - 31 * 86_400_000;
    const sql = `UPDATE hcd_previews SET expires_on = ${end} WHERE id = ${id}`;
    await site.store.own.write(async (tx) => void (await tx.run({ sql, params: [] })));
    expect(await site.store.own.write((tx) => removeEndedPreviews(tx, 100))).toBe(1);
    expect(await count()).toBe(before);
  });
});
