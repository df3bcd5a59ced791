/** As program.ts, with the client over `fetch` that orval makes of the document. */
import * as api from './client.js';

interface Given {
  /** API keys: one for everything, one that writes and reads nothing. */
  readonly key: string;
  readonly writingKey: string;
}

const given: Given = JSON.parse(process.argv[2] ?? '{}');
const withKey = (key: string, headers: Record<string, string> = {}) => ({
  headers: { Authorization: `Bearer ${key}`, ...headers },
});
const all = withKey(given.key);

/** The data of an answer of one status; an answer of any other ends the program. */
function expected<Answer extends { status: number; data?: unknown }, Status extends Answer['status']>(
  answer: Answer,
  status: Status,
): Extract<Answer, { status: Status }>['data'] {
  if (answer.status !== status) throw new Error(`not ${status} but ${answer.status}: ${JSON.stringify(answer.data)}`);
  return answer.data;
}

async function read() {
  const list = expected(
    await api.listResources(
      {
        fields: ['id', 'pagetitle'],
        sort: ['-menuindex', 'id'],
        include: ['parent'],
        'filter[parent]': 0,
        'filter[id][gt]': 1,
        'filter[id][in]': [1, 2, 4],
        'filter[alias][like]': '%t%',
        'filter[published]': true,
      },
      all,
    ),
    200,
  );
  const one = await api.getResource(3, { include: ['parent', 'tvs'] }, all);
  const resource: api.Resources = expected(one, 200).data;
  // Every member is there, and null is never undefined.
  const members: [number, string, string | null, boolean] = [
    resource.id,
    resource.pagetitle,
    resource.createdon,
    resource.published,
  ];
  const { parent } = resource;
  const page = expected(await api.getPageByUri('about/team.html', { fields: ['id'] }, all), 200);
  const unchanged = await api.getResource(
    3,
    { include: ['parent', 'tvs'] },
    withKey(given.key, { 'If-None-Match': one.headers.get('etag') ?? '' }),
  );
  return {
    list: list.data.map(({ id, pagetitle }) => ({ id, pagetitle })),
    total: list.meta.total,
    members: members.map((member) => typeof member),
    parent: typeof parent === 'object' ? parent.pagetitle : parent,
    page: [page.data.id, page.meta.resolved_uri],
    unchanged: [unchanged.status, !('data' in Object(unchanged.data))],
  };
}

async function change() {
  const created = await api.createResource({ pagetitle: 'News', template: 1, tvs: { mood: 'bright' } }, undefined, all);
  const made = expected(created, 201).data;
  const { id } = made;
  const tagged = withKey(given.key, { 'If-Match': created.headers.get('etag') ?? '' });
  const changed = await api.updateResource(id, { longtitle: 'All the news' }, undefined, tagged);
  const stale = await api.updateResource(id, { longtitle: 'Old' }, undefined, tagged);
  const replaced = await api.replaceResource(id, { pagetitle: 'Latest news' }, undefined, all);
  const removed = expected(await api.deleteResource(id, { force: '1' }, all), 200);
  const gone = await api.getResource(id, undefined, all);
  const invalid = await api.createResource({ pagetitle: 'New', parent: 4000 }, undefined, all);
  const writing = withKey(given.writingKey);
  const bare = expected(await api.createResource({ pagetitle: `Unread ${id}` }, undefined, writing), 201).data;
  return {
    made: made.pagetitle,
    changed: expected(changed, 200).data.longtitle,
    stale: expected(stale, 412).code,
    replaced: expected(replaced, 200).data.pagetitle,
    removed: [removed.data.deleted, removed.data.permanent],
    gone: [gone.status, expected(gone, 404).code],
    invalid: [invalid.status, expected(invalid, 422).code, Object.keys(expected(invalid, 422).errors ?? {})],
    bare: [typeof bare.id, bare.pagetitle === `Unread ${id}`, bare.published],
  };
}

async function useExtraObject() {
  const made = expected(await api.createBook({ title: 'Larkfell', pages: 312 }, undefined, all), 201);
  const list = expected(await api.listBooks({ 'filter[title]': 'Larkfell' }, all), 200);
  const titles: string[] = list.data.map(({ title }) => title);
  const removed = expected(await api.deleteBook(String(made.data.id), undefined, all), 200);
  return { titles, removed: removed.data.permanent };
}

/** What the types must refuse; checked by the compiler and never carried out. */
export function misuse() {
  return [
    // @ts-expect-error A field that resources cannot be sorted by.
    () => api.listResources({ sort: ['content'] }),
    // @ts-expect-error A field that they cannot be filtered by.
    () => api.listResources({ 'filter[content]': 'x' }),
    // @ts-expect-error A relation that they do not have.
    () => api.listResources({ include: ['author'] }),
    // @ts-expect-error The title is required.
    () => api.createResource({ alias: 'x' }),
    // @ts-expect-error The id cannot be written.
    () => api.updateResource(1, { id: 2 }),
  ];
}

const seen = { read: await read(), changed: await change(), extra: await useExtraObject() };
process.stdout.write(JSON.stringify(seen));
