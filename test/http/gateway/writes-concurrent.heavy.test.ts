/** Many writers at once over HTTP: nothing is lost, nothing is there twice, and no request is answered with a fault. */
import { expect, test } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import type { Got, TestSite } from '../../support/site.js';
import { dataOf, startWritingSite } from './writing-site.js';

const clients = 50;

interface Tally {
  /** Of a fault its text. */
  readonly statuses: (number | string)[];
  readonly left: string[];
}

/** Ten writes of one client: it creates, moves, publishes, tags, removes and restores what is its own. */
async function work(site: TestSite, client: number): Promise<Tally> {
  const statuses: Tally['statuses'] = [];
  const send = async (path: string, method: string, body?: object): Promise<Got> => {
    const answer = await site.get(path, { as: 'all', method, ...(body ? { body } : {}) });
    statuses.push(answer.status < 500 ? answer.status : answer.text);
    return answer;
  };
  const title = `Client ${client}`;
  const made = await send('/resources', 'POST', { pagetitle: title, parent: 2, template: 1 });
  const page = `/resources/${dataOf(made)['id']}`;
  await send(page, 'PATCH', { published: true, tvs: { mood: `mood ${client}` } });
  const below = await send('/resources', 'POST', { pagetitle: title, parent: dataOf(made)['id'] });
  await send(`/resources/${dataOf(below)['id']}`, 'PATCH', { parent: 3, alias: `moved-${client}` });
  await send(page, 'PATCH', { alias: `renamed-${client}` });
  const good = await send('/objects/goods', 'POST', { title, stock: client, shelf: client, place: 1 });
  await send(`/objects/goods/${dataOf(good)['id']}`, 'PUT', { title, stock: client + 1 });
  await send(page, 'DELETE');
  await send(page, 'PATCH', { deleted: false });
  await send(`/resources/${dataOf(below)['id']}?force=1`, 'DELETE');
  return { statuses, left: [title] };
}

describeEachDatabase('fifty writers at once', (database) => {
  test('lose nothing and meet no fault', async () => {
    const site = await startWritingSite(database);
    const tallies = await Promise.all(Array.from({ length: clients }, (_, client) => work(site, client + 1)));
    for (const { statuses } of tallies) expect(statuses).toEqual([201, 200, 201, 200, 200, 201, 200, 200, 200, 200]);
    const rows = async (sql: string) =>
      (await site.store.content.primary.select({ sql, params: [] })).map((row) => [...row]);
    const expected = Array.from({ length: clients }, (_, index) => index + 1);
    expect(
      await rows(
        `SELECT pagetitle, alias, uri, published, deleted FROM modx_site_content WHERE id > 3 ORDER BY LENGTH(pagetitle), pagetitle`,
      ),
    ).toEqual(
      expected.map((client) => [`Client ${client}`, `renamed-${client}`, `about/renamed-${client}.html`, 1, 0]),
    );
    expect(
      await rows(
        'SELECT COUNT(*), COUNT(DISTINCT contentid), COUNT(DISTINCT value) FROM modx_site_tmplvar_contentvalues',
      ),
    ).toEqual([[clients, clients, clients]]);
    expect(await rows('SELECT title, stock, shelf FROM shop_goods ORDER BY stock')).toEqual(
      expected.map((client) => [`Client ${client}`, client + 1, client]),
    );
    expect(site.log.filter((fact) => fact.kind === 'request_finished' && fact.status >= 500)).toEqual([]);
  });

  test('raise a counter by comparing and repeating, so that no step is lost', async () => {
    const site = await startWritingSite(database);
    const made = await site.get('/objects/goods', { as: 'all', method: 'POST', body: { title: 'Counter', stock: 0 } });
    const path = `/objects/goods/${dataOf(made)['id']}`;
    const raise = async (): Promise<number> => {
      for (let tries = 1; ; tries += 1) {
        const read = await site.get(path, { as: 'all' });
        const changed = await site.get(path, {
          as: 'all',
          method: 'PATCH',
          headers: { 'If-Match': read.headers.get('etag') ?? '' },
          body: { stock: Number(dataOf(read)['stock']) + 1 },
        });
        if (changed.status === 200) return tries;
        expect(changed.status).toBe(412);
      }
    };
    await Promise.all(Array.from({ length: 10 }, raise));
    expect(dataOf(await site.get(path, { as: 'all' }))['stock']).toBe(10);
  });
});
