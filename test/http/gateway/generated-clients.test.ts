/**
 * The OpenAPI document makes good clients with the three generators that most users of TypeScript choose, in addition to
 * the one of generated-client.test.ts: types for openapi-fetch, the clients of @hey-api/openapi-ts and of orval. The
 * documents of pages and banners do so with all four.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { freshSqliteUrl } from '../../support/databases.js';
import {
  type ClientPlace,
  installGenerators,
  makeClients,
  makeOazapftsClient,
  makeProject,
  type Prepared,
  prepareSite,
  runProgram,
} from './client-project.js';

const installed = await installGenerators();

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

describe.skipIf(installed === null)('generators with packages of their own', () => {
  const generators = installed ?? '';
  let prepared: Prepared;

  beforeAll(async () => {
    prepared = await prepareSite({ name: 'sqlite', url: freshSqliteUrl });
  });

  test.each([
    ['openapi-typescript and openapi-fetch', 'openapi-typescript', 'openapi-fetch'],
    ['@hey-api/openapi-ts', 'hey-api', 'hey-api'],
    ['orval', 'orval', 'orval'],
  ] as const)('a client of %s type-checks and does what the gateway offers', async (_packages, generator, program) => {
    const { site, given } = prepared;
    const document = (await site.get('/meta/openapi.json')).text;
    const folder = await makeProject(program, generators);
    await makeClients(generator, generators, [{ document, folder, baseUrl: given['url'] ?? '' }]);
    expect(await runProgram(folder, given)).toEqual(everything);
  });

  test('clients of pages and banners, made by all of them, type-check and read', async () => {
    const { given } = prepared;
    const folder = await makeProject('pages-and-banners', generators);
    const places: ClientPlace[] = [];
    for (const name of ['pages', 'banners']) {
      const part = join(folder, name);
      const baseUrl = given[`${name}Url`] ?? '';
      const document = await (await fetch(`${baseUrl}/openapi.json`)).text();
      for (const inside of [part, join(part, 'orval'), join(part, 'oazapfts')]) await mkdir(inside);
      places.push({ document, folder: part, baseUrl });
      await makeOazapftsClient(document, join(part, 'oazapfts'));
    }
    await makeClients('openapi-typescript', generators, places);
    await makeClients('hey-api', generators, places);
    const inside = places.map((place) => ({ ...place, folder: join(place.folder, 'orval') }));
    await makeClients('orval', generators, inside);
    expect(await runProgram(folder, given)).toEqual({
      pages: Array.from({ length: 4 }, () => [true, 'Resource not found.']),
      banners: Array.from({ length: 4 }, () => [0, 'not found']),
    });
  });
});
