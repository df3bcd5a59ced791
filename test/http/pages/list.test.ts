/** GET /pages and GET /catalog/sections: who is in the list, order, parts, search, and the change feed's refusals. */
import { expect, it, test } from 'vitest';
import { describeEachDatabase, describeWithMariadb, freshMariadbUrl, freshSqliteUrl } from '../../support/databases.js';
import { execute } from '../../support/execute.js';
import { hero, type PublishedSite, startPublishedSite } from './published-site.js';

interface Item {
  readonly resourceId: number;
  readonly withdrawn?: boolean;
}

const ids = (object: Record<string, unknown>) => (object.items as Item[]).map(({ resourceId }) => resourceId);

describeEachDatabase('the list of pages', (database) => {
  const open = async (): Promise<PublishedSite> => startPublishedSite({ databaseUrl: await database.url() });

  it('has the published pages of a context by id, without documents, and the revision of the site', async () => {
    const site = await open();
    expect(await site.get('/pages')).toEqual({ items: [], total: 0, revision: 0 });
    await site.resources(
      { id: 3, pagetitle: 'Three', alias: 'three', uri: 'three.html' },
      { id: 1, pagetitle: 'One' },
      { id: 2, pagetitle: 'Never published' },
      { id: 4, pagetitle: 'Not a published resource', published: 0 },
      { id: 5, pagetitle: 'Deleted', deleted: 1 },
      { id: 6, pagetitle: 'Elsewhere', context_key: 'nowhere' },
    );
    for (const id of [3, 1, 4, 5, 6]) await site.publish(id);
    await site.publish(3);
    const list = await site.get('/pages');
    expect(list).toEqual({
      items: [
        {
          ...{ resourceId: 1, publishedRevision: 1, publishedAt: expect.any(String) },
          resource: { id: 1, pagetitle: 'One', alias: '', uri: '', context: 'web', template: 0 },
        },
        {
          ...{ resourceId: 3, publishedRevision: 2, publishedAt: expect.any(String) },
          resource: { id: 3, pagetitle: 'Three', alias: 'three', uri: 'three.html', context: 'web', template: 0 },
        },
      ],
      total: 2,
      revision: expect.any(Number),
    });
    expect(await site.get('/pages&context=nowhere')).toMatchObject({ items: [], total: 0 });
    await site.withdraw(1);
    const after = await site.get('/pages');
    expect([ids(after), (after.revision as number) > (list.revision as number)]).toEqual([[3], true]);
  });

  it('comes in parts that together are the whole', async () => {
    const site = await open();
    const numbers = Array.from({ length: 45 }, (_none, at) => at + 1);
    await site.resources(...numbers.map((id) => ({ id, pagetitle: `Page ${id}` })));
    for (const id of numbers) await site.publish(id, []);
    expect(ids(await site.get('/pages'))).toEqual(numbers.slice(0, 20));
    const all: number[] = [];
    for (let offset = 0; offset < 60; offset += 7) {
      const part = await site.get(`/pages&limit=7&offset=${offset}`);
      expect(part.total).toBe(45);
      all.push(...ids(part));
    }
    expect(all).toEqual(numbers);
    expect(ids(await site.get('/pages&limit=100'))).toEqual(numbers);
    expect(await site.get('/pages&offset=4294967295')).toMatchObject({ items: [], total: 45 });
  });

  it('searches title and alias without case and literally, and the id', async () => {
    const site = await open();
    await site.resources(
      { id: 10, pagetitle: 'A 100% wool', alias: 'wool' },
      { id: 11, pagetitle: 'ÄPFEL und Birnen', alias: 'fruit' },
      { id: 12, pagetitle: 'Nothing', alias: 'under_score' },
      { id: 13, pagetitle: 'Ten: 10', alias: 'backslash\\x' },
      { id: 14, pagetitle: "O'Neil! [x]", alias: 'x' },
      { id: 100, pagetitle: 'Hundred', alias: 'h' },
    );
    for (const id of [10, 11, 12, 13, 14, 100]) await site.publish(id, []);
    const found = async (q: string) =>
      ids(await site.get(`/pages&q=${encodeURIComponent(encodeURIComponent(q)).replaceAll('%25', '%')}`));
    for (const [q, expected] of [
      ['WOOL', [10]],
      ['0%', [10]],
      ['%', [10]],
      ['_', [12]],
      ['äpfel', [11]],
      ['apfel', []],
      ['10', [10, 13]],
      ["o'neil!", [14]],
      ['\\', [13]],
      ['!', [14]],
      ['[x]', [14]],
      ['zzz', []],
      ['  ', [10, 11, 12, 13, 14, 100]],
    ] as const)
      expect(await found(q), q).toEqual(expected);
    expect(await site.get('/pages&q=10&limit=1&offset=1')).toMatchObject({ total: 2 });
  });

  it('shows an unannounced change within a second, and one of the gateway at once', async () => {
    const site = await open();
    await site.resources({ id: 1 }, { id: 2 });
    await site.publish(1);
    await site.publish(2);
    const before = await site.get('/pages');
    await site.change('UPDATE modx_site_content SET published = 0 WHERE id = 1');
    const feed = await site.get(`/pages&changed_since=${before.revision}`);
    expect(ids(await site.get('/pages'))).toEqual([2]);
    const items = [{ resourceId: 1, publishedRevision: 1, withdrawn: true }];
    expect(feed).toEqual({ items, total: 1, revision: (before.revision as number) + 1, more: false });
    await execute(site.site.store.content, 'UPDATE modx_site_content SET published = 1 WHERE id = 1');
    site.site.live.changes.apply({ generation: 1000, rows: null });
    expect(await site.get(`/pages&changed_since=${feed.revision}`)).toMatchObject({
      items: [{ resourceId: 1, publishedRevision: 1, resource: { id: 1 } }],
      more: false,
    });
  });

  it('gives the catalogue of section types, without what catalogues hide', async () => {
    const site = await open();
    const catalog = await site.get('/catalog/sections');
    const items = catalog.items as { key: string; fields: Record<string, unknown>[] }[];
    const first6 = ['hero', 'richtext', 'image', 'gallery', 'video', 'faq'];
    const last6 = ['cards', 'stats', 'testimonials', 'cta', 'contact', 'spacer'];
    expect([items.map(({ key }) => key), catalog.total]).toEqual([[...first6, ...last6], 12]);
    const [first] = items;
    expect(Object.keys(first ?? {})).toEqual([
      'key',
      'version',
      'label',
      'category',
      'categories',
      'fields',
      'thumbnail',
    ]);
    expect(first?.fields[0]).toEqual({
      name: 'title',
      type: 'text',
      label: 'Title',
      required: true,
      active: true,
      responsive: false,
      description: '',
      options: [],
      fields: [],
    });
    const own = { version: 1, label: 'L', category: 'content', fields: [], template: 'x' };
    const rows = [
      ['_secret', JSON.stringify({ ...own, key: '_secret' })],
      ['draft', JSON.stringify({ ...own, key: 'draft', category: 'dev' })],
      ['mine', JSON.stringify({ ...own, key: 'mine' })],
      ['spacer', null],
    ] as const;
    await site.site.store.own.write(async (tx) => {
      for (const [key, definition] of rows) {
        const sql = 'INSERT INTO hcd_section_types (`key`, definition, changed_on, changed_by) VALUES (?, ?, 1, ?)';
        await tx.run({ sql, params: [key, definition, 'test'] });
      }
      await tx.run({
        sql: "INSERT INTO hcd_state (`key`, value, updated_at) VALUES ('section_types_generation', '1', 1)",
        params: [],
      });
    });
    await site.clock.advance(1000);
    const { items: now } = (await site.get('/catalog/sections')) as { items: { key: string }[] };
    expect(now.map(({ key }) => key).slice(-2)).toEqual(['contact', 'mine']);
    expect(JSON.stringify(now)).not.toContain('template');
  });
});

test.each<[message: string, ...queries: string[]]>([
  [
    'limit must be a whole number from 1 to 100',
    ...['limit=0', 'limit=101', 'limit=', 'limit=ten', 'limit=1.5', 'limit=%2B5', 'limit=05'],
  ],
  ['limit is given more than once; give it once', 'limit=5&limit=6'],
  ['offset must be a whole number from 0 to 4294967295', 'offset=-1', 'offset=4294967296'],
  ['context must be a context key of letters, digits, hyphens, dots and underscores', 'context=../etc'],
  ['q must have at most 200 characters', `q=${'x'.repeat(201)}`],
  ['q is given more than once; give it once', 'q=a&q=b'],
  [
    'changed_since must be a whole number from 0 to 9007199254740991',
    ...['changed_since=', 'changed_since=-1', 'changed_since=9007199254740992'],
  ],
  ['offset cannot be given together with changed_since', 'changed_since=0&offset=0'],
  ['q cannot be given together with changed_since', 'changed_since=0&q=x'],
])('a list is 400 where %s', async (message, ...queries) => {
  const site = await startPublishedSite({ databaseUrl: await freshSqliteUrl() });
  for (const query of queries) {
    const answer = await site.ask(`/pages&${query}`);
    expect([answer.status, answer.json()], query).toEqual([400, { success: false, message, object: {} }]);
  }
});

describeWithMariadb('own tables in a database of their own', () => {
  it.each<[name: string, content: () => Promise<string>, own: () => Promise<string>]>([
    ['content in MariaDB, own tables in SQLite', freshMariadbUrl, freshSqliteUrl],
    ['content in SQLite, own tables in MariaDB', freshSqliteUrl, freshMariadbUrl],
    ['two files', freshSqliteUrl, freshSqliteUrl],
  ])('%s: list, feed and page are the same', async (_name, content, own) => {
    const site = await startPublishedSite({ databaseUrl: await content(), ownDatabaseUrl: await own() });
    await site.resources(
      { id: 1, pagetitle: 'One', alias: 'same' },
      { id: 2, pagetitle: 'Two', alias: 'same' },
      { id: 3, pagetitle: 'Three', published: 0 },
      { id: 4, pagetitle: 'Four', alias: 'four' },
    );
    for (const id of [2, 3, 4]) await site.publish(id, [hero(`Page ${id}`)]);
    const list = await site.get('/pages&limit=1&offset=1');
    expect([ids(await site.get('/pages')), ids(list), list.total]).toEqual([[2, 4], [4], 2]);
    expect(ids(await site.get('/pages&q=FOUR'))).toEqual([4]);
    expect((await site.get('/pages/same&include=values')).values).toMatchObject({ plainText: 'Page 2' });
    expect((await site.get('/pages/4')).resourceId).toBe(4);
    expect((await site.ask('/pages/1')).text).toContain('Page has no published content.');
    expect((await site.ask('/pages/3')).text).toContain('Resource not found.');
    expect(ids(await site.get('/pages&changed_since=0'))).toEqual([2, 4]);
    await site.change('UPDATE modx_site_content SET deleted = 1 WHERE id = 2');
    expect(await site.get(`/pages&changed_since=${list.revision}`)).toMatchObject({
      items: [{ resourceId: 2, publishedRevision: 1, withdrawn: true }],
    });
    expect((await site.ask('/pages/same')).text).toContain('Page has no published content.');
  });
});
