/** As program.ts, with the client that @hey-api/openapi-ts makes of the document. */
import { createClient, createConfig } from './client/client/index.js';
import * as api from './client/index.js';

interface Given {
  readonly url: string;
  /** API keys: one for everything, one that writes and reads nothing. */
  readonly key: string;
  readonly writingKey: string;
}

const given: Given = JSON.parse(process.argv[2] ?? '{}');
const clientOf = (key: string) => createClient(createConfig({ baseUrl: given.url, auth: key }));
const client = clientOf(given.key);

/** The data of an answer that must have some. */
function dataOf<Data>(answer: { data?: Data; error?: unknown; response: Response }): NonNullable<Data> {
  const { data } = answer;
  if (data === undefined || data === null) {
    throw new Error(`${answer.response.status}: ${JSON.stringify(answer.error)}`);
  }
  return data;
}

async function read() {
  const list = dataOf(
    await api.listResources({
      client,
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
    }),
  );
  const one = await api.getResource({ client, path: { id: 3 }, query: { include: ['parent', 'tvs'] } });
  const resource: api.Resources = dataOf(one).data;
  // Every member is there, and null is never undefined.
  const members: [number, string, string | null, boolean] = [
    resource.id,
    resource.pagetitle,
    resource.createdon,
    resource.published,
  ];
  const { parent } = resource;
  const page = dataOf(await api.getPageByUri({ client, path: { uri: 'about/team.html' }, query: { fields: ['id'] } }));
  const unchanged = await api.getResource({
    client,
    path: { id: 3 },
    query: { include: ['parent', 'tvs'] },
    headers: { 'If-None-Match': one.response.headers.get('etag') ?? '' },
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
  const made = await api.createResource({
    client,
    body: { pagetitle: 'News', template: 1, tvs: { mood: 'bright' } },
  });
  const { id, pagetitle } = dataOf(made).data;
  const path = { id };
  const headers = { 'If-Match': made.response.headers.get('etag') ?? '' };
  const changed = await api.updateResource({ client, path, headers, body: { longtitle: 'All the news' } });
  const stale = await api.updateResource({ client, path, headers, body: { longtitle: 'Old' } });
  const replaced = await api.replaceResource({ client, path, body: { pagetitle: 'Latest news' } });
  const removed = dataOf(await api.deleteResource({ client, path, query: { force: '1' } }));
  const gone = await api.getResource({ client, path });
  const invalid = await api.createResource({ client, body: { pagetitle: 'New', parent: 4000 } });
  const writing = clientOf(given.writingKey);
  const bare = dataOf(await api.createResource({ client: writing, body: { pagetitle: `Unread ${id}` } })).data;
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
  const made = dataOf(await api.createBook({ client, body: { title: 'Larkfell', pages: 312 } }));
  const id = String(made.data.id);
  const list = dataOf(await api.listBooks({ client, query: { 'filter[title]': 'Larkfell' } }));
  const titles: string[] = list.data.map(({ title }) => title);
  const removed = dataOf(await api.deleteBook({ client, path: { id } }));
  return { titles, removed: removed.data.permanent };
}

/** What the types must refuse; checked by the compiler and never carried out. */
export function misuse() {
  return [
    // @ts-expect-error A field that resources cannot be sorted by.
    () => api.listResources({ client, query: { sort: ['content'] } }),
    // @ts-expect-error A field that they cannot be filtered by.
    () => api.listResources({ client, query: { 'filter[content]': 'x' } }),
    // @ts-expect-error A relation that they do not have.
    () => api.listResources({ client, query: { include: ['author'] } }),
    // @ts-expect-error The title is required.
    () => api.createResource({ client, body: { alias: 'x' } }),
    // @ts-expect-error The id cannot be written.
    () => api.updateResource({ client, path: { id: 1 }, body: { id: 2 } }),
  ];
}

const seen = { read: await read(), changed: await change(), extra: await useExtraObject() };
process.stdout.write(JSON.stringify(seen));
