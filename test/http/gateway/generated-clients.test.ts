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
  compilePrograms,
  installGenerators,
  makeClients,
  makeOazapftsClient,
  makeProject,
  type Prepared,
  prepareSite,
  runProgram,
} from './client-project.js';

const installed = await installGenerators();

const clients = [
  ['openapi-typescript and openapi-fetch', 'openapi-fetch', 'openapi-typescript'],
  ['@hey-api/openapi-ts', 'hey-api', 'hey-api'],
  ['orval', 'orval', 'orval'],
] as const;

/** What the programs report when everything works. */
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
  let given: Prepared['given'];
  let folders: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const prepared = await prepareSite({ name: 'sqlite', url: freshSqliteUrl });
    given = prepared.given;
    folders = await makeAllClients(prepared, installed ?? '');
  });

  test.each(clients)('a client of %s type-checks and does what the gateway offers', async (_packages, program) => {
    expect(await runProgram(folders[program] ?? '', given)).toEqual(everything);
  });

  test('clients of pages and banners, made by all of them, type-check and read', async () => {
    expect(await runProgram(folders['pages-and-banners'] ?? '', given)).toEqual({
      pages: Array.from({ length: 4 }, () => [true, 'Resource not found.']),
      banners: Array.from({ length: 4 }, () => [0, 'not found']),
    });
  });
});

/** The folders of the programs with their clients, type-checked: one process of each generator and of the compiler. */
async function makeAllClients(
  { site, given }: Prepared,
  generators: string,
): Promise<Readonly<Record<string, string>>> {
  const pagesAndBanners = await makeProject('pages-and-banners', generators);
  const parts: ClientPlace[] = [];
  for (const name of ['pages', 'banners']) {
    const folder = join(pagesAndBanners, name);
    const baseUrl = given[`${name}Url`] ?? '';
    const document = await (await fetch(`${baseUrl}/openapi.json`)).text();
    for (const inside of [folder, join(folder, 'orval'), join(folder, 'oazapfts')]) await mkdir(inside);
    parts.push({ document, folder, baseUrl });
    await makeOazapftsClient(document, join(folder, 'oazapfts'));
  }
  const document = (await site.get('/meta/openapi.json')).text;
  const folders: Record<string, string> = { 'pages-and-banners': pagesAndBanners };
  for (const [, program, generator] of clients) {
    const folder = await makeProject(program, generators);
    folders[program] = folder;
    const places =
      generator === 'orval' ? parts.map((part) => ({ ...part, folder: join(part.folder, 'orval') })) : parts;
    await makeClients(generator, generators, [{ document, folder, baseUrl: given['url'] ?? '' }, ...places]);
  }
  await compilePrograms(Object.values(folders));
  return folders;
}
