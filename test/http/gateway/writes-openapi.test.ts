/** What the OpenAPI document says of writing: routes, headers, bodies. */
import { beforeAll, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../../src/http/interface/openapi.js';
import { describeEachDatabase } from '../../support/databases.js';
import type { TestSite } from '../../support/site.js';
import { operationsOf, validate } from './openapi-document.js';
import { startWritingSite } from './writing-site.js';

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
    const routes = operationsOf(document).map(({ route }) => route);
    const writing = routes.filter((route) => /^(?!GET ).*\/(resources|objects)/.test(route));
    const collections = ['/resources', '/objects/{name}', '/objects/makers', '/objects/goods', '/objects/notes'];
    const expected = collections.flatMap((path) => [
      ...[`POST ${path}`, `PUT ${path}/{id}`, `PATCH ${path}/{id}`, `DELETE ${path}/{id}`],
    ]);
    expect(writing.toSorted()).toEqual(expected.toSorted());
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
    const names = 'title price stock maker active added sold data image cost shelf place'.split(' ');
    const { properties = {} } = schemas['GoodsUpdate'] ?? {};
    expect(Object.keys(properties)).toEqual(names);
    expect(properties['cost']).toMatchObject({ description: 'Only with the scope fields.cost' });
    expect(schemas['GoodsUpdate']).not.toHaveProperty('required');
  });
});
