/** The HTML reference as it is sent: what is on the page, and that nothing on it can run or load from elsewhere. */
import { beforeAll, describe, expect, test } from 'vitest';
import { buildRegistry } from '../../../src/content/objects/core-objects.js';
import { defineObject } from '../../../src/content/objects/definition.js';
import { renderDocs } from '../../../src/gateway/endpoints/meta.js';
import { buildOpenApi } from '../../../src/gateway/openapi/openapi.js';
import type { Endpoint } from '../../../src/http/interface/endpoint.js';
import { integer } from '../../support/fields.js';
import { row } from '../../support/server.js';
import type { TestSite } from '../../support/site.js';
import { startReferenceSite } from './reference-site.js';

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

let site: TestSite;

beforeAll(async () => {
  // The settings under test are those of production: the server's cache is on.
  site = await startReferenceSite({
    HCD_GATEWAY_CACHE_ENABLED: '1',
    HCD_PAGES_REST_API_ENABLED: '1',
    HCD_BANNERS_API_ENABLED: '1',
  });
});

describe('the page', () => {
  let text: string;

  beforeAll(async () => {
    text = (await site.get('/docs', { headers: { accept: 'text/html' } })).text;
  });

  test('is HTML under a policy that allows nothing but its own files', async () => {
    const { status, headers } = await site.get('/docs', { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toBe(policy);
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('gives clients that ask for JSON the same reference in their terms', async () => {
    const { status, headers, body } = await site.get('/docs', { headers: { accept: 'application/json' } });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/openapi+json; charset=utf-8');
    expect(body).toEqual((await site.get('/meta/openapi.json')).body);
  });

  test('runs nothing inline and loads nothing from another host', () => {
    expect(text.match(/\sstyle="|<style|\son[a-z]+="|javascript:/gi)).toBeNull();
    const page = text.replace(/<script type="application\/json" id="api-\w+">[^<]*<\/script>/g, '');
    expect([...page.matchAll(/<script([^>]*)>([^<]*)/g)].map(([, attributes, code]) => [attributes, code])).toEqual([
      [' src="/api/v1/docs/swagger-ui.js?v=0.0.0-test" defer', ''],
      [' src="/api/v1/docs/app.js?v=0.0.0-test" defer', ''],
    ]);
    expect(page).not.toMatch(/(?:src|href|action)="(?:https?:)?\/\//);
  });

  test('has the documents of all interfaces', async () => {
    const shown = documents(text);
    expect([...shown.keys()]).toEqual(['api-gateway', 'api-pages', 'api-banners']);
    const { body } = await site.get('/meta/openapi.json');
    expect(Object.keys(shown.get('api-gateway')?.['paths'] ?? {})).toEqual(Object.keys(body['paths'] as object));
    expect([...shown.values()].map(({ info }) => (info as { title: string }).title)).toEqual([
      body['info'] && (body['info'] as { title: string }).title,
      'Page delivery API',
      'Banner API',
    ]);
  });

  test('leads every link to the server to an answer', async () => {
    const addresses = new Set(
      [...text.matchAll(/(?:href|src)="(\/api\/v1[^"]*)"/g)].map(([, address]) => address ?? ''),
    );
    expect(addresses.size).toBe(5);
    for (const address of addresses) {
      expect([address, (await site.get(address.slice('/api/v1'.length))).status]).toEqual([address, 200]);
    }
  });

  test.each([
    ['style.css', 'text/css; charset=utf-8', '.swagger-ui'],
    ['app.js', 'text/javascript; charset=utf-8', 'SwaggerUIBundle('],
    ['swagger-ui.css', 'text/css; charset=utf-8', '.swagger-ui'],
    ['swagger-ui.js', 'text/javascript; charset=utf-8', 'SwaggerUIBundle'],
  ])('has its own %s, kept for a day', async (name, type, part) => {
    const { status, headers, text: body } = await site.get(`/docs/${name}?v=1`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('cache-control')).toBe('public, max-age=86400');
    expect(body).toContain(part);
  });
});

test('text of routes and objects is never markup', () => {
  const evil = `"><img src=x onerror=alert(1)>'&amp;`;
  const handler: Endpoint['handler'] = async () => {
    throw new Error('never called');
  };
  const schema = { type: 'object', properties: { [evil]: { type: 'string', description: evil } } };
  const endpoints = [
    row({
      ...{ name: `evil${evil}`, path: '/evil/:id', summary: evil, tags: [evil], handler },
      parameters: [
        { name: evil, in: 'query', description: evil, schema: { type: 'string', enum: [evil] }, example: evil },
      ],
      response: { status: 200, description: evil, schema },
    }),
  ];
  const registry = buildRegistry([
    defineObject({ name: `x${evil}`, table: 'x', fields: { id: integer(), [evil]: integer() } }),
  ]);
  const about = { base: '/api/v1', version: `</script>${evil}` };
  const settings = { address: '/api/v1', maxLimit: 100, filters: 'together' } as const;
  const document = buildOpenApi({ ...about, ...settings, endpoints, registry });
  const text = renderDocs({ ...about, documents: [{ name: 'gateway', document }] });
  expect(text).not.toContain('<img');
  expect(text.split('</script>')).toHaveLength(4);
  expect(documents(text).get('api-gateway')).toEqual(JSON.parse(JSON.stringify(document)));
});

function documents(page: string): Map<string, Record<string, unknown>> {
  const blocks = page.matchAll(/<script type="application\/json" id="(api-\w+)">([^<]*)<\/script>/g);
  return new Map([...blocks].map(([, id = '', json = '']) => [id, JSON.parse(json)]));
}
