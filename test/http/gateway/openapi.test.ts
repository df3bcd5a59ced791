/** The OpenAPI document: valid, complete over the endpoint table, exact about objects, parameters and problems. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { buildRegistry, resources } from '../../../src/content/objects/core-objects.js';
import { defineObject } from '../../../src/content/objects/definition.js';
import { listParameters, shapeParameters } from '../../../src/gateway/http/parameter-docs.js';
import { buildOpenApi } from '../../../src/gateway/openapi/openapi.js';
import { nameSchemas } from '../../../src/gateway/openapi/openapi-schemas.js';
import type { Endpoint } from '../../../src/http/interface/endpoint.js';
import { documentMethods, type OpenApiDocument, pathTemplate } from '../../../src/http/interface/openapi.js';
import { integer } from '../../support/fields.js';
import { row } from '../../support/server.js';
import { operationsOf, validate } from './openapi-document.js';
import { posters } from './reference-site.js';

const handler: Endpoint['handler'] = async () => {
  throw new Error('documents never call a handler');
};
const path = (name: string) =>
  ({ name, in: 'path', required: true, description: name, schema: { type: 'string' } }) as const;
const records = { object: 'resources', tags: ['Resources'], handler } as const;
const request = { types: ['application/json'], required: true } as const;
const anyObject = { tags: ['Objects'], parameters: [path('name')], handler } as const;
const oneObject = { ...anyObject, parameters: [path('name'), path('id')] } as const;

const scoped = (scope: string) => ({ access: { kind: 'scope', scope } }) as const;
const read = { access: { kind: 'public_read', scope: 'resources.read' } } as const;
const objectScope = (action: 'read' | 'create' | 'delete') => ({ access: { kind: 'object_scope', action } }) as const;
const list = { ...records, path: '/resources' } as const;
const one = { ...records, path: '/resources/:id', parameters: [path('id')] } as const;
const created = (description: string) => ({ method: 'POST', request, response: { status: 201, description } }) as const;
const auth = { tags: ['Auth'], handler } as const;
const token = { type: 'object', required: ['grant_type'], properties: { grant_type: { type: 'string' } } } as const;
const tokenTypes = ['application/json', 'application/x-www-form-urlencoded'];

/** A table with every method and every kind of access. */
const table: readonly Endpoint[] = [
  row({ name: 'health', path: '/health', tags: ['Meta'], handler }),
  row({ ...list, ...read, name: 'resources.list', parameters: listParameters(resources) }),
  row({ ...list, ...scoped('resources.create'), ...created('The new resource'), name: 'resources.create' }),
  row({ ...one, ...read, name: 'resources.get', parameters: [path('id'), ...shapeParameters(resources)] }),
  row({ ...one, ...scoped('resources.update'), name: 'resources.mutate', method: 'PUT', request }),
  row({ ...one, ...scoped('resources.update'), name: 'resources.mutate', method: 'PATCH', request }),
  row({ ...one, ...scoped('resources.delete'), name: 'resources.delete', method: 'DELETE' }),
  row({ ...records, name: 'pages.get', path: '/pages/*uri', parameters: [path('uri')] }),
  row({ ...anyObject, ...objectScope('read'), name: 'objects.list', path: '/objects/:name' }),
  row({
    ...{ ...anyObject, ...objectScope('create'), ...created('The new record') },
    ...{ name: 'objects.create', path: '/objects/:name' },
  }),
  row({ ...oneObject, ...objectScope('delete'), name: 'objects.delete', path: '/objects/:name/:id', method: 'DELETE' }),
  row({ ...auth, name: 'auth.session.get', path: '/auth/session', access: { kind: 'session' } }),
  row({
    ...{ ...auth, name: 'auth.token', path: '/auth/token', method: 'POST' },
    request: { types: tokenTypes, required: true, schema: token },
  }),
];

/** Whatever may carry the scopes. */
function credentials(...scopes: string[]) {
  return [{ bearer: scopes }, { apiKey: scopes }, { oauth2: scopes }, { cookieAuth: scopes }];
}

/** The same for what changes something: a session needs its token as well. */
function changing(...scopes: string[]) {
  return [...credentials(...scopes).slice(0, -1), { cookieAuth: scopes, csrfToken: [] }];
}

function build(extra: readonly (typeof posters)[] = []): OpenApiDocument {
  const about = { base: '/api/v1', address: '/api/v1', version: '1.2.3', maxLimit: 250, filters: 'each' } as const;
  return buildOpenApi({ endpoints: table, registry: buildRegistry(extra), ...about });
}

describe('the document of a table with every method', () => {
  const document = build([posters]);

  test('is valid OpenAPI 3.1', async () => {
    expect(await validate(document)).toEqual({ valid: true, errors: undefined });
    expect(document.openapi).toBe('3.1.1');
  });

  test('has exactly the operations of the table', () => {
    const expected = table.map(({ method, path: pattern }) => `${method} ${pathTemplate(pattern)}`);
    const found = operationsOf(build()).map(({ route }) => route);
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  test.each([
    ['/resources', 'get', 'listResources'],
    ['/resources', 'post', 'createResource'],
    ['/resources/{id}', 'get', 'getResource'],
    ['/resources/{id}', 'put', 'replaceResource'],
    ['/resources/{id}', 'patch', 'updateResource'],
    ['/resources/{id}', 'delete', 'deleteResource'],
    ['/objects/fair_posters', 'get', 'listFairPosters'],
    ['/auth/token', 'post', 'createToken'],
    ['/health', 'get', 'getHealth'],
  ] as const)('calls %s by %s %s', (route, method, id) => {
    expect(document.paths[route]?.[method]?.operationId).toBe(id);
  });

  test('adds the routes that an extra object allows, and no others', () => {
    const core = new Set(operationsOf(build()).map(({ route }) => route));
    expect(operationsOf(document).filter(({ route }) => !core.has(route))).toEqual([
      { route: 'GET /objects/fair_posters', id: 'listFairPosters' },
      { route: 'POST /objects/fair_posters', id: 'createFairPoster' },
    ]);
  });

  test('describes every path parameter exactly once', () => {
    const wrong = Object.entries(document.paths).flatMap(([route, item]) =>
      documentMethods.flatMap((method) => {
        const named = (item[method]?.parameters ?? []).filter((one) => one.in === 'path').map((one) => one.name);
        const inPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        return item[method] && named.toSorted().join() !== inPath.toSorted().join() ? [`${method} ${route}`] : [];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test.each([
    ['public', '/health', 'get', [{}, ...credentials()]],
    ['a session', '/auth/session', 'get', [{ cookieAuth: [] }]],
    ['public with a scope', '/resources', 'get', [{}, ...credentials('resources.read')]],
    ['a scope', '/resources', 'post', changing('resources.create')],
    ['a scope that the path decides', '/objects/{name}', 'get', credentials()],
    ['the scope of an extra object', '/objects/fair_posters', 'get', credentials('fair_posters.read')],
  ] as const)('shows the access %s', (_name, route, method, expected) => {
    expect(document.paths[route]?.[method]?.security).toEqual(expected);
  });

  test.each([
    ['a read', '/resources', 'get', '200 304 400 401 403 404 406 422 429 500 503'],
    ['a create', '/resources', 'post', '201 400 401 403 404 406 409 413 415 422 429 500 503'],
    ['a change', '/resources/{id}', 'patch', '200 400 401 403 404 406 409 412 413 415 422 429 500 503'],
    ['a removal', '/resources/{id}', 'delete', '200 400 401 403 404 406 409 412 422 429 500 503'],
    ['health, which is neither counted nor kept', '/health', 'get', '200 400 401 404 406 500 503'],
  ] as const)('lists the statuses of %s', (_name, route, method, expected) => {
    const statuses = Object.keys(document.paths[route]?.[method]?.responses ?? {});
    expect(statuses.toSorted().join(' ')).toBe(expected);
  });

  test.each([
    ['a list', '/resources', 'get', '200', 'ResourcesList'],
    ['a record', '/resources/{id}', 'get', '200', 'ResourcesRecord'],
    ['a created record', '/resources', 'post', '201', 'ResourcesWrittenRecord'],
    ['a removal', '/resources/{id}', 'delete', '200', 'Deletion'],
    ['a page of an extra object', '/objects/fair_posters', 'get', '200', 'FairPostersList'],
  ] as const)('names the schema of %s', (_name, route, method, status, schema) => {
    expect(document.paths[route]?.[method]?.responses[status]).toMatchObject({
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
    });
  });

  test.each([
    ['create', '/resources', 'post', 'ResourcesCreate'],
    ['replace', '/resources/{id}', 'put', 'ResourcesCreate'],
    ['change', '/resources/{id}', 'patch', 'ResourcesUpdate'],
  ] as const)('takes the fields of the object to %s', (_name, route, method, name) => {
    const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } };
    expect(document.paths[route]?.[method]?.requestBody).toEqual({ required: true, content });
  });

  test('takes the body that a row describes', () => {
    const content = Object.fromEntries(tokenTypes.map((type) => [type, { schema: token }]));
    expect(document.paths['/auth/token']?.post?.requestBody).toEqual({ required: true, content });
  });

  test('knows every reference that it makes', () => {
    const text = JSON.stringify(document);
    const names = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)].map(
      ([, kind, name]) => `${kind}/${name}`,
    );
    const { schemas, responses, headers = {} } = document.components;
    const known = new Set(
      Object.entries({ schemas, responses, headers }).flatMap(([kind, all]) =>
        Object.keys(all).map((name) => `${kind}/${name}`),
      ),
    );
    expect(names.length).toBeGreaterThan(50);
    expect([...new Set(names)].filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('the schemas of objects', () => {
  const { schemas } = build([posters]).components;

  test('have the exact types of fields', () => {
    expect(schemas['Resources']?.properties).toMatchObject({
      id: { type: 'integer', examples: [42] },
      pagetitle: { type: 'string', maxLength: 191 },
      introtext: { type: ['string', 'null'] },
      published: { type: 'boolean' },
      uri_override: { type: 'boolean' },
      publishedon: { type: ['string', 'null'], format: 'date-time' },
      createdby: { type: 'integer', description: 'Only with the scope fields.createdby' },
      parent: { anyOf: [{ type: 'integer' }, { type: 'object' }] },
      children: { type: 'array', items: { type: 'object' } },
      tvs: { type: 'object' },
    });
  });

  test('show every field but the hidden ones', () => {
    const shown = Object.keys(resources.fields).filter((name) => name !== 'properties');
    const more = ['children', 'ancestors', 'translations', 'tvs', 'excerpt', 'link'];
    expect(Object.keys(schemas['Resources']?.properties ?? {})).toEqual([...shown, ...more]);
  });

  test('of bodies leave out what cannot be written and demand what must be', () => {
    const create = schemas['ResourcesCreate'];
    expect(create?.required).toEqual(['pagetitle']);
    expect(create?.additionalProperties).toBe(false);
    expect(resources.immutable.filter((name) => name in (create?.properties ?? {}))).toEqual([]);
    expect(create?.properties?.['published']).toEqual({ enum: [true, false, 0, 1], examples: [true] });
    expect(schemas['ResourcesUpdate']?.required).toBeUndefined();
  });

  test('exist for bodies only where the object can be written', () => {
    const names = ['', 'Record', 'List', 'Written', 'WrittenRecord', 'Create'].map((end) => `FairPosters${end}`);
    expect(Object.keys(schemas).filter((name) => name.startsWith('FairPosters'))).toEqual(names);
    expect(schemas).not.toHaveProperty('ChunksCreate');
    expect(schemas).not.toHaveProperty('ChunksWritten');
  });

  test('demand nothing but the key of a record that was written', () => {
    const { Resources: read, ResourcesWritten: written } = schemas;
    expect(written?.properties).toEqual(read?.properties);
    expect(written?.required).toEqual(['id']);
  });

  test('never share a name', () => {
    const odd = ['news_item', 'news-item', 'link_s', 'problem_details', 'resources_list', 'ünï'].map((name) =>
      defineObject({ name, table: 'x', fields: { id: integer() } }),
    );
    const registry = buildRegistry(odd);
    const names = nameSchemas(registry);
    const kinds = ['record', 'one', 'list', 'written', 'writtenOne', 'create', 'update'] as const;
    const all = [...registry.objects.values()].flatMap((one) => kinds.map((kind) => names(one, kind)));
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter((name) => !/^[A-Za-z0-9._-]+$/.test(name))).toEqual([]);
    const records = odd.map((one) => names(one, 'record'));
    expect(records).toEqual(expect.arrayContaining(['NewsItem', 'NewsItem2', 'ProblemDetails2']));
  });
});

describe('the parameters of a list', () => {
  const parameters = build().paths['/resources']?.get?.parameters ?? [];
  const find = (name: string) => parameters.find((one) => one.name === name);

  test('name each filter by field and operator, with the type of the field', () => {
    const filters = parameters.filter(({ name }) => name.startsWith('filter'));
    const fields = [...new Set(filters.map(({ name }) => /^filter\[(\w+)\]/.exec(name)?.[1]))];
    expect(fields).toEqual(resources.filterable);
    expect(find('filter[published]')?.schema).toEqual({ type: 'boolean' });
    expect(find('filter[id][gt]')).toMatchObject({ in: 'query', required: false, schema: { type: 'integer' } });
    const list = { schema: { type: 'array', items: { type: 'integer' } }, style: 'form', explode: false };
    expect(find('filter[id][in]')).toMatchObject(list);
    expect(filters.filter(({ name }) => name.startsWith('filter[id]')).map(({ name }) => name)).toEqual([
      'filter[id]',
      ...['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in', 'null', 'not_null'].map(
        (name) => `filter[id][${name}]`,
      ),
    ]);
    expect(find('filter[alias][like]')?.schema).toMatchObject({ type: 'string' });
  });

  test('name both directions of every sortable field', () => {
    expect(find('sort')).toMatchObject({ style: 'form', explode: false, example: ['-id'] });
    expect(find('sort')?.schema.items?.enum).toEqual(resources.sortable.flatMap((name) => [name, `-${name}`]));
  });

  test('name the fields that may be asked for', () => {
    expect(find('fields')?.schema.items?.enum).toEqual(
      Object.keys(resources.fields).filter((name) => name !== 'properties'),
    );
  });

  test('name relations and template variables, one level deep too', () => {
    const names = ['parent', 'children', 'ancestors', 'translations', 'tvs'];
    const deeper = names.slice(0, 3).flatMap((first) => names.map((second) => `${first}.${second}`));
    expect(find('include')?.schema.items?.enum).toEqual([...names, ...deeper]);
  });

  test('leave out second spellings, which clients would take for the same name', () => {
    expect([find('filters'), find('includeDeleted')]).toEqual([undefined, undefined]);
  });
});

describe('the problem responses', () => {
  const { schemas, responses } = build().components;

  test('know every code of the gateway and no other', () => {
    const codes = [
      'bad_request invalid_grant token_required invalid_token invalid_credentials scope_denied not_found',
      'method_not_allowed not_acceptable idempotency_conflict conflict precondition_failed',
      'payload_too_large range_not_satisfiable package_missing uri_too_long unsupported_media_type',
      'validation_failed rate_limited service_disabled unavailable internal_error',
    ];
    expect(schemas['ProblemDetails']?.properties?.['code']?.enum).toEqual(codes.join(' ').split(' '));
  });

  test('join the codes of one status', () => {
    expect(responses['Problem401']?.description).toBe(
      '`token_required`: Authentication required; `invalid_token`: Invalid or revoked credentials; `invalid_credentials`: User name or password is wrong',
    );
    const limits = ['Limit', 'Remaining', 'Reset'].map((name) => `X-RateLimit-${name}`);
    const headers = Object.keys(responses['Problem429']?.headers ?? {});
    expect(headers).toEqual(['X-Request-ID', ...limits, 'Retry-After']);
  });

  test('have examples that fit their own schema', () => {
    const examples = Object.entries(responses).flatMap(([name, response]) => {
      const example = response.content?.['application/problem+json']?.example;
      return example === undefined ? [] : [{ name, example }];
    });
    // All but those of 304, of redirects and of the token endpoints.
    expect(examples.length).toBe(Object.keys(responses).length - 3);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'document', components: { schemas } });
    const fits = ajv.getSchema('document#/components/schemas/ProblemDetails') ?? expect.fail();
    expect(examples.filter(({ example }) => !fits(example)).map(({ name }) => name)).toEqual([]);
  });
});
