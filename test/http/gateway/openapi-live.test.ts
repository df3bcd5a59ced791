/** The OpenAPI document of a running site: valid, complete, and true of what the site really answers. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../../src/http/interface/openapi.js';
import type { TestSite } from '../../support/site.js';
import { operationsOf, validate } from './openapi-document.js';
import { startReferenceSite } from './reference-site.js';
import { findMisfits } from './schema-fit.js';

describe('the document of a running site', () => {
  let site: TestSite;
  let document: OpenApiDocument;

  beforeAll(async () => {
    site = await startReferenceSite();
    document = readDocument((await site.get('/meta/openapi.json')).text);
  });

  test('is valid OpenAPI 3.1', async () => {
    expect(await validate(document)).toEqual({ valid: true, errors: undefined });
  });

  test('stands under the base of the gateway and names the program version', () => {
    expect(document.servers).toEqual([{ url: '/api/v1', description: 'This server' }]);
    expect(document.info.version).toBe('0.0.0-test');
    expect(document['x-objects']).toEqual([
      'resources',
      'contexts',
      'chunks',
      'templates',
      'snippets',
      'tvs',
      'categories',
      'content_types',
      'fair_posters',
    ]);
  });

  test('has the routes of /meta/endpoints and those of the extra object', async () => {
    const { body } = await site.get('/meta/endpoints');
    const { endpoints } = body['data'] as { endpoints: { methods: string[]; path: string }[] };
    const listed = endpoints.flatMap(({ methods, path: full }) =>
      methods.map((method) => `${method} ${full.slice('/api/v1'.length)}`),
    );
    const documented = operationsOf(document).map(({ route }) => route);
    expect(listed.filter((route) => !documented.includes(route))).toEqual([]);
    expect(documented.filter((route) => !listed.includes(route) && !route.includes('/objects/fair_posters'))).toEqual(
      [],
    );
  });

  test.each([
    ['/', '/'],
    ['/health', '/health'],
    ['/schema', '/schema'],
    ['/meta/endpoints', '/meta/endpoints'],
    ['/meta/openapi', '/meta/openapi'],
    ['/problems', '/problems'],
    ['/problems/{slug}', '/problems/not-found'],
    ['/resources', '/resources?include=parent,children,tvs'],
    ['/resources/{id}', '/resources/3?include=parent'],
    ['/pages/{uri}', '/pages/about/team'],
    ['/contexts', '/contexts'],
    ['/contexts/{key}/settings', '/contexts/web/settings'],
    ['/content_types', '/content_types'],
    ['/templates', '/templates?include=category'],
    ['/objects/{name}', '/objects/content_types'],
    ['/objects/fair_posters', '/objects/fair_posters'],
  ])('describes the real answer of GET %s', async (route, address) => {
    const { status, body } = await site.get(address, { as: 'key' });
    expect(status).toBe(200);
    const response = document.paths[route]?.get?.responses['200'];
    const schema = response && 'content' in response ? response.content?.['application/json']?.schema : undefined;
    if (schema === undefined) throw new Error(`${route} has no schema of JSON`);
    expect(findMisfits(body, schema, document.components.schemas)).toEqual([]);
  });

  test.each([
    ['401', '/chunks', 401],
    ['404', '/resources/999', 404],
    ['422', '/resources?limit=x', 422],
  ])('describes the real refusal %s', async (_name, address, expected) => {
    const { status, body } = await site.get(address);
    expect(status).toBe(expected);
    expect(findMisfits(body, { $ref: '#/components/schemas/ProblemDetails' }, document.components.schemas)).toEqual([]);
  });
});

function readDocument(text: string): OpenApiDocument {
  return JSON.parse(text) as OpenApiDocument;
}

test('the largest limit is the one of the setting, and a change of it shows at once', async () => {
  const site = await startReferenceSite();
  const largest = async () => {
    const document = readDocument((await site.get('/meta/openapi.json')).text);
    return document.paths['/resources']?.get?.parameters.find(({ name }) => name === 'limit')?.schema.maximum;
  };
  expect(await largest()).toBe(100);
  await site.change(["INSERT INTO modx_system_settings (`key`, value) VALUES ('gateway_max_limit', '37')"]);
  expect(await largest()).toBe(37);
});

test('discovery names the address of tokens while OAuth is on', async () => {
  const on = await startReferenceSite({ HCD_GATEWAY_OAUTH_ENABLED: '1' });
  const off = await startReferenceSite();
  const linkOf = async (site: TestSite) =>
    ((await site.get('/')).body['data'] as { links: Record<string, string> }).links['auth_token'];
  expect([await linkOf(on), await linkOf(off)]).toEqual(['/api/v1/auth/token', undefined]);
});
