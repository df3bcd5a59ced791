/**
 * X-Request-ID (docs/reference/http.md#request-ids): kept when well-formed, fresh otherwise, on every answer of every
 * API.
 */
import { describe, expect, test } from 'vitest';
import { testRows } from '../../support/rows.js';
import { startTestServer } from '../../support/server.js';

const server = await startTestServer({ endpoints: testRows });

const kept = ['12345678', 'a'.repeat(64), 'abc-DEF_123.x', '........'];
const replaced = ['1234567', 'a'.repeat(65), 'abc def gh', 'abcdefgh,ijk', 'abcdefgh"', 'abcdefgh/', '', 'äbcdefghi'];

describe.each([
  ['a success of the gateway', '/api/v1/fixed'],
  ['an error of the gateway', '/api/v1/nothing'],
  ['the pages API', '/pages/api/v1.php?path=/pages'],
  ['the banner API', '/banners/api.php'],
  ['an address outside every API', '/elsewhere'],
])('on %s', (_name, path) => {
  test.each<[id: string | readonly string[], isKept: boolean]>([
    ...kept.map((id) => [id, true] as [string, boolean]),
    ...replaced.map((id) => [id, false] as [string, boolean]),
    [['aaaaaaaa', 'bbbbbbbb'], false],
  ])('%j is kept: %s', async (id, isKept) => {
    const answer = await server.ask(path, { headers: { 'X-Request-ID': id } });
    expect(answer.headers['x-request-id']).toEqual(isKept ? id : expect.stringMatching(/^[0-9a-f]{32}$/));
  });
});

test('a 304 carries the id too', async () => {
  const { headers } = await server.ask('/api/v1/fixed');
  const again = await server.ask('/api/v1/fixed', {
    headers: { 'If-None-Match': headers.etag ?? '', 'X-Request-ID': 'my-request' },
  });
  expect([again.status, again.headers['x-request-id']]).toEqual([304, 'my-request']);
});

test('the problem body and the handler see the same id as the header', async () => {
  const headers = { 'X-Request-ID': 'my-request' };
  expect((await server.ask('/api/v1/nothing', { headers })).json()).toMatchObject({ request_id: 'my-request' });
  expect((await server.ask('/api/v1/things', { headers })).json()).toMatchObject({ requestId: 'my-request' });
});
