/**
 * A program by a user who has only the OpenAPI document: written against the client that a generator made of
 * it. The test next to this folder puts it next to a new client, type-checks the two and runs them; here, without the
 * client, it does not compile. Prints what it saw as JSON.
 */
import * as api from './client.js';

interface Given {
  /** Base of the gateway. */
  readonly url: string;
  /** API keys: one for everything, one that reads chunks. */
  readonly key: string;
  readonly readingKey: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly username: string;
  readonly password: string;
}

const given: Given = JSON.parse(process.argv[2] ?? '{}');
api.defaults.baseUrl = given.url;

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
const withKey = bearer(given.key);

/** The data of an answer of one status; an answer of any other ends the program. */
function expected<Answer extends { status: number; data?: unknown }, Status extends Answer['status']>(
  answer: Answer,
  status: Status,
): Extract<Answer, { status: Status; data?: unknown }>['data'] {
  if (answer.status !== status) throw new Error(`not ${status} but ${answer.status}: ${JSON.stringify(answer.data)}`);
  return answer.data;
}

async function readAnonymously() {
  const filtered = expected(
    await api.listResources({
      filterParent: 0,
      filterIdGt: 1,
      filterIdIn: [1, 2, 4],
      filterAliasLike: '%t%',
      filterPublished: true,
      sort: ['-menuindex', 'id'],
      fields: ['id', 'pagetitle', 'createdon'],
    }),
    200,
  );
  // Null is never undefined, and times are text.
  const created: (string | null | undefined)[] = filtered.data.map(({ createdon }) => createdon);

  const titles: (string | undefined)[] = [];
  let pages = 0;
  let cursor: string | undefined;
  do {
    const page = expected(
      await api.listResources({ limit: 2, sort: ['pagetitle'], ...(cursor === undefined ? {} : { cursor }) }),
      200,
    );
    titles.push(...page.data.map(({ pagetitle }) => pagetitle));
    cursor = page.meta.next_cursor;
    pages += 1;
  } while (cursor !== undefined);
  const second = expected(await api.listResources({ limit: 2, page: 2, sort: ['id'], fields: ['id'] }), 200);

  const one = expected(await api.getResource({ id: 3, include: ['parent', 'tvs'], fields: ['id', 'parent'] }), 200);
  const { parent } = one.data;
  const home = expected(await api.getPageByUri({ uri: 'index', fields: ['id'] }), 200);
  const team = expected(await api.getPageByUri({ uri: 'about/team.html', fields: ['id'] }), 200);
  const chunks = await api.listChunks({});
  return {
    filtered: filtered.data.map(({ id, pagetitle }) => ({ id, pagetitle })),
    created,
    paging: { titles, pages, second: second.data, meta: second.meta, links: second.links },
    parent: typeof parent === 'object' ? parent.pagetitle : parent,
    pages: [home.data.id, home.meta.resolved_uri, team.data.id, team.meta.context],
    refused: chunks.status === 401 ? chunks.data.code : null,
  };
}

async function changeWithKey() {
  const create = () =>
    api.createResource(
      {
        idempotencyKey: 'generated-1',
        resourcesCreate: {
          pagetitle: 'News',
          template: 1,
          publishedon: '2026-01-02T03:04:05+02:00',
          tvs: { mood: 'bright' },
        },
        includeTv: '1',
      },
      withKey,
    );
  const answer = await create();
  const made = expected(answer, 201).data;
  const again = await create();
  const id = made.id ?? 0;
  const address = answer.headers.get('location');
  const tag = answer.headers.get('etag') ?? '';

  const changed = await api.updateResource(
    { id, ifMatch: tag, resourcesUpdate: { longtitle: 'All the news', hidemenu: true } },
    withKey,
  );
  const stale = await api.updateResource({ id, ifMatch: tag, resourcesUpdate: { longtitle: 'Old' } }, withKey);
  const replaced = await api.replaceResource({ id, resourcesCreate: { pagetitle: 'Latest news' } }, withKey);
  const removed = expected(await api.deleteResource({ id, force: 'true' }, withKey), 200);
  const gone = await api.getResource({ id }, withKey);
  return {
    made: { pagetitle: made.pagetitle, publishedon: made.publishedon, tvs: made.tvs },
    again: [again.status, again.headers.get('idempotency-replayed'), expected(again, 201).data.id === id],
    hasAddress: address === `/api/v1/resources/${id}`,
    changed: expected(changed, 200).data.longtitle,
    stale: expected(stale, 412).code,
    replaced: expected(replaced, 200).data.pagetitle,
    removed: removed.data.id === id && removed.data.deleted && removed.data.permanent,
    gone: expected(gone, 404).code,
  };
}

async function useExtraObject() {
  const made = expected(await api.createBook({ booksCreate: { title: 'Larkfell', pages: 312 } }, withKey), 201).data;
  const id = String(made.id);
  const changed = expected(await api.updateBook({ id, booksUpdate: { pages: 320 } }, withKey), 200);
  const list = expected(await api.listBooks({ filterTitle: 'Larkfell', sort: ['-pages'] }, withKey), 200);
  // The route that serves every object takes the same.
  const generic = expected(await api.getObject({ name: 'books', id }, withKey), 200);
  const removed = expected(await api.deleteBook({ id }, withKey), 200);
  return {
    made: [made.title, made.pages],
    changed: changed.data.pages,
    listed: list.data.map(({ title, pages }) => [title, pages]),
    generic: 'title' in generic.data && generic.data.title,
    removed: removed.data.permanent,
  };
}

async function meetRefusals() {
  const invalid = await api.createResource({ resourcesCreate: { pagetitle: 'New', parent: 4000 } }, withKey);
  const unlimited = await api.listResources({ limit: 0 });
  const denied = await api.deleteResource({ id: 1 }, bearer(given.readingKey));
  const wrong = await api.getHealth(bearer('gk_0000000000000000_nobody'));
  if (invalid.status !== 422 || unlimited.status !== 422) throw new Error('nothing was refused');
  return {
    invalid: [invalid.data.code, Object.keys(invalid.data.errors ?? {})],
    unlimited: unlimited.data.errors?.['limit'],
    denied: denied.status === 403 && denied.data.code,
    wrong: wrong.status === 401 && wrong.data.detail,
  };
}

async function useToken() {
  const granted = expected(
    await api.createToken({
      body: {
        grant_type: 'client_credentials',
        client_id: given.clientId,
        client_secret: given.clientSecret,
        scope: 'chunks.read',
      },
    }),
    200,
  );
  const withToken = bearer(granted.access_token);
  const chunks = expected(await api.listChunks({ fields: ['name'] }, withToken), 200);
  const denied = await api.listTemplates({}, withToken);
  const refused = await api.createToken({
    body: { grant_type: 'client_credentials', client_id: given.clientId, client_secret: 'wrong' },
  });
  return {
    type: granted.token_type,
    scope: granted.data.scope,
    chunks: chunks.data.map(({ name }) => name),
    denied: denied.status,
    refused: refused.status === 400 && refused.data.code,
  };
}

async function useSession() {
  const { username, password } = given;
  const answer = await api.createSession({ body: { username, password } });
  const { data: session } = expected(answer, 200);
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const shown = expected(await api.getSession({ headers: { cookie } }), 200);
  const change = (headers: Record<string, string>) =>
    api.updateResource({ id: 2, resourcesUpdate: { menutitle: 'By a session' } }, { headers });
  const unprotected = await change({ cookie });
  const changed = await change({ cookie, 'X-CSRF-Token': session.csrf_token });
  const ended = await api.deleteSession({ headers: { cookie, 'X-CSRF-Token': session.csrf_token } });
  const after = await api.getSession({ headers: { cookie } });
  return {
    user: shown.data.user.username,
    unprotected: unprotected.status === 403 && unprotected.data.detail,
    changed: expected(changed, 200).data.menutitle,
    ended: [ended.status, after.status],
  };
}

/** What the types must refuse; checked by the compiler and never carried out. */
export function misuse() {
  return [
    // @ts-expect-error A field that resources cannot be sorted by.
    () => api.listResources({ sort: ['content'] }),
    // @ts-expect-error A field that they cannot be filtered by.
    () => api.listResources({ filterContent: 'x' }),
    // @ts-expect-error Numbers have no patterns.
    () => api.listResources({ filterIdLike: '1%' }),
    // @ts-expect-error A relation that they do not have.
    () => api.listResources({ include: ['author'] }),
    // @ts-expect-error The title is required.
    () => api.createResource({ resourcesCreate: { alias: 'x' } }),
    // @ts-expect-error The id cannot be written.
    () => api.updateResource({ id: 1, resourcesUpdate: { id: 2 } }),
    // @ts-expect-error The title cannot be cleared.
    () => api.updateResource({ id: 1, resourcesUpdate: { pagetitle: null } }),
    // @ts-expect-error Log-ins need a password.
    () => api.createSession({ body: { username: 'rowan' } }),
    // @ts-expect-error A grant that is not offered.
    () => api.createToken({ body: { grant_type: 'implicit' } }),
  ];
}

const seen = {
  anonymous: await readAnonymously(),
  changed: await changeWithKey(),
  extra: await useExtraObject(),
  refusals: await meetRefusals(),
  token: await useToken(),
  session: await useSession(),
};
process.stdout.write(JSON.stringify(seen));
