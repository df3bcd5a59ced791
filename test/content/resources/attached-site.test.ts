/** The same mutations on the database of a real site: MyISAM tables, three-byte text, classes of extras. */
import { beforeAll, expect, it } from 'vitest';
import { executeOnMariadb } from '../../support/databases.js';
import { describeWithFixture, loadFixture } from '../../support/fixture.js';
import { newRow, openResourceSite, problemsOf, type ResourceSite } from './resource-site.js';

describeWithFixture('resources of an attached site', () => {
  let site: ResourceSite;
  const everything = () => site.select('SELECT * FROM modx_site_content ORDER BY id');
  const dependents = () =>
    Promise.all([
      site.select('SELECT * FROM modx_site_tmplvar_contentvalues ORDER BY id'),
      site.select('SELECT * FROM modx_document_groups ORDER BY id'),
    ]);

  beforeAll(async () => {
    const databaseUrl = await loadFixture();
    await executeOnMariadb(databaseUrl, [
      // What older releases have, and what an extra may have added.
      "ALTER TABLE modx_site_content ADD contentType varchar(50) NOT NULL DEFAULT 'text/html', ADD donthit tinyint(1) unsigned NOT NULL DEFAULT 0, ADD extra_rank int NOT NULL, ADD extra_note text NOT NULL",
      "ALTER TABLE modx_site_content MODIFY menutitle varchar(20) NOT NULL DEFAULT ''",
    ]);
    site = await openResourceSite({ databaseUrl });
  });

  it('creates a resource with every column that the CMS writes', async () => {
    const { key } = await site.create(
      { pagetitle: 'Новая страница', parent: 37, template: 3, content: '<p>ü</p>', published: true },
      { tvs: { textPageSubtitle: 'Подзаголовок', fileList: '' } },
    );
    expect(key).toBe(538);
    expect(await site.row(538)).toEqual({
      ...{ ...newRow, id: 538, pagetitle: 'Новая страница', alias: 'новая-страница', published: 1, parent: 37 },
      ...{
        content: '<p>ü</p>',
        template: 3,
        menuindex: expect.any(Number),
        createdon: site.now,
        publishedon: site.now,
      },
      ...{ class_key: 'MODX\\Revolution\\modDocument', uri: 'modulnaya-apparatura/новая-страница.html' },
      ...{ contentType: 'text/html', donthit: 0, extra_rank: 0, extra_note: '' },
    });
    const siblings = await site.select('SELECT menuindex FROM modx_site_content WHERE parent = 37 AND id < 538');
    const row = await site.row(538, ['menuindex']);
    expect(row?.['menuindex']).toBe(Math.max(...siblings.map(([index]) => Number(index))) + 1);
    expect(
      await site.select('SELECT tmplvarid, value FROM modx_site_tmplvar_contentvalues WHERE contentid = 538'),
    ).toEqual([[1, 'Подзаголовок']]);
  });

  it('takes the classes of extras that the site uses, and no others', async () => {
    const { key } = await site.create({ pagetitle: 'Товар', class_key: 'msProduct', parent: 5 });
    expect(await site.row(Number(key), ['class_key'])).toEqual({ class_key: 'msProduct' });
    expect(await problemsOf(site.create({ pagetitle: 'x', class_key: 'msproduct' }))).toMatchObject({
      class_key: [expect.stringMatching(/^must be a resource class: /)],
    });
  });

  it('refuses what its columns cannot hold, and leaves every table as it was', async () => {
    const before = [await everything(), ...(await dependents())];
    const emoji = [`must not have characters beyond U+FFFF (such as emoji): the database keeps it as utf8mb3`];
    expect(
      await problemsOf(
        site.create({ pagetitle: '🛠', alias: 'tools', menutitle: 'x'.repeat(21), longtitle: 'y'.repeat(192) }),
      ),
    ).toEqual({
      pagetitle: emoji,
      menutitle: ['must be at most 20 characters'],
      longtitle: ['must be at most 191 characters'],
    });
    expect(await problemsOf(site.create({ pagetitle: 'x', template: 3 }, { tvs: { fileList: '🛠' } }))).toEqual({
      'tvs.fileList': emoji,
    });
    expect(await problemsOf(site.update(18, { class_key: 'x🛠', uri: '🛠', uri_override: true }))).toMatchObject({
      uri: emoji,
    });
    expect([await everything(), ...(await dependents())]).toEqual(before);
  });

  it('renames a branch of hundreds and back, and everything is as before', async () => {
    const before = await everything();
    const columns = [...(site.store.tables.get('modx_site_content')?.columns.keys() ?? [])];
    const there = await site.update(37, { alias: 'appareils' });
    expect(there.rows.length).toBeGreaterThan(100);
    const uris = await site.select("SELECT COUNT(*) FROM modx_site_content WHERE uri LIKE 'appareils/%'");
    expect(uris).toEqual([[there.rows.length]]);
    await site.update(37, { alias: 'modulnaya-apparatura' });
    const now = (await everything()).map((row) =>
      row[0] === 37 ? row.map((value, at) => (/^edited/.test(columns[at] ?? '') ? null : value)) : row,
    );
    const then = before.map((row) =>
      row[0] === 37 ? row.map((value, at) => (/^edited/.test(columns[at] ?? '') ? null : value)) : row,
    );
    expect(now).toEqual(then);
  });

  it('deletes and restores that branch, and everything is as before', async () => {
    const before = await everything();
    const gone = await site.remove(37);
    expect(await site.select(`SELECT COUNT(*) FROM modx_site_content WHERE deletedon = ${site.now}`)).toEqual([
      [gone.rows.length],
    ]);
    await site.update(37, { deleted: false, published: true });
    const after = await everything();
    expect(after.filter((row) => row[0] !== 37)).toEqual(before.filter((row) => row[0] !== 37));
  });

  it('moves a page and removes it with its values and groups', async () => {
    await site.execute('INSERT INTO modx_document_groups (document_group, document) VALUES (2, 538)');
    // The aliases of the top pages of this site are not in the paths below them.
    await site.update(538, { parent: 3, menutitle: 'Перенос' });
    expect(await site.row(538, ['uri', 'menutitle'])).toEqual({
      uri: 'новая-страница.html',
      menutitle: 'Перенос',
    });
    expect(await site.row(3, ['isfolder', 'uri'])).toEqual({ isfolder: 1, uri: 'podderzhka/' });
    const [values, groups] = await dependents();
    await site.remove(538, { force: true });
    expect(await site.row(538)).toBeUndefined();
    expect(await dependents()).toEqual([
      values.filter((row) => row[2] !== 538),
      groups.filter((row) => row[2] !== 538),
    ]);
  });

  it('keeps the start page, and hides what a key without a user may not load', async () => {
    await expect(site.remove(1)).rejects.toMatchObject({ code: 'conflict' });
    const as = (on: ResourceSite) => on.caller({});
    await expect(site.update(12, { pagetitle: 'x' }, { as })).rejects.toMatchObject({ code: 'not_found' });
    await site.update(13, { longtitle: 'Доступно' }, { as });
    expect(await site.row(13, ['longtitle'])).toEqual({ longtitle: 'Доступно' });
  });

  it('lets exactly one of twenty at once have an alias', async () => {
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => site.create({ pagetitle: `Racer ${at}`, alias: 'finish' })),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await site.select("SELECT COUNT(*) FROM modx_site_content WHERE uri = 'finish.html'")).toEqual([[1]]);
  });
});
