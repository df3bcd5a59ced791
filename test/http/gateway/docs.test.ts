/** The HTML reference as it is sent: what is on the page, and that nothing on it can run or load from elsewhere. */
import { beforeAll, describe, expect, test } from 'vitest';
import { buildRegistry } from '../../../src/content/objects/core-objects.js';
import { defineObject } from '../../../src/content/objects/definition.js';
import { buildOpenApi } from '../../../src/gateway/openapi/openapi.js';
import { renderDocs } from '../../../src/gateway/reference/docs-page.js';
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
  site = await startReferenceSite({ HCD_GATEWAY_CACHE_ENABLED: '1' });
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

  test('has nothing inline and nothing from another host', () => {
    expect(text.match(/\sstyle="|<style|\son[a-z]+="|javascript:/gi)).toBeNull();
    expect([...text.matchAll(/<script([^>]*)>([^<]*)/g)].map(([, attributes, code]) => [attributes, code])).toEqual([
      [' src="/api/v1/docs/app.js?v=0.0.0-test" defer', ''],
    ]);
    expect(
      [...text.matchAll(/(?:src|href|action)="([^"#]*)/g)].filter(([, to]) => /^(https?:)?\/\//.test(to ?? '')),
    ).toEqual([]);
  });

  test('has every route, object, operator and error code', async () => {
    const { body } = await site.get('/meta/openapi.json');
    const ids = new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
    const paths = body['paths'] as Record<string, Record<string, { operationId: string }>>;
    const operations = Object.values(paths).flatMap((item) =>
      Object.values(item).map((one) => `op-${one.operationId}`),
    );
    expect(operations.length).toBeGreaterThan(20);
    expect(operations.filter((id) => !ids.has(id))).toEqual([]);
    const objects = (body['x-objects'] as string[]).map((name) => `object-${name}`);
    expect(objects.filter((id) => !ids.has(id))).toEqual([]);
    const operators = ['eq', 'neq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like', 'in', 'not_in', 'null', 'not_null'];
    expect(operators.filter((name) => !text.includes(`<code>${name}</code>`))).toEqual([]);
    expect(text).toContain('<a href="/api/v1/problems/validation"><code>validation_failed</code></a>');
  });

  test('leads every link on the page to a place that exists', () => {
    const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    const targets = [...text.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect([...new Set(targets)].filter((id) => !ids.includes(id))).toEqual([]);
    expect(targets.length).toBeGreaterThan(100);
  });

  test('leads every link to the server to an answer', async () => {
    const addresses = new Set(
      [...text.matchAll(/(?:href|src)="(\/api\/v1[^"]*)"/g)].map(([, address]) => address ?? ''),
    );
    const statuses: string[] = [];
    for (const address of addresses) {
      const { status } = await site.get(address.slice('/api/v1'.length));
      statuses.push(`${status} ${address}`);
    }
    expect(addresses.size).toBeGreaterThan(15);
    expect(statuses.filter((line) => !line.startsWith('200 '))).toEqual([]);
  });

  test('says who may call a route', () => {
    const article = (id: string) => text.slice(text.indexOf(`id="op-${id}"`)).split('</article>')[0] ?? '';
    expect(article('getSchema')).toContain('<span class="chip public">Public</span>');
    expect(article('listChunks')).toContain(
      '<span class="chip locked">Credential</span> <span class="chip scope">scope <code>chunks.read</code></span>',
    );
    expect(article('listObjects')).toContain('scope of the object in the path');
  });

  test('marks what may be done with a field', () => {
    const fields = text.slice(text.indexOf('id="object-resources"')).split('</article>')[0] ?? '';
    const marks = (name: string) =>
      [
        ...((fields.split(`<code>${name}</code></th>`)[1] ?? '').split('</tr>')[0]?.matchAll(/class="mark (\w+)"/g) ??
          []),
      ].map(([, mark]) => mark);
    expect({ id: marks('id'), pagetitle: marks('pagetitle'), createdby: marks('createdby') }).toEqual({
      id: ['key', 'filter', 'sort', 'immutable'],
      pagetitle: ['sort', 'search', 'required'],
      createdby: ['immutable', 'protected'],
    });
  });

  test.each([
    ['style.css', 'text/css; charset=utf-8', '.layout {'],
    ['app.js', 'text/javascript; charset=utf-8', 'function addTrying'],
  ])('has its own %s, kept for a day', async (name, type, part) => {
    const { status, headers, text: body } = await site.get(`/docs/${name}?v=1`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('cache-control')).toBe('public, max-age=86400');
    expect(body).toContain(part);
    expect(body.match(/https?:\/\/|@import|\burl\(/g)).toBeNull();
  });
});

test('text of routes and objects is never markup', () => {
  const evil = `"><img src=x onerror=alert(1)>'&amp;`;
  const handler: Endpoint['handler'] = async () => {
    throw new Error('never called');
  };
  const endpoints = [
    row({
      name: `evil${evil}`,
      path: '/evil/:id',
      summary: evil,
      tags: [evil],
      parameters: [
        { name: evil, in: 'query', description: evil, schema: { type: 'string', enum: [evil] }, example: evil },
      ],
      response: {
        status: 200,
        description: evil,
        schema: { type: 'object', properties: { [evil]: { type: 'string', description: evil } } },
      },
      handler,
    }),
  ];
  const registry = buildRegistry([
    defineObject({ name: `x${evil}`, table: 'x', fields: { id: integer(), [evil]: integer() } }),
  ]);
  const document = buildOpenApi({
    endpoints,
    registry,
    base: '/api/v1',
    address: '/api/v1',
    version: evil,
    maxLimit: 100,
    filters: 'together',
  });
  const text = renderDocs({ document, registry, others: [] });
  expect(text).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&amp;amp;');
  expect(text).not.toContain('<img');
  // In attributes the quotes matter: none may end early.
  expect(text.match(/="[^"]*"[^\s>/]/g)).toBeNull();
});
