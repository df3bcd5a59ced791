/**
 * Random sequences of writes over HTTP, on both stores at once: every answer is the same on both, byte for byte, and
 * what can be read afterwards is what a model of the promises says.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { noticeAll } from '../../../src/content/indexing/notice.js';
import { describeWithMariadb, freshMariadbUrl, freshSqliteUrl, type TestDatabase } from '../../support/databases.js';
import type { Got, TestSite } from '../../support/site.js';
import { fitting, goods, unfit } from './write-vocabulary.js';
import { startWritingSite } from './writing-site.js';

const runs = Number(process.env['HCD_TEST_WRITES'] ?? 15);

const target = fc.nat({ max: 25 });
const parent = fc.nat({ max: 12 });
const memberOf = (values: Readonly<Record<string, readonly unknown[]>>) =>
  fc.constantFrom(...Object.entries(values).flatMap(([name, list]) => list.map((value) => [name, value] as const)));
const fields = fc
  .tuple(
    fc.array(memberOf(fitting), { maxLength: 4, size: 'max' }),
    fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.tuple(memberOf(unfit)) }),
  )
  .map(([good, bad]): Readonly<Record<string, unknown>> => Object.fromEntries([...good, ...bad]));

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('create' as const), parent, body: fields }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('change' as const), target, body: fields, put: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('move' as const), target, parent }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), target }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restore' as const), target }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('purge' as const), target }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const good = fc.array(memberOf(goods), { maxLength: 3, size: 'max' }).map((list) => Object.fromEntries(list));
const verb = fc.constantFrom('POST', 'POST', 'PATCH', 'PATCH', 'PUT', 'DELETE');
const handling = fc.record({ do: verb, target, body: good });

interface Page {
  readonly parent: number;
  /** Number of the deletion that took it; null while it is there. */
  readonly deletion: number | null;
  readonly record: Readonly<Record<string, unknown>>;
}
type Pages = Map<number, Page>;

describeWithMariadb('both stores', () => {
  let sites: readonly [TestSite, TestSite];
  let now = 0;

  beforeAll(async () => {
    const clock = { ...systemClock, now: () => now };
    const start = (name: TestDatabase['name'], url: () => Promise<string>) =>
      startWritingSite({ name, url }, { clock });
    sites = [await start('sqlite', freshSqliteUrl), await start('mariadb', freshMariadbUrl)];
  });

  /** The answer that both give. */
  async function send(path: string, options: Parameters<TestSite['get']>[1] = {}): Promise<Got> {
    const ask = (site: TestSite) =>
      site.get(path, { as: 'all', ...options, headers: { 'x-request-id': 'the-same-for-both', ...options.headers } });
    const [one, other] = [await ask(sites[0]), await ask(sites[1])];
    const said = ({ status, text: body, headers }: Got) =>
      [status, headers.get('etag'), headers.get('location'), body].join(' ');
    expect(said(other)).toBe(said(one));
    expect(one.status).toBeLessThan(500);
    return one;
  }

  async function reset(): Promise<void> {
    now = 1_700_000_000_000;
    await Promise.all(
      sites.map((site) =>
        site.change([
          'DELETE FROM modx_site_content WHERE id > 3',
          'DELETE FROM modx_site_tmplvar_contentvalues',
          "UPDATE modx_site_content SET uri = CASE id WHEN 1 THEN 'index.html' WHEN 2 THEN 'about/' ELSE 'about/team.html' END",
        ]),
      ),
    );
    // Noticed while a page is created, they could make MariaDB undo its transaction, which has then taken a number.
    for (const { store } of sites) await noticeAll(store, { noticed: null, stop: new AbortController().signal });
  }

  it(
    'answer every write alike and keep what they promise',
    async () => {
      let highest = 3;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), async (steps) => {
          await reset();
          const pages: Pages = new Map();
          for (const [number, one] of steps.entries()) {
            now += 1000;
            highest = Math.max(highest, await take({ pages, one, number, highest }));
            await expectReads(pages);
          }
        }),
        { numRuns: runs },
      );
    },
    Math.max(600_000, runs * 10_000),
  );

  it(
    'keep records of extra objects alike, whatever is written to them',
    async () => {
      await send('/objects/makers', { method: 'POST', body: { code: 'acme', title: 'Acme' } });
      await fc.assert(
        fc.asyncProperty(fc.array(handling, { minLength: 20, maxLength: 40, size: 'max' }), async (steps) => {
          const ids = listOf(await send('/objects/goods?fields=id&limit=100')).map(({ id }) => id);
          for (const one of steps) {
            const isNew = one.do === 'POST';
            const id = ids[one.target % (ids.length + 1)] ?? 99_999;
            const title = one.do === 'PATCH' ? {} : { title: 'Good' };
            // A row that a key of the table refuses still takes a number, on MariaDB only.
            const { shelf, place, ...rest } = one.body;
            const body = isNew ? rest : { ...rest, shelf, place };
            const done = await send(isNew ? '/objects/goods' : `/objects/goods/${id}?include=maker`, {
              method: one.do,
              ...(one.do === 'DELETE' ? {} : { body: { ...title, ...body } }),
            });
            if (done.status === 201) ids.push(recordOf(done)['id']);
            if (done.status === 200 && one.do === 'DELETE') ids.splice(ids.indexOf(id), 1);
            if (done.status > 201 || one.do === 'DELETE') continue;
            const read = await send(`/objects/goods/${isNew ? recordOf(done)['id'] : id}`);
            expect(read.headers.get('etag')).toBe(done.headers.get('etag'));
          }
          await send('/objects/goods?limit=100&sort=-price&include=maker');
        }),
        { numRuns: runs },
      );
    },
    Math.max(600_000, runs * 10_000),
  );

  async function take(asked: { pages: Pages; one: Step; number: number; highest: number }): Promise<number> {
    const { pages, one, number, highest } = asked;
    const ids = [...pages.keys()];
    const id = 'target' in one ? (ids[one.target % (ids.length + 1)] ?? 99_999) : 0;
    const above = 'parent' in one ? ([0, 2, ...ids][one.parent % (ids.length + 2)] ?? 0) : 0;
    const path = `/resources/${id}`;
    switch (one.do) {
      case 'create': {
        const body = { pagetitle: `New ${number}`, ...one.body, parent: above };
        const made = await send('/resources', { method: 'POST', body });
        if (made.status !== 201) return highest;
        const record = recordOf(made);
        expect(record['id']).toBeGreaterThan(highest);
        keep(pages, record, number);
        expectGiven(record, one.body);
        return Number(record['id']);
      }
      case 'change':
      case 'move': {
        const body = one.do === 'move' ? { parent: above } : one.body;
        const method = one.do === 'change' && one.put ? 'PUT' : 'PATCH';
        const title = method === 'PUT' ? { pagetitle: `Put ${number}` } : {};
        const done = await send(path, { method, body: { ...title, ...body } });
        if (done.status === 200) {
          expectGiven(recordOf(done), body);
          keep(pages, recordOf(done), number);
        }
        return highest;
      }
      case 'delete': {
        const done = await send(path, { method: 'DELETE' });
        const page = pages.get(id);
        expect(done.status).toBe(page && page.deletion === null ? 200 : 404);
        // What was deleted before stays as it is, and so does a child that was restored alone.
        if (done.status === 200) mark(pages, id, number);
        return highest;
      }
      case 'restore': {
        const done = await send(path, { method: 'PATCH', body: { deleted: false } });
        if (done.status === 200) keep(pages, recordOf(done), number);
        return highest;
      }
      case 'purge': {
        const done = await send(`${path}?force=1`, { method: 'DELETE' });
        expect(done.status).toBe(pages.delete(id) ? 200 : 404);
        return highest;
      }
    }
  }

  /** Everything that can be read of every page is what the model says. */
  async function expectReads(pages: Pages): Promise<void> {
    const listed = await send('/resources?limit=100&preview=1&include_deleted=1&filter[id][gt]=3&sort=id');
    const english = await send('/resources?limit=100&preview=1&include_deleted=1&sort=id&context=en');
    const records = [...listOf(listed), ...listOf(english)];
    expect(records.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual([...pages.keys()].sort((a, b) => a - b));
    const uris = new Set<string>();
    for (const record of records) {
      const page = pages.get(Number(record['id']));
      const { id, deleted, parent: above } = record;
      expect([id, deleted, above]).toEqual([id, page?.deletion !== null, page?.parent]);
      if (record['deleted'] === true || !record['uri']) continue;
      const name = `${record['context_key']} ${record['uri']}`;
      expect(uris).not.toContain(name);
      uris.add(name);
    }
  }
});

function recordOf({ body }: Got): Readonly<Record<string, unknown>> {
  return { ...(body['data'] as object) };
}

function listOf({ body }: Got): readonly Readonly<Record<string, unknown>>[] {
  return body['data'] as Readonly<Record<string, unknown>>[];
}

/** The page as it was answered, with what its deletion or restoration means for those below. */
function keep(pages: Pages, record: Readonly<Record<string, unknown>>, number: number): void {
  const id = Number(record['id']);
  const before = pages.get(id)?.deletion ?? null;
  pages.set(id, { parent: Number(record['parent']), deletion: before, record });
  if (record['deleted'] === true && before === null) mark(pages, id, number);
  if (record['deleted'] === false && before !== null) {
    for (const one of [id, ...below(pages, id)]) {
      const page = pages.get(one);
      if (page && page.deletion === before) pages.set(one, { ...page, deletion: null });
    }
  }
}

function mark(pages: Pages, id: number, number: number): void {
  for (const one of [id, ...below(pages, id)]) {
    const page = pages.get(one);
    if (page && page.deletion === null) pages.set(one, { ...page, deletion: number });
  }
}

function below(pages: Pages, id: number): number[] {
  const children = [...pages].filter(([, page]) => page.parent === id).map(([child]) => child);
  return children.flatMap((child) => [child, ...below(pages, child)]);
}

/** What was given stands in the record, for the fields that are written as they are. */
function expectGiven(record: Readonly<Record<string, unknown>>, body: Readonly<Record<string, unknown>>): void {
  for (const name of ['introtext', 'content', 'description', 'menuindex', 'hidemenu', 'template', 'content_type']) {
    if (!(name in body)) continue;
    const given = body[name];
    const kept = record[name];
    if (typeof kept === 'boolean') expect(kept).toBe([true, 1, '1', 'true'].includes(given as never));
    else if (given === null) expect([null, '', 0]).toContain(kept);
    else expect(String(kept)).toBe(String(given));
  }
}
