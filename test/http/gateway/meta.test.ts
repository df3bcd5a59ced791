/** The routes under /meta and the switch of the reference, over HTTP. */
import { beforeAll, describe, expect, test } from 'vitest';
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

  const address = (path: string) => ({ path: `/api/v1${path}`, pattern: `/api/v1${path}` });
  const key = {
    name: 'key',
    in: 'path',
    required: true,
    description: 'Key of the context',
    schema: { type: 'string' },
  };

  test.each([
    [
      'meta.endpoints',
      {
        ...{ methods: ['GET'], ...address('/meta/endpoints'), public: true, permission: null, object: null },
        ...{ description: 'List the routes of the gateway', tags: ['Meta'], parameters: [] },
      },
    ],
    [
      'contexts.settings',
      {
        ...{ methods: ['GET'], ...address('/contexts/{key}/settings'), public: false, permission: 'contexts.read' },
        ...{ object: 'contexts', description: 'Read the public settings of a context', tags: ['Contexts'] },
        parameters: [key],
      },
    ],
  ])('lists %s with all its members', async (name, expected) => {
    expect((await listed()).find((one) => one['name'] === name)).toEqual({ name, ...expected });
  });

  test.each([
    ['resources.list', { public: true, permission: 'resources.read', object: 'resources' }],
    ['pages.get', { public: true, permission: 'resources.read', path: '/api/v1/pages/{uri}' }],
    ['chunks.get', { public: false, permission: 'chunks.read', object: 'chunks' }],
    ['objects.list', { public: false, permission: null, object: null, path: '/api/v1/objects/{name}' }],
    ['docs', { public: true, permission: null, object: null }],
    ['resources.mutate', { methods: ['PUT', 'PATCH'], permission: 'resources.update' }],
  ])('lists the rights of %s', async (name, expected) => {
    expect((await listed()).find((one) => one['name'] === name)).toMatchObject(expected);
  });

  test('wraps the document in the envelope and counts routes and objects', async () => {
    const { headers, body } = await site.get('/meta/openapi');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { meta } = (await site.get('/meta/endpoints')).body;
    expect(meta).toEqual({ count: (await listed()).length });
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
});

describe('the reference turned off', () => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startReferenceSite({ HCD_GATEWAY_SWAGGER_ENABLED: '0' });
  });

  test.each(['/docs', '/docs/style.css', '/docs/app.js'])('makes %s a 404 problem', async (path) => {
    const { status, headers, body } = await site.get(path);
    expect(status).toBe(404);
    expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(body).toEqual({
      ...{ type: '/api/v1/problems/not-found', title: 'Not Found', status: 404, code: 'not_found' },
      ...{ detail: 'The API reference is turned off', instance: `/api/v1${path}` },
      request_id: headers.get('x-request-id'),
    });
  });

  test.each(['/meta/openapi', '/meta/openapi.json', '/meta/endpoints'])('leaves %s', async (path) => {
    expect((await site.get(path)).status).toBe(200);
  });
});
