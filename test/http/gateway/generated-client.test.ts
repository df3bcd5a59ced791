/**
 * The OpenAPI document is good enough to live on: a client that a generator makes of it, with nothing else at hand,
 * type-checks and does what the gateway offers. Generated afresh from a running server, on every kind of database.
 */
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { compilePrograms, makeOazapftsClient, makeProject, prepareSite, runProgram } from './client-project.js';

/** What the program reports when everything works. */
const everything = {
  anonymous: {
    filtered: [
      { id: 4, pagetitle: 'Contact' },
      { id: 2, pagetitle: 'About' },
    ],
    created: ['2023-11-14T22:13:20Z', '2023-11-14T22:13:20Z'],
    paging: {
      titles: ['About', 'Contact', 'Home', 'Team'],
      pages: 2,
      second: [{ id: 3 }, { id: 4 }],
      meta: { total: 4, count: 2, limit: 2, offset: 2, has_more: false },
      links: {
        self: '/api/v1/resources?sort=id&fields=id&limit=2&offset=2',
        prev: '/api/v1/resources?sort=id&fields=id&limit=2&offset=0',
      },
    },
    parent: 'About',
    pages: [1, 'index.html', 3, 'web'],
    refused: 'token_required',
  },
  changed: {
    made: { pagetitle: 'News', publishedon: '2026-01-02T01:04:05Z', tvs: { mood: 'bright' } },
    again: [201, 'true', true],
    hasAddress: true,
    changed: 'All the news',
    stale: 'precondition_failed',
    replaced: 'Latest news',
    removed: true,
    gone: 'not_found',
  },
  extra: { made: ['Larkfell', 312], changed: 320, listed: [['Larkfell', 320]], generic: 'Larkfell', removed: true },
  refusals: {
    invalid: ['validation_failed', ['parent']],
    unlimited: ['must be an integer of at least 1'],
    denied: 'scope_denied',
    wrong: 'Invalid or revoked credentials',
  },
  token: { type: 'Bearer', scope: 'chunks.read', chunks: ['header'], denied: 403, refused: 'invalid_grant' },
  session: { user: 'rowan', unprotected: 'Invalid CSRF token', changed: 'By a session', ended: [200, 401] },
};

describeEachDatabase('a client that a generator makes of the OpenAPI document', (database) => {
  it('type-checks and does what the gateway offers', async () => {
    const { site, given } = await prepareSite(database);
    const folder = await makeProject('program');
    await makeOazapftsClient((await site.get('/meta/openapi.json')).text, folder);
    await compilePrograms([folder]);
    expect(await runProgram(folder, given)).toEqual(everything);
  });
});
