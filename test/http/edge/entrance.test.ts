/** Reads of records wait for a connection to the database before anything is done for them; other requests do not. */
import { expect, test } from 'vitest';
import type { Reply } from '../../../src/http/interface/endpoint.js';
import { deferred } from '../../support/deferred.js';
import { row, startTestServer } from '../../support/server.js';

test('a read of records waits, and what needs no records does not', async () => {
  const free = deferred();
  const begun: string[] = [];
  const endpoint = (name: string, object: string | null, method: 'GET' | 'POST' = 'GET') =>
    row({
      ...{ name, object, method, path: `/${name}` },
      async handler(): Promise<Reply> {
        begun.push(name);
        return { status: 200, body: { kind: 'json', value: { name } }, caching: { kind: 'never' } };
      },
    });
  const server = await startTestServer({
    endpoints: [endpoint('things', 'things'), endpoint('facts', null), endpoint('changes', 'things', 'POST')],
    entrance: () => free.promise,
  });
  const kept = server.ask('/api/v1/things');
  const unkept = server.ask('/api/v1/things', { headers: { 'x-api-key': 'good' } });
  expect((await server.ask('/api/v1/facts')).status).toBe(200);
  expect((await server.ask('/api/v1/changes', { method: 'POST' })).status).toBe(200);
  expect(begun).toEqual(['facts', 'changes']);
  free.resolve();
  expect((await Promise.all([kept, unkept])).map(({ status }) => status)).toEqual([200, 200]);
  expect(begun.sort()).toEqual(['changes', 'facts', 'things', 'things']);
});
