/**
 * The OpenAPI document makes good clients with the three generators that most users of TypeScript choose, in addition to
 * the one of generated-client.test.ts: types for openapi-fetch, the clients of @hey-api/openapi-ts and of orval. The
 * documents of pages and banners do so with all four.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeHeyApiClient, makeOrvalClient, makeTypes } from '../../client-generators/make-clients.js';
import { freshSqliteUrl } from '../../support/databases.js';
import { makeOazapftsClient, makeProject, type Prepared, prepareSite, runProgram } from './client-project.js';

let prepared: Prepared;
let document: string;

beforeAll(async () => {
  prepared = await prepareSite({ name: 'sqlite', url: freshSqliteUrl });
  document = (await prepared.site.get('/meta/openapi.json')).text;
});

/** What both programs report when everything works. */
const everything = {
  read: {
    list: [
      { id: 4, pagetitle: 'Contact' },
      { id: 2, pagetitle: 'About' },
    ],
    total: 2,
    members: ['number', 'string', 'string', 'boolean'],
    parent: 'About',
    page: [3, 'about/team.html'],
    unchanged: [304, true],
  },
  changed: {
    made: 'News',
    changed: 'All the news',
    stale: 'precondition_failed',
    replaced: 'Latest news',
    removed: [true, true],
    gone: [404, 'not_found'],
    invalid: [422, 'validation_failed', ['parent']],
    bare: ['number', true, null],
  },
  extra: { titles: ['Larkfell'], removed: true },
};

test.each([
  ['openapi-typescript and openapi-fetch', 'openapi-fetch', makeTypes],
  ['@hey-api/openapi-ts', 'hey-api', makeHeyApiClient],
  ['orval', 'orval', makeOrvalClient],
] as const)('a client of %s type-checks and does what the gateway offers', async (_name, program, make) => {
  const folder = await makeProject(program);
  await make(document, folder, prepared.given['url'] ?? '');
  expect(await runProgram(folder, prepared.given)).toEqual(everything);
});

test('clients of pages and banners, made by all of them, type-check and read', async () => {
  const { given } = prepared;
  const folder = await makeProject('pages-and-banners');
  for (const name of ['pages', 'banners']) {
    const part = join(folder, name);
    await mkdir(part);
    const url = given[`${name}Url`] ?? '';
    const made = await (await fetch(`${url}/openapi.json`)).text();
    await makeTypes(made, part);
    await makeHeyApiClient(made, part);
    for (const [maker, make] of [
      ['orval', makeOrvalClient],
      ['oazapfts', makeOazapftsClient],
    ] as const) {
      await mkdir(join(part, maker));
      await make(made, join(part, maker), url);
    }
  }
  expect(await runProgram(folder, given)).toEqual({
    pages: Array.from({ length: 4 }, () => [true, 'Resource not found.']),
    banners: Array.from({ length: 4 }, () => [0, 'not found']),
  });
});
