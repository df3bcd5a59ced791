/**
 * What the gateway answers about the sample site is what its OpenAPI document says: every list, its first records, and both
 * with everything that can be included. Each answer is looked at by test/support/received-answers.ts.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../../src/http/interface/openapi.js';
import { batchesOf } from '../../../src/values/batches.js';
import { startSampleSite } from '../../support/sample-site.js';
import type { GetOptions, Got, TestSite } from '../../support/site.js';

const objects = ['contexts', 'chunks', 'templates', 'snippets', 'tvs', 'categories', 'content_types'] as const;

let site: TestSite;
let document: OpenApiDocument;

beforeAll(async () => {
  const key = (...scopes: string[]) => ({ kind: 'api_key', id: 'key', scopes: new Set(scopes), userId: null }) as const;
  site = await startSampleSite({
    all: key('*'),
    reading: key(...['resources', ...objects].map((name) => `${name}.read`)),
    writing: key('resources.create', 'resources.update'),
  });
  document = JSON.parse((await site.get('/meta/openapi.json')).text);
});

async function ask(path: string, options: GetOptions, status = 200): Promise<Got> {
  const got = await site.get(path, options);
  expect(got.status, got.text).toBe(status);
  return got;
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
  test.each(['all', 'reading'])('lists and records fit the document for the key %s', async (as) => {
    const listed = keysOf(await ask(`/${name}?limit=3`, { as }));
    for (const query of queriesOf(`/${name}`)) {
      await ask(`/${name}?limit=100&${query}`, { as });
      await ask(`/objects/${name}?${query}`, { as });
      for (const key of listed) await ask(`/${name}/${key}?${query}`, { as });
    }
  });
});

test('anonymous reads fit the document', async () => {
  for (const query of queriesOf('/resources')) {
    await ask(`/resources?limit=100&${query}`, {});
    await ask(`/pages/index?${query}`, {});
  }
  await ask('/contexts/web/settings', { as: 'all' });
});

test.each(['all', 'writing'])('writes fit the document for the key %s', async (as) => {
  const made = await ask('/resources', { as, method: 'POST', body: { pagetitle: `Made by ${as}` } }, 201);
  const id = keysOf({ ...made, body: { data: [made.body['data']] } })[0];
  for (const method of ['PUT', 'PATCH']) {
    await ask(`/resources/${id}`, { as, method, body: { pagetitle: `Changed by ${as}` } });
  }
});
