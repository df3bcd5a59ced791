/** What the OpenAPI document says of writing is true of a running site: answers, refusals, headers, bodies. */
import { beforeAll, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../../src/http/interface/openapi.js';
import { describeEachDatabase } from '../../support/databases.js';
import type { Got, TestSite } from '../../support/site.js';
import { operationsOf, validate } from './openapi-document.js';
import { findMisfits } from './schema-fit.js';
import { dataOf, startWritingSite } from './writing-site.js';

type Method = 'post' | 'put' | 'patch' | 'delete';

describeEachDatabase('the document of writing', (database) => {
  let site: TestSite;
  let document: OpenApiDocument;

  beforeAll(async () => {
    site = await startWritingSite(database);
    document = JSON.parse((await site.get('/meta/openapi.json')).text) as OpenApiDocument;
  });

  const operation = (path: string, method: Method) => {
    const found = document.paths[path]?.[method];
    if (found === undefined) throw new Error(`the document has no ${method} ${path}`);
    return found;
  };

  test('is valid and has a route for every way to write each object', async () => {
    expect(await validate(document)).toEqual({ valid: true, errors: undefined });
    const writing = operationsOf(document)
      .map(({ route }) => route)
      .filter((route) => !route.startsWith('GET ') && /\/(resources|objects)/.test(route));
    const collections = ['/resources', '/objects/{name}', '/objects/makers', '/objects/goods', '/objects/notes'];
    expect(writing.toSorted()).toEqual(
      collections
        .flatMap((path) => [`POST ${path}`, `PUT ${path}/{id}`, `PATCH ${path}/{id}`, `DELETE ${path}/{id}`])
        .toSorted(),
    );
  });

  test('names the headers that belong to writing', () => {
    const headersOf = (path: string, method: Method) => {
      const { parameters } = operation(path, method);
      return parameters.filter((one) => one.in === 'header').map(({ name }) => name);
    };
    for (const path of ['/resources', '/objects/{name}', '/objects/goods']) {
      expect(headersOf(path, 'post')).toEqual(['X-Context', 'Idempotency-Key']);
      for (const method of ['put', 'patch', 'delete'] as const) {
        expect(headersOf(`${path}/{id}`, method)).toEqual(['X-Context', 'If-Match']);
      }
    }
    expect(operation('/resources', 'post').responses['201']).toMatchObject({
      headers: { ETag: {}, Location: {}, 'Idempotency-Replayed': {} },
    });
    expect(operation('/resources/{id}', 'patch').responses['200']).toMatchObject({ headers: { ETag: {} } });
    const names = operation('/resources/{id}', 'delete').parameters.map(({ name }) => name);
    expect(names).toEqual(['id', 'force', 'context', 'X-Context', 'If-Match']);
  });

  test('describes the bodies of an object by its own fields', () => {
    const { schemas } = document.components;
    expect(schemas['GoodsCreate']).toMatchObject({ required: ['title'], additionalProperties: false });
    expect(Object.keys(schemas['GoodsUpdate']?.properties ?? {})).toEqual([
      'title',
      'price',
      'stock',
      'maker',
      'active',
      'added',
      'sold',
      'data',
      'image',
      'cost',
      'shelf',
      'place',
    ]);
    expect(schemas['GoodsUpdate']?.properties?.['cost']).toMatchObject({
      description: 'Only with the scope fields.cost',
    });
    expect(schemas['GoodsUpdate']).not.toHaveProperty('required');
  });

  test('is true of the real answers', async () => {
    const fits = (got: Got, path: string, method: Method): void => {
      const response = operation(path, method).responses[String(got.status)];
      const content = response && 'content' in response ? response.content : undefined;
      const schema = content?.['application/json']?.schema;
      if (schema === undefined) throw new Error(`${method} ${path} does not describe ${got.status}: ${got.text}`);
      expect(findMisfits(got.body, schema, document.components.schemas)).toEqual([]);
    };
    const send = (path: string, method: Method, body?: object): Promise<Got> =>
      site.get(path, { as: 'all', method: method.toUpperCase(), ...(body ? { body } : {}) });
    for (const [collection, documented, body] of [
      ['/resources?include=parent,tvs', '/resources', { pagetitle: 'Described', parent: 2, template: 1 }],
      ['/objects/resources', '/objects/{name}', { pagetitle: 'Described again' }],
      ['/objects/goods', '/objects/goods', { title: 'Described', data: [1] }],
    ] as const) {
      const made = await send(collection, 'post', body);
      fits(made, documented, 'post');
      const one = `${collection.replace(/\?.*/, '')}/${dataOf(made)['id']}`;
      for (const method of ['put', 'patch'] as const) fits(await send(one, method, body), `${documented}/{id}`, method);
      fits(await send(one, 'delete'), `${documented}/{id}`, 'delete');
    }
    const refused = await send('/resources', 'post', {});
    expect(
      findMisfits(refused.body, { $ref: '#/components/schemas/ProblemDetails' }, document.components.schemas),
    ).toEqual([]);
  });
});
