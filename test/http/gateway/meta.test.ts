/** The routes under /meta and the switch of the reference, over HTTP. */
import { beforeAll, describe, expect, test } from 'vitest';
import { buildRegistry } from '../../../src/content/objects/core-objects.js';
import { metaEndpoints } from '../../../src/gateway/endpoints/meta.js';
import type { Endpoint } from '../../../src/http/interface/endpoint.js';
import { defaults, row, startTestServer, type TestServer } from '../../support/server.js';
import type { TestSite } from '../../support/site.js';
import { startReferenceSite } from './reference-site.js';

describe('a running site', () => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startReferenceSite();
  });

  const listed = async (): Promise<Record<string, unknown>[]> => {
    const { body } = await site.get('/meta/endpoints');
    return (body['data'] as { endpoints: Record<string, unknown>[] }).endpoints;
  };

  test('counts the endpoints that it lists', async () => {
    const { status, body } = await site.get('/meta/endpoints');
    expect(status).toBe(200);
    expect(body['meta']).toEqual({ count: (await listed()).length });
  });

  test.each([
    [
      'meta.endpoints',
      {
        name: 'meta.endpoints',
        methods: ['GET'],
        path: '/api/v1/meta/endpoints',
        pattern: '/api/v1/meta/endpoints',
        public: true,
        permission: null,
        object: null,
        description: 'List the routes of the gateway',
        tags: ['Meta'],
        parameters: [],
      },
    ],
    [
      'contexts.settings',
      {
        name: 'contexts.settings',
        methods: ['GET'],
        path: '/api/v1/contexts/{key}/settings',
        pattern: '/api/v1/contexts/{key}/settings',
        public: false,
        permission: 'contexts.read',
        object: 'contexts',
        description: 'Read the public settings of a context',
        tags: ['Contexts'],
        parameters: [
          { name: 'key', in: 'path', required: true, description: 'Key of the context', schema: { type: 'string' } },
        ],
      },
    ],
  ])('lists %s with all its members', async (name, expected) => {
    expect((await listed()).find((one) => one['name'] === name)).toEqual(expected);
  });

  test.each([
    ['resources.list', { public: true, permission: 'resources.read', object: 'resources' }],
    ['pages.get', { public: true, permission: 'resources.read', path: '/api/v1/pages/{uri}' }],
    ['chunks.get', { public: false, permission: 'chunks.read', object: 'chunks' }],
    ['objects.list', { public: false, permission: null, object: null, path: '/api/v1/objects/{name}' }],
    ['docs', { public: true, permission: null, object: null }],
  ])('lists the rights of %s', async (name, expected) => {
    expect((await listed()).find((one) => one['name'] === name)).toMatchObject(expected);
  });

  test('wraps the document in the envelope and counts routes and objects', async () => {
    const { status, headers, body } = await site.get('/meta/openapi');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body['meta']).toEqual({ routes: (await listed()).length, objects: 9 });
    expect(body['data']).toEqual((await site.get('/meta/openapi.json')).body);
  });

  test.each([
    ['anything', '*/*'],
    ['JSON', 'application/json'],
    ['its own type', 'application/openapi+json'],
  ])('sends the bare document to clients that accept %s', async (_name, accept) => {
    const { status, headers, body } = await site.get('/meta/openapi.json', { headers: { accept } });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/openapi+json; charset=utf-8');
    expect(body['openapi']).toBe('3.1.1');
  });

  test('answers an unchanged document with 304', async () => {
    const first = await site.get('/meta/openapi.json');
    const etag = first.headers.get('etag') ?? '';
    const again = await site.get('/meta/openapi.json', { headers: { 'if-none-match': etag } });
    expect({ status: again.status, text: again.text, etag: again.headers.get('etag') }).toEqual({
      status: 304,
      text: '',
      etag,
    });
  });

  test('answers HEAD like GET without the body', async () => {
    const get = await site.get('/meta/endpoints');
    const head = await site.get('/meta/endpoints', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
  });

  test('refuses other methods with 405', async () => {
    const { status, headers, body } = await site.get('/meta/openapi', { method: 'DELETE' });
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(body['code']).toBe('method_not_allowed');
  });
});

describe('the reference turned off', () => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startReferenceSite({ HCD_GATEWAY_SWAGGER_ENABLED: '0' });
  });

  test.each(['/docs', '/docs/style.css', '/docs/app.js'])('makes %s a 404 problem', async (path) => {
    const { status, headers, body } = await site.get(path, { headers: { 'x-request-id': 'request-1' } });
    expect(status).toBe(404);
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(body).toEqual({
      type: '/api/v1/problems/not-found',
      title: 'Not Found',
      status: 404,
      detail: 'The API reference is turned off',
      instance: `/api/v1${path}`,
      code: 'not_found',
      request_id: 'request-1',
    });
  });

  test.each(['/meta/openapi', '/meta/openapi.json', '/meta/endpoints'])('leaves %s', async (path) => {
    expect((await site.get(path)).status).toBe(200);
  });
});

describe('the document as it is kept', () => {
  let base = '/api/v1';
  let built = 0;
  const rows: Endpoint[] = [];
  let server: TestServer;

  beforeAll(async () => {
    const handler: Endpoint['handler'] = async () => {
      throw new Error('never called');
    };
    const settings = defaults();
    rows.push(
      row({ name: 'things.mutate', path: '/things/:id', method: 'PUT', handler }),
      row({ name: 'things.mutate', path: '/things/:id', method: 'PATCH', handler }),
      ...metaEndpoints(
        {
          ...{ registry: buildRegistry([]), base: () => base, version: '1.0.0' },
          ...{ otherDocuments: () => [], settings: () => settings },
        },
        () => {
          built += 1;
          return rows;
        },
      ),
    );
    server = await startTestServer({ endpoints: rows });
  });

  test('is built once for one base and again for another', async () => {
    const ask = async (): Promise<unknown> => {
      const answer = await server.ask('/api/v1/meta/openapi.json');
      return (answer.json() as { servers: unknown }).servers;
    };
    const before = built;
    expect(await ask()).toEqual([{ url: '/api/v1', description: 'This server' }]);
    await ask();
    await server.ask('/api/v1/docs');
    expect(built).toBe(before + 1);
    base = '/cms/v1';
    expect(await ask()).toEqual([{ url: '/cms/v1', description: 'This server' }]);
    expect(built).toBe(before + 2);
    base = '/api/v1';
  });

  test('joins rows of one name and path into one listed endpoint', async () => {
    const answer = await server.ask('/api/v1/meta/endpoints');
    const { data } = answer.json() as { data: { endpoints: { name: string; methods: string[] }[] } };
    expect(data.endpoints.filter(({ name }) => name === 'things.mutate').map(({ methods }) => methods)).toEqual([
      ['PUT', 'PATCH'],
    ]);
  });

  test('is refused while the service is turned off', async () => {
    server.set({ gateway_enabled: false });
    const answer = await server.ask('/api/v1/meta/openapi.json');
    server.set({ gateway_enabled: true });
    expect(answer.status).toBe(503);
    expect(answer.json()).toMatchObject({ code: 'service_disabled' });
  });
});
