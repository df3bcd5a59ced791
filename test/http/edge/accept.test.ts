/** Content negotiation (docs/reference/http.md#media-types): quality values, `application/*`, 406. */
import { expect, test } from 'vitest';
import { echo, testRows } from '../../support/rows.js';
import { row, startTestServer } from '../../support/server.js';

const server = await startTestServer({
  endpoints: [
    ...testRows,
    row({ name: 'two', path: '/two', handler: echo, produces: ['application/openapi+json', 'application/json'] }),
  ],
});

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test.each<[accept: string | undefined, chosen: string | null]>([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['APPLICATION/JSON', 'application/json'],
  ['application/*', 'application/json'],
  ['application/json; charset=utf-8', 'application/json'],
  ['text/html, application/json;q=0.1', 'application/json'],
  [browser, 'application/json'],
  ['text/html', null],
  ['text/*', null],
  ['application/xml', null],
  ['application/problem+json', null],
  ['application/json;q=0', null],
  ['application/json;q=0, */*', null],
  ['*/*;q=0', null],
  ['application/*;q=0, application/json', 'application/json'],
  ['application/json;q=0.000', null],
  ['application/json;q=2', 'application/json'],
  ['application/json;q=nonsense, text/html', null],
  ['nonsense', 'application/json'],
  ['*/json', 'application/json'],
  [',,,', 'application/json'],
])('Accept %j gives %j where only JSON is offered', async (accept, chosen) => {
  const answer = await server.ask('/api/v1/things', { headers: accept === undefined ? {} : { Accept: accept } });
  if (chosen === null) {
    expect(answer.status).toBe(406);
    expect(answer.json()).toMatchObject({ code: 'not_acceptable', type: '/api/v1/problems/not-acceptable' });
  } else {
    expect(answer.json()).toMatchObject({ mediaType: chosen });
  }
});

test.each<[accept: string, chosen: string]>([
  ['*/*', 'application/openapi+json'],
  ['application/*', 'application/openapi+json'],
  ['application/json', 'application/json'],
  ['application/openapi+json;q=0.5, application/json', 'application/json'],
  ['application/openapi+json;q=0.5, */*;q=0.4', 'application/openapi+json'],
  ['application/openapi+json;q=0, */*', 'application/json'],
])('Accept %j gives %j where two types are offered', async (accept, chosen) => {
  const answer = await server.ask('/api/v1/two', { headers: { Accept: accept } });
  expect(answer.json()).toMatchObject({ mediaType: chosen });
});

test('refuses a caller without rights before the media type', async () => {
  expect((await server.ask('/api/v1/secret', { headers: { Accept: 'text/html' } })).status).toBe(401);
  expect((await server.ask('/api/v1/nothing', { headers: { Accept: 'text/html' } })).status).toBe(404);
});
