/** What was read may be sent back: template variables of every type, on an own store and on a real site. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Param } from '../../../src/store/base/database.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { describeWithFixture, loadFixture } from '../../support/fixture.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { dataOf, key } from './writing-site.js';

const types = [
  ...['text', 'textarea', 'richtext', 'number', 'email', 'hidden', 'url', 'image', 'file', 'migx', 'an-extra'],
  ...['date', 'tag', 'autotag', 'checkbox', 'listbox-multiple', 'listbox', 'option', 'resourcelist'],
];
const defaults = ['', 'plain', ' a , b', '0', '2026-01-01', '@INHERIT blue', '@SELECT 1', '@CHUNK note'];
/** Also what an import, an older release or another type of the variable left behind. */
const kept = [...defaults, 'red', 'a||b', 'a, b', '2026-01-01 10:00:00', '05-02-2020', 'http://example.org', '[[*id]]'];

const variables = types.flatMap((type, at) =>
  // Three of the defaults each, so that every pair occurs within a few types.
  [0, 3, 6].map((step, of) => ({
    id: 1 + at * 3 + of,
    name: `${type}-${of}`,
    type,
    default_text: defaults[(at + step) % defaults.length] ?? '',
  })),
);

async function readAll(site: TestSite, ids: readonly number[]): Promise<Record<string, unknown>> {
  const list = ids.map(async (id) => [
    id,
    dataOf(await site.get(`/resources/${id}?include=tvs`, { as: 'all' }))['tvs'],
  ]);
  return Object.fromEntries(await Promise.all(list));
}

type Stored = [resource: number, variable: number, value: string];

function rowsOf(values: readonly string[], minLength: number, maxLength: number): fc.Arbitrary<Stored[]> {
  const variable = fc.constantFrom(...variables.map(({ id }) => id));
  return fc.uniqueArray(fc.tuple(fc.constantFrom(1, 2, 3), variable, fc.constantFrom(...values)), {
    ...{ selector: ([resource, tv]) => `${resource} ${tv}`, minLength, maxLength, size: 'max' },
  });
}

function patch(site: TestSite, id: number, tvs: unknown) {
  return site.get(`/resources/${id}?include=tvs`, { as: 'all', method: 'PATCH', body: { tvs } });
}

const storedSql =
  'SELECT contentid, tmplvarid, value FROM modx_site_tmplvar_contentvalues ORDER BY contentid, tmplvarid';
const stored = async (site: TestSite) => site.store.content.primary.select({ sql: storedSql, params: [] });

describeEachDatabase('template variables that are sent back as they were read', (database) => {
  let site: TestSite;
  const run = (sql: string, params: Param[] = []) => site.store.content.write((tx) => tx.run({ sql, params }));

  const store = async (values: readonly Stored[]) => {
    await run('DELETE FROM modx_site_tmplvar_contentvalues');
    const marks = values.map(() => '(?, ?, ?)').join(', ');
    const columns = '(contentid, tmplvarid, value)';
    await run(`INSERT INTO modx_site_tmplvar_contentvalues ${columns} VALUES ${marks}`, values.flat());
    await site.live.refresh();
  };

  beforeAll(async () => {
    site = await startTestSite({ databaseUrl: await database.url(), identities: { all: key('*') } });
    await site.fill({
      site_templates: [{ id: 1, templatename: 'Every type' }],
      site_tmplvars: variables,
      site_tmplvar_templates: variables.map(({ id }) => ({ tmplvarid: id, templateid: 1 })),
      site_content: [
        { id: 1, pagetitle: 'Top', alias: 'top', uri: 'top/', isfolder: 1, template: 1 },
        { id: 2, pagetitle: 'Middle', alias: 'middle', uri: 'top/middle/', parent: 1, isfolder: 1, template: 1 },
        { id: 3, pagetitle: 'Leaf', alias: 'leaf', uri: 'top/middle/leaf.html', parent: 2, template: 1 },
      ],
    });
  });

  it('change nothing, whatever is stored', async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf(kept, 40, 120), async (values) => {
        await store(values);
        const before = await readAll(site, [1, 2, 3]);
        for (const id of [1, 2, 3]) {
          const answer = await patch(site, id, before[id]);
          expect([answer.status, dataOf(answer)['tvs']]).toEqual([200, before[id]]);
        }
        expect(await readAll(site, [1, 2, 3])).toEqual(before);
        // Rows that say what would show without them are gone; all others are as they were.
        const left = new Map((await stored(site)).map(([resource, tv, value]) => [`${resource} ${tv}`, value]));
        for (const [resource, tv, value] of values) {
          const found = left.get(`${resource} ${tv}`);
          left.delete(`${resource} ${tv}`);
          if (found !== undefined) expect(found).toBe(value);
        }
        expect([...left]).toEqual([]);
      }),
      { numRuns: 6 },
    );
  });

  it('change nothing in the typed form either, whatever is stored', async () => {
    const typedKept = [
      ...kept,
      ...['007', ' 1.50 ', '1e3', 'true', '0', ' 12 ', '["a", {"b":1}]', '{ "b" : [] }', '"text"', '5', 'null'],
      ...['a|| ||b', ' x ,y,', '2026-07-01', '2026-07-01 10:00', '@EVAL x', '[1', '  '],
    ];
    const typed = '?include=tvs&tv_format=typed';
    await fc.assert(
      fc.asyncProperty(rowsOf(typedKept, 60, 150), async (values) => {
        await store(values);
        const raw = await readAll(site, [1, 2, 3]);
        for (const id of [1, 2, 3]) {
          const read = await site.get(`/resources/${id}${typed}`, { as: 'all' });
          for (const method of ['PATCH', 'PUT']) {
            const body = { pagetitle: 'Same', tvs: dataOf(read)['tvs'] };
            const answer = await site.get(`/resources/${id}${typed}`, { as: 'all', method, body });
            expect([answer.status, dataOf(answer)['tvs']]).toEqual([200, dataOf(read)['tvs']]);
            expect(Object(answer.body['meta'])['untyped']).toEqual(Object(read.body['meta'])['untyped']);
          }
        }
        expect(await readAll(site, [1, 2, 3])).toEqual(raw);
      }),
      { numRuns: 6 },
    );
  });

  it('are taken in the typed form, of every type', async () => {
    await run('DELETE FROM modx_site_tmplvar_contentvalues');
    const rows = [{ MIGX_id: 1, title: 'a', tags: ['x'], nested: { at: [1, 2.5, null, true] } }];
    const tvs = {
      ...{ 'number-1': 12.5, 'date-1': '2026-07-01T10:00:00Z', 'migx-1': rows, 'checkbox-1': ['a', 'c'] },
      ...{ 'listbox-multiple-1': ['b'], 'tag-1': ['x', 'y'], 'autotag-1': [], 'resourcelist-1': 2 },
      'text-1': 'plain text',
    };
    const query = '?include=tvs&tv_format=typed&tags=strip';
    const written = await site.get(`/resources/3${query}`, { as: 'all', method: 'PATCH', body: { tvs } });
    expect([written.status, dataOf(written)['tvs']]).toMatchObject([200, tvs]);
    expect(dataOf(await site.get(`/resources/3${query}`, { as: 'all' }))['tvs']).toMatchObject(tvs);
    expect(dataOf(await patch(site, 3, {}))['tvs']).toMatchObject({
      ...{ 'migx-1': JSON.stringify(rows), 'checkbox-1': 'a||c', 'number-1': '12.5', 'resourcelist-1': '2' },
    });
    const one = await patch(site, 3, { 'migx-1': { single: true }, 'migx-2': [] });
    expect(dataOf(one)['tvs']).toMatchObject({ 'migx-1': '{"single":true}', 'migx-2': '[]' });
    const refused = await patch(site, 3, { 'text-1': { a: 1 }, 'checkbox-1': [{ a: 1 }], 'an-extra-1': [['a']] });
    const fields = ['tvs.text-1', 'tvs.checkbox-1', 'tvs.an-extra-1'];
    expect([refused.status, Object.keys(refused.body['errors'] as object)]).toEqual([422, fields]);
  });

  it('are cleared by null, unless it is the typed form of a value without a meaning', async () => {
    await run('DELETE FROM modx_site_tmplvar_contentvalues');
    const values = async (query: string) => {
      await run("INSERT INTO modx_site_tmplvar_contentvalues (contentid, tmplvarid, value) VALUES (3, 36, 'soon')");
      const name = variables.find(({ id }) => id === 36)?.name ?? '';
      await site.get(`/resources/3${query}`, { as: 'all', method: 'PATCH', body: { tvs: { [name]: null } } });
      const left = (await stored(site)).map(([, , value]) => value);
      await run('DELETE FROM modx_site_tmplvar_contentvalues');
      return left;
    };
    expect([await values(''), await values('?tv_format=typed')]).toEqual([[''], ['soon']]);
  });

  it('are shown after a write in the form that is asked for, as a read shows them', async () => {
    await run('DELETE FROM modx_site_tmplvar_contentvalues');
    const content = '<p>[[~2]] <img src="a.png"> [[snippet]]</p>';
    const query = '?include=tvs&tv_format=typed&links=resolve&urls=absolute&tags=strip';
    const made = await site.get(`/resources${query}`, {
      ...{ as: 'all', method: 'POST' },
      body: { pagetitle: 'Made', template: 1, published: true, content, tvs: { 'number-1': 3 } },
    });
    const read = await site.get(`/resources/${String(dataOf(made)['id'])}${query}`, { as: 'all' });
    expect([made.status, dataOf(made)]).toEqual([201, dataOf(read)]);
    expect(String(dataOf(made)['content'])).not.toContain('[[');
    const plain = await site.get(`/resources/${String(dataOf(made)['id'])}`, { as: 'all' });
    // The tag stays the one of a plain read, for If-Match.
    expect(made.headers.get('etag')).toBe(plain.headers.get('etag'));
    expect(made.body['meta']).toEqual(read.body['meta']);
    const wrong = await site.get('/resources/3?tv_format=other', { as: 'all', method: 'PATCH', body: {} });
    expect(wrong.status).toBe(422);
  });

  it('hold as many levels as bodies do', async () => {
    const levels = (count: number): unknown => (count === 1 ? [] : [levels(count - 1)]);
    const query = '?include=tvs&tv_format=typed';
    for (const count of [31, 60, 62]) {
      const body = { tvs: { 'migx-1': levels(count) } };
      const { status, text } = await site.get(`/resources/3${query}`, { as: 'all', method: 'PATCH', body });
      expect([status, text.includes(`"migx-1":${JSON.stringify(levels(count))}`)]).toEqual([200, true]);
    }
  });

  it('keep a row only where it says something else than what would show without it', async () => {
    await run('DELETE FROM modx_site_tmplvar_contentvalues');
    const byDefault = (text: string, type?: string) =>
      variables.find((one) => one.default_text === text && (type === undefined || one.type === type))?.name ?? '';
    const inherits = byDefault('@INHERIT blue');
    await patch(site, 1, { [inherits]: 'red' });
    await patch(site, 3, { [inherits]: 'green' });
    expect(await stored(site)).toHaveLength(2);
    // What it would inherit, and what the default says where nothing is above.
    await patch(site, 3, { [inherits]: 'red' });
    expect((await stored(site)).map(([resource]) => resource)).toEqual([1]);
    await patch(site, 1, { [inherits]: 'blue' });
    expect(await stored(site)).toEqual([]);
    await patch(site, 2, { [byDefault('@SELECT 1')]: '@SELECT 1', [byDefault('plain')]: 'plain' });
    expect(await stored(site)).toEqual([]);
    // An explicit wish to inherit stays where the default is another.
    await patch(site, 1, { [byDefault('plain')]: 'top' });
    await patch(site, 2, { [byDefault('plain')]: '@INHERIT' });
    expect(dataOf(await patch(site, 2, { [byDefault('plain')]: 'top' }))['tvs']).toMatchObject({
      [byDefault('plain')]: 'top',
    });
    expect((await stored(site)).map(([resource, , value]) => [resource, value])).toEqual([
      [1, 'top'],
      [2, '@INHERIT'],
    ]);
  });

  it('inherit from the parent that the same change gives', async () => {
    await run('DELETE FROM modx_site_tmplvar_contentvalues');
    const name = variables.find((one) => one.default_text === '@INHERIT blue')?.name ?? '';
    await patch(site, 2, { [name]: 'red' });
    const body = { parent: 1, tvs: { [name]: 'red' } };
    await site.get('/resources/3', { as: 'all', method: 'PATCH', body });
    expect((await stored(site)).map(([resource, , value]) => [resource, value])).toEqual([
      [2, 'red'],
      [3, 'red'],
    ]);
    await site.get('/resources/3', { as: 'all', method: 'PATCH', body: { ...body, parent: 2 } });
    expect((await stored(site)).map(([resource]) => resource)).toEqual([2]);
  });

  it('are stored in the form of their type, or refused by name', async () => {
    await run('DELETE FROM modx_site_tmplvar_contentvalues');
    const lists = { 'checkbox-0': ['a', 'c'], 'an-extra-1': ['a', 'c'] };
    const made = await patch(site, 3, { 'date-0': '2026-07-01T10:00:00Z', 'tag-0': ' x, y ', ...lists });
    expect(dataOf(made)['tvs']).toMatchObject({
      ...{ 'date-0': '2026-07-01 10:00:00', 'tag-0': 'x,y', 'checkbox-0': 'a||c', 'an-extra-1': 'a||c' },
    });
    const refused = await patch(site, 3, { 'date-0': 'soon', 'text-0': ['x'], 'number-0': 5 });
    const fields = ['tvs.date-0', 'tvs.text-0'];
    expect([refused.status, Object.keys(refused.body['errors'] as object)]).toEqual([422, fields]);
  });
});

describeWithFixture('template variables of a real site that are sent back as they were read', () => {
  it('change nothing', async () => {
    const site = await startTestSite({
      databaseUrl: await loadFixture(),
      ownDatabaseUrl: await freshSqliteUrl(),
      identities: { all: key('*') },
    });
    const rows = await stored(site);
    const ids = [...new Set(rows.map(([resource]) => Number(resource)))];
    const other = [1, 4, 7, 10, 25].filter((id) => !ids.includes(id));
    const before = await readAll(site, [...ids, ...other]);
    for (const id of [...ids, ...other]) {
      const answer = await patch(site, id, before[id]);
      expect([answer.status, dataOf(answer)['tvs']]).toEqual([200, before[id]]);
    }
    expect(await readAll(site, [...ids, ...other])).toEqual(before);
    expect(await stored(site)).toEqual(rows);
    expect(rows).toHaveLength(31);
  });
});
