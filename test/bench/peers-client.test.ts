/** The client of the bench of peers counts each answer that has a wrong status or wrong pages. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { askFor } from '../../bench/peers/client.js';
import { type Request, requestsOf } from '../../bench/peers/pages.js';
import { type Dialect, pagesAt } from '../../bench/peers/peer.js';

const get = (path: string) => ({ method: 'GET', path }) as const;
const dialect: Dialect = {
  list: (parent) => get(`/list/${parent}`),
  read: (id) => get(`/read/${id}`),
  address: (uri) => get(`/address/${uri}`),
  search: (words) => get(`/search/${encodeURIComponent(words)}`),
  create: () => get('/create'),
  update: () => get('/update'),
  pages: pagesAt('data', 'title'),
};

async function answersOf(next: () => Request, answer: { status: number; body: unknown }) {
  const server = createServer((_, response) => {
    response.statusCode = answer.status;
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const answers = await askFor(next, { port, seconds: 0, connections: 3 });
  server.close();
  return answers;
}

it('counts an answer with another status', async () => {
  const answers = await answersOf(requestsOf('read', dialect, 500), { status: 503, body: {} });
  expect(answers).toMatchObject({ count: 3, errors: 3, firstError: expect.stringContaining('status 503') });
});

it.each(['list', 'read', 'address', 'search', 'create', 'update'] as const)(
  'counts an answer with other pages to the question %s',
  async (question) => {
    const body = { data: [{ id: 0, title: 'Another', content: '' }] };
    const answers = await answersOf(requestsOf(question, dialect, 500), { status: 200, body });
    expect(answers).toMatchObject({ count: 3, errors: 3 });
  },
);

it('counts no answer that its check accepts', async () => {
  const request: Request = { ...get('/'), isRepeatable: true, check: () => undefined };
  expect(await answersOf(() => request, { status: 200, body: {} })).toMatchObject({ count: 3, errors: 0, bytes: 6 });
});
