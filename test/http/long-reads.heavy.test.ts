/** Reads that take long share the database: many short ones are all answered, and slow ones hold up their callers alone. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Identity } from '../../src/access/identity.js';
import { defineObject } from '../../src/content/objects/definition.js';
import { watchLoad } from '../../src/http/stages/respond.js';
import type { Observation } from '../../src/log/observation.js';
import { servingLimits } from '../../src/store/base/limits.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase } from '../support/databases.js';
import { integer, text } from '../support/fields.js';
import { seed } from '../support/seed.js';
import { startTestSite, type TestSite } from '../support/site.js';

/** Rows of a view that has no end, so that a search that finds nothing there is slow on every machine. */
const depths = defineObject({
  ...{ name: 'depths', table: 'test_depths', prefixed: false, fields: { id: integer(), name: text(50) } },
  ...{ filterable: ['id', 'name'], sortable: ['id'], searchable: ['name'] },
});

const endless = {
  sqlite: `CREATE VIEW test_depths AS WITH RECURSIVE c(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM c) SELECT id, 'row ' || id AS name FROM c`,
  mariadb: `CREATE VIEW test_depths AS SELECT id, CONCAT('row ', SLEEP(0.2)) AS name FROM modx_site_content`,
};

const key = (id: string): Identity => ({ kind: 'api_key', id, scopes: new Set(['*']), userId: null });
const bannerKey = '0123456789abcdef0123456789abcdef';

describeEachDatabase('reads that take long', (database) => {
  let site: TestSite;

  beforeAll(async () => {
    const databaseUrl = await database.url();
    site = await startTestSite({
      databaseUrl,
      extra: [depths],
      identities: { slow: key('slow'), quick: key('quick') },
      // Only searches have the limits of a server: how fast this machine answers the others is not the question.
      limits: { ...servingLimits, acquire: 60_000, statement: 0, answer: 0, wait: 0, heavy: 0 },
      env: { HCD_BANNERS_API_ENABLED: '1', HCD_BANNERS_API_KEY: bannerKey, HCD_BANNERS_API_RATE_LIMIT: '0' },
    });
    const rows = Array.from({ length: 60 }, (_, at) => ({ id: at + 100, pagetitle: `page ${at}`, uri: `p-${at}` }));
    await seed(site.store, { site_content: rows });
    await site.change([endless[site.store.content.dialect]]);
  });

  const banners = (route: string) =>
    fetch(`${site.url}/banners/api.php?route=${route}`, { headers: { 'x-api-key': bannerKey } });
  const all = async (count: number, ask: (at: number) => Promise<{ readonly status: number }>) =>
    new Set((await Promise.all(Array.from({ length: count }, (_, at) => ask(at)))).map(({ status }) => status));

  it('answers 150 clients who ask for banners, statistics and searches together', async () => {
    const asked = await Promise.all([
      all(150, () => banners('/ads&query=a')),
      all(20, () => banners('/stats')),
      all(60, (at) => site.get(`/resources?q=page+${at}`)),
      all(20, (at) => site.get(`/resources?filter[alias][like]=%25${at}%25`)),
    ]);
    expect(asked.map((statuses) => [...statuses])).toEqual([[200], [200], [200], [200]]);
  });

  it('ends a search after two seconds with 503, and shows no stack in the log', async () => {
    const before = site.log.length;
    const got = await site.get('/objects/depths?q=nothing', { as: 'slow' });
    expect([got.status, got.headers.get('retry-after'), got.body['code']]).toEqual([503, '5', 'unavailable']);
    const facts = site.log.slice(before);
    expect(facts.filter((fact) => fact.kind === 'load_refused')).toHaveLength(1);
    expect(facts.find((fact) => fact.kind === 'request_finished' && fact.status === 503)).not.toHaveProperty(
      'error.stack',
    );
  });

  it('answers another caller and the owner of banners while one caller searches slowly and more than is allowed', async () => {
    let ended = 0;
    // More than this caller has places, in each of which one takes two seconds.
    const count = site.store.content.dialect === 'sqlite' ? 3 : 8;
    const slow = Array.from({ length: count }, async (_, at) => {
      const { status } = await site.get(`/objects/depths?q=nothing+${at}`, { as: 'slow' });
      ended += 1;
      return status;
    });
    // They are in the queue before the others come.
    while ((await site.get('/resources?q=page', { as: 'quick' })).status !== 200);
    expect(await all(5, (at) => site.get(`/resources?q=page+1${at}`, { as: 'quick' }))).toEqual(new Set([200]));
    expect(await all(2, () => banners('/stats'))).toEqual(new Set([200]));
    expect(ended).toBeLessThan(count);
    expect(new Set(await Promise.all(slow))).toEqual(new Set([503]));
  });

  it('refuses a text of more than 100 characters, whatever its alphabet', async () => {
    const ask = async (text: string) => {
      const { status, body } = await site.get(`/resources?q=${encodeURIComponent(text)}`);
      return [status, body['errors']];
    };
    expect(await ask('é'.repeat(100))).toEqual([200, undefined]);
    expect(await ask(` ${'𝄞'.repeat(100)} `)).toEqual([200, undefined]);
    expect(await ask('x'.repeat(101))).toEqual([422, { q: ['must have at most 100 characters'] }]);
  });
});

describe('the log of refusals for load', () => {
  it('has one line when they begin, and their number when they are over', async () => {
    const clock = fakeClock();
    const facts: Observation[] = [];
    const note = watchLoad({ clock, log: (fact) => facts.push(fact) });
    for (let count = 0; count < 110; count += 1) note();
    await clock.advance(9000);
    note();
    await clock.advance(9999);
    expect(facts).toEqual([{ kind: 'load_refused' }]);
    await clock.advance(1);
    expect(facts).toEqual([{ kind: 'load_refused' }, { kind: 'load_over', refused: 111 }]);
    note();
    expect(facts.at(-1)).toEqual({ kind: 'load_refused' });
  });
});
