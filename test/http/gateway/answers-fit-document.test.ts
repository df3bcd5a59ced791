/**
 * What the gateway answers about the sample site is what its OpenAPI document says, by the judgement of a validator that
 * others wrote: every list, its first records, and both with everything that can be included.
 */

import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DocumentMethod, OpenApiDocument } from '../../../src/http/interface/openapi.js';
import { batchesOf } from '../../../src/values/batches.js';
import { startSampleSite } from '../../support/sample-site.js';
import type { Got, TestSite } from '../../support/site.js';

const objects = ['contexts', 'chunks', 'templates', 'snippets', 'tvs', 'categories', 'content_types'] as const;

let site: TestSite;
let document: OpenApiDocument;
let ajv: Ajv2020;

beforeAll(async () => {
  const key = (...scopes: string[]) => ({ kind: 'api_key', id: 'key', scopes: new Set(scopes), userId: null }) as const;
  site = await startSampleSite({
    all: key('*'),
    reading: key(...['resources', ...objects].map((name) => `${name}.read`)),
    writing: key('resources.create', 'resources.update'),
  });
  document = JSON.parse((await site.get('/meta/openapi.json')).text);
  ajv = new Ajv2020({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  ajv.addSchema({ ...document, $id: 'document' });
});

/** What the document finds wrong with an answer of 200 or 201. */
function misfits({ status, body }: Got, route: string, method: DocumentMethod = 'get'): unknown {
  const steps = ['paths', route, method, 'responses', String(status), 'content', 'application/json', 'schema'];
  const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const fits = ajv.getSchema(`document#/${pointer}`);
  if (fits === undefined) throw new Error(`${method} ${route} does not describe ${status}: ${JSON.stringify(body)}`);
  return fits(body) ? [] : fits.errors;
}

function keysOf(list: Got): unknown[] {
  const { data } = list.body;
  if (!Array.isArray(data) || data.length === 0) throw new Error(`nothing listed: ${list.text}`);
  return data.slice(0, 3).map((record) => record.id ?? record.key);
}

/** Addresses of the collection without relations, and such that together include everything. */
function queriesOf(route: string): string[] {
  const include = document.paths[route]?.get?.parameters.find(({ name }) => name === 'include');
  const paths = include?.schema.items?.enum ?? [];
  // One request can ask for ten relations.
  return ['', ...[...batchesOf(paths, 10)].map((some) => `include=${some.join(',')}`)];
}

describe.each(['resources', ...objects])('of %s', (name) => {
  const keyName = name === 'contexts' ? 'key' : 'id';

  test.each(['all', 'reading'])('lists and records fit the document for the key %s', async (as) => {
    const listed = keysOf(await site.get(`/${name}?limit=3`, { as }));
    for (const query of queriesOf(`/${name}`)) {
      expect(misfits(await site.get(`/${name}?limit=100&${query}`, { as }), `/${name}`)).toEqual([]);
      expect(misfits(await site.get(`/objects/${name}?${query}`, { as }), '/objects/{name}')).toEqual([]);
      for (const key of listed) {
        const one = await site.get(`/${name}/${key}?${query}`, { as });
        expect(misfits(one, `/${name}/{${keyName}}`)).toEqual([]);
      }
    }
  });
});

test('anonymous reads fit the document', async () => {
  for (const query of queriesOf('/resources')) {
    expect(misfits(await site.get(`/resources?limit=100&${query}`), '/resources')).toEqual([]);
    expect(misfits(await site.get(`/pages/index?${query}`), '/pages/{uri}')).toEqual([]);
  }
  expect(misfits(await site.get('/contexts/web/settings', { as: 'all' }), '/contexts/{key}/settings')).toEqual([]);
});

test.each(['all', 'writing'])('writes fit the document for the key %s', async (as) => {
  const made = await site.get('/resources', { as, method: 'POST', body: { pagetitle: `Made by ${as}` } });
  expect([made.status, misfits(made, '/resources', 'post')]).toEqual([201, []]);
  const id = keysOf({ ...made, body: { data: [made.body['data']] } })[0];
  for (const [method, name] of [
    ['PUT', 'put'],
    ['PATCH', 'patch'],
  ] as const) {
    const changed = await site.get(`/resources/${id}`, { as, method, body: { pagetitle: `Changed by ${as}` } });
    expect([changed.status, misfits(changed, '/resources/{id}', name)]).toEqual([200, []]);
  }
});
