/** If-None-Match (docs/reference/http.md#conditional-requests): lists, `*`, weak tags; what a 304 carries. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { testRows } from '../../support/rows.js';
import { startTestServer } from '../../support/server.js';

const server = await startTestServer({ endpoints: testRows });
const body = '{"data":"fixed"}';
const tag = `"${createHash('sha256').update(body).digest('hex')}"`;

test('the tag is strong, over the bytes of the body', async () => {
  const answer = await server.ask('/api/v1/fixed');
  expect([answer.status, answer.text, answer.headers.etag]).toEqual([200, body, tag]);
});

test.each<[header: string, status: number]>([
  [tag, 304],
  [` ${tag} `, 304],
  [`W/${tag}`, 304],
  ['*', 304],
  [`"a", ${tag}`, 304],
  [`"a",W/"b" ,${tag},"c"`, 304],
  [`,${tag}`, 304],
  [`, ,"a",, ${tag} ,, `, 304],
  [`, x, ${tag}`, 200],
  [`"a,${tag.slice(1)}`, 200],
  ['"a"', 200],
  [tag.slice(1, -1), 200],
  [`w/${tag}`, 200],
  [`${tag} "a"`, 200],
  ['"a", "b"', 200],
  ['*, "a"', 200],
  ['', 200],
  [',', 200],
  ['"', 200],
])('If-None-Match: %s is %i', async (header, status) => {
  expect((await server.ask('/api/v1/fixed', { headers: { 'If-None-Match': header } })).status).toBe(status);
});

test('HEAD is conditional too', async () => {
  const answer = await server.ask('/api/v1/fixed', { method: 'HEAD', headers: { 'If-None-Match': tag } });
  expect([answer.status, answer.headers.etag]).toEqual([304, tag]);
});

test('answers that are never kept have no tag, and * does not match them', async () => {
  const answer = await server.ask('/api/v1/things', { headers: { 'If-None-Match': '*' } });
  expect([answer.status, answer.headers.etag]).toEqual([200, undefined]);
});

test('never answers an error with 304', async () => {
  expect((await server.ask('/api/v1/nothing', { headers: { 'If-None-Match': '*' } })).status).toBe(404);
});
