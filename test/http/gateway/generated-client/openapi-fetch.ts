/** As program.ts, with openapi-fetch and the types that openapi-typescript makes of the document. */
import createClient from 'openapi-fetch';
import type { components, paths } from './types.js';

interface Given {
  readonly url: string;
  /** API keys: one for everything, one that writes and reads nothing. */
  readonly key: string;
  readonly writingKey: string;
}

const given: Given = JSON.parse(process.argv[2] ?? '{}');
const clientOf = (key: string) =>
  createClient<paths>({
    baseUrl: given.url,
    headers: { Authorization: `Bearer ${key}` },
    querySerializer: { array: { style: 'form', explode: false } },
  });
const api = clientOf(given.key);

/** The data of an answer that must have some. */
function dataOf<Data>(answer: { readonly data?: Data; readonly error?: unknown; readonly response: Response }): Data {
  if (answer.data === undefined) throw new Error(`${answer.response.status}: ${JSON.stringify(answer.error)}`);
  return answer.data;
}

type Resource = components['schemas']['Resources'];

async function read() {
  const list = dataOf(
    await api.GET('/resources', {
      params: {
        query: {
          fields: ['id', 'pagetitle'],
          sort: ['-menuindex', 'id'],
          include: ['parent'],
          'filter[parent]': 0,
          'filter[id][gt]': 1,
          'filter[id][in]': [1, 2, 4],
          'filter[alias][like]': '%t%',
          'filter[published]': true,
        },
      },
    }),
  );
  const one = await api.GET('/resources/{id}', { params: { path: { id: 3 }, query: { include: ['parent', 'tvs'] } } });
  const resource: Resource = dataOf(one).data;
  // Every member is there, and null is never undefined.
  const members: [number, string, string | null, boolean] = [
    resource.id,
    resource.pagetitle,
    resource.createdon,
    resource.published,
  ];
  const { parent } = resource;
  const page = dataOf(
    await api.GET('/pages/{uri}', { params: { path: { uri: 'about/team.html' }, query: { fields: ['id'] } } }),
  );
  const unchanged = await api.GET('/resources/{id}', {
    params: {
      path: { id: 3 },
      query: { include: ['parent', 'tvs'] },
      header: { 'If-None-Match': one.response.headers.get('etag') ?? '' },
    },
  });
  return {
    list: list.data.map(({ id, pagetitle }) => ({ id, pagetitle })),
    total: list.meta.total,
    members: members.map((member) => typeof member),
    parent: typeof parent === 'object' ? parent.pagetitle : parent,
    page: [page.data.id, page.meta.resolved_uri],
    unchanged: [unchanged.response.status, unchanged.data === undefined],
  };
}

async function change() {
  const made = await api.POST('/resources', { body: { pagetitle: 'News', template: 1, tvs: { mood: 'bright' } } });
  const { id, pagetitle } = dataOf(made).data;
  const path = { id };
  const tag = made.response.headers.get('etag') ?? '';
  const changed = await api.PATCH('/resources/{id}', {
    params: { path, header: { 'If-Match': tag } },
    body: { longtitle: 'All the news' },
  });
  const stale = await api.PATCH('/resources/{id}', {
    params: { path, header: { 'If-Match': tag } },
    body: { longtitle: 'Old' },
  });
  const replaced = await api.PUT('/resources/{id}', { params: { path }, body: { pagetitle: 'Latest news' } });
  const removed = dataOf(await api.DELETE('/resources/{id}', { params: { path, query: { force: '1' } } }));
  const gone = await api.GET('/resources/{id}', { params: { path } });
  const invalid = await api.POST('/resources', { body: { pagetitle: 'New', parent: 4000 } });
  const bare = dataOf(
    await clientOf(given.writingKey).POST('/resources', { body: { pagetitle: `Unread ${id}` } }),
  ).data;
  return {
    made: pagetitle,
    changed: dataOf(changed).data.longtitle,
    stale: stale.error?.code,
    replaced: dataOf(replaced).data.pagetitle,
    removed: [removed.data.deleted, removed.data.permanent],
    gone: [gone.response.status, gone.error?.code],
    invalid: [invalid.response.status, invalid.error?.code, Object.keys(invalid.error?.errors ?? {})],
    bare: [typeof bare.id, bare.pagetitle === `Unread ${id}`, bare.published],
  };
}

async function useExtraObject() {
  const made = dataOf(await api.POST('/objects/books', { body: { title: 'Larkfell', pages: 312 } }));
  const id = String(made.data.id);
  const list = dataOf(await api.GET('/objects/books', { params: { query: { 'filter[title]': 'Larkfell' } } }));
  const titles: string[] = list.data.map(({ title }) => title);
  const removed = dataOf(await api.DELETE('/objects/books/{id}', { params: { path: { id } } }));
  return { titles, removed: removed.data.permanent };
}

/** What the types must refuse; checked by the compiler and never carried out. */
export function misuse() {
  return [
    // @ts-expect-error A field that resources cannot be sorted by.
    () => api.GET('/resources', { params: { query: { sort: ['content'] } } }),
    // @ts-expect-error A field that they cannot be filtered by.
    () => api.GET('/resources', { params: { query: { 'filter[content]': 'x' } } }),
    // @ts-expect-error A relation that they do not have.
    () => api.GET('/resources', { params: { query: { include: ['author'] } } }),
    // @ts-expect-error The title is required.
    () => api.POST('/resources', { body: { alias: 'x' } }),
    // @ts-expect-error The title cannot be cleared.
    () => api.PATCH('/resources/{id}', { params: { path: { id: 1 } }, body: { pagetitle: null } }),
  ];
}

const seen = { read: await read(), changed: await change(), extra: await useExtraObject() };
process.stdout.write(JSON.stringify(seen));
