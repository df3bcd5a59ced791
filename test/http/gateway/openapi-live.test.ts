/** The OpenAPI document of a running site: valid and complete. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../../src/http/interface/openapi.js';
import type { TestSite } from '../../support/site.js';
import { operationsOf, validate } from './openapi-document.js';
import { startReferenceSite } from './reference-site.js';

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
    const names = 'resources contexts chunks templates snippets tvs categories content_types fair_posters';
    expect(document['x-objects']).toEqual(names.split(' '));
  });

  test('has the routes of /meta/endpoints and those of the extra object', async () => {
    const { body } = await site.get('/meta/endpoints');
    const { endpoints } = body['data'] as { endpoints: { methods: string[]; path: string }[] };
    const listed = endpoints.flatMap(({ methods, path: full }) =>
      methods.map((method) => `${method} ${full.slice('/api/v1'.length)}`),
    );
    const documented = operationsOf(document).map(({ route }) => route);
    expect(listed.filter((route) => !documented.includes(route))).toEqual([]);
    const unlisted = documented.filter((route) => !listed.includes(route));
    expect(unlisted.filter((route) => !route.includes('/objects/fair_posters'))).toEqual([]);
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
