/** Creating resources: defaults, consequences and refusals, the same on both stores. */
import { beforeAll, describe, expect, it } from 'vitest';
import { announcedFields } from '../../../src/content/live/mutation.js';
import { describeEachDatabase } from '../../support/databases.js';
import { newRow, openResourceSite, problemsOf, type ResourceSite, type Values } from './resource-site.js';

const document = 'MODX\\Revolution\\modDocument';

describeEachDatabase('createResource', (database) => {
  let site: ResourceSite;
  beforeAll(async () => {
    site = await openResourceSite({ databaseUrl: await database.url() });
    // The first resource is the start page: it has further rules.
    await site.create({ pagetitle: 'Home', alias: 'index' });
    await site.execute(
      "INSERT INTO modx_site_templates (id, templatename, content) VALUES (3, 'Article', '')",
      "INSERT INTO modx_context (`key`, name) VALUES ('shop', 'Shop')",
    );
    await site.set({ gateway_allowed_contexts: 'web,mgr,shop' });
  });

  it('publishes the first resource because it is the start page', async () => {
    expect(await site.row(1, ['published', 'publishedon', 'uri'])).toEqual({
      published: 1,
      publishedon: site.now,
      uri: 'index.html',
    });
  });

  it('makes aliases of ASCII letters in a new store, and keeps letters where the setting says so', async () => {
    const { key } = await site.create({ pagetitle: 'Größe – Привет “Ωmega”' });
    const alias = 'grosse-privet-omega';
    expect(await site.row(Number(key), ['alias', 'uri'])).toEqual({ alias, uri: `${alias}.html` });
    await site.set({ friendly_alias_translit: 'none' }, 'shop');
    const other = await site.create({ pagetitle: 'Größe', context_key: 'shop' });
    expect(await site.row(Number(other.key), ['alias'])).toEqual({ alias: 'größe' });
    await site.execute(`DELETE FROM modx_site_content WHERE id IN (${key}, ${other.key})`);
  });

  it('writes the defaults of the CMS for what is not given', async () => {
    const { key } = await site.create({ pagetitle: ' A new page ' });
    const given = {
      id: key,
      pagetitle: 'A new page',
      alias: 'a-new-page',
      createdon: site.now,
      uri: 'a-new-page.html',
    };
    expect(await site.row(Number(key))).toEqual({ ...newRow, ...given, class_key: document, menuindex: 1 });
  });

  const outcomes: readonly (readonly [name: string, given: Values, stored: Values])[] = [
    ['a cleaned alias', { alias: ' Über & <b>uns</b>! ' }, { alias: 'uber-and-uns!', uri: 'uber-and-uns!.html' }],
    ['the type of a link', { class_key: 'MODX\\Revolution\\modWebLink' }, { type: 'reference' }],
    ['the namespaced name of a class', { class_key: 'modSymLink' }, { class_key: 'MODX\\Revolution\\modSymLink' }],
    ['a frozen URI as it is', { uri: 'Some Where/else', uri_override: true }, { uri: 'Some Where/else' }],
    ['no URI that is not frozen', { alias: 'mine', uri: 'yours' }, { uri: 'mine.html' }],
    ['the suffix of a container', { alias: 'box', isfolder: true }, { uri: 'box/' }],
    ['the extension of another type', { alias: 'feed', content_type: 2 }, { uri: 'feed.xml' }],
    ['a publication with its time', { published: true }, { published: 1, publishedon: 1_800_000_000 }],
    ['a given time of publication', { published: true, publishedon: 5 }, { published: 1, publishedon: 5 }],
    ['a planned publication', { published: true, pub_date: 1_900_000_000 }, { published: 0, pub_date: 1_900_000_000 }],
    ['a publication that is due', { pub_date: 1_700_000_000 }, { published: 1, pub_date: 1_700_000_000 }],
    ['a withdrawal that is due', { published: true, unpub_date: 1_700_000_000 }, { published: 0 }],
    ['a given place', { menuindex: 0 }, { menuindex: 0 }],
    ['an id of a template', { template: 3 }, { template: 3 }],
    [
      'a deletion at once',
      { deleted: true, alias: 'gone' },
      { deleted: 1, deletedon: 1_800_000_000, uri: 'gone.html' },
    ],
    ['a URI that only a deleted one has', { alias: 'gone' }, { uri: 'gone.html' }],
    ['a given context', { context_key: 'shop', alias: 'index' }, { context_key: 'shop', uri: 'index.html' }],
    ['null where it is a value', { alias: null, pub_date: null, introtext: null }, { introtext: null, pub_date: 0 }],
  ];
  let counter = 0;
  it.each(outcomes)('stores %s', async (_name, given, stored) => {
    counter += 1;
    const { key } = await site.create({ pagetitle: `Case ${counter}`, ...given });
    expect(await site.row(Number(key), Object.keys(stored))).toEqual(stored);
  });

  const refusals: readonly (readonly [name: string, given: Values, problems: unknown])[] = [
    ['no title', { pagetitle: '  ' }, { pagetitle: ['must not be empty'] }],
    [
      'a taken alias',
      { alias: 'index' },
      {
        alias: [expect.stringMatching(/is taken by resource \d+ of the context web; give another alias$/)],
        uri: [expect.stringMatching(/^the URI "index.html" is taken by resource \d+ of the context web$/)],
      },
    ],
    [
      'a taken frozen URI',
      { uri: 'index.html', uri_override: true },
      { uri: [expect.stringMatching(/^the URI "index.html" is taken by resource \d+ of the context web$/)] },
    ],
    [
      'no alias at all',
      { pagetitle: '???', alias: '[[*id]]' },
      {
        alias: [
          'must have characters that an alias may have: neither it nor the page title has characters that an alias may have',
        ],
      },
    ],
    ['an unknown parent', { parent: 99_999 }, { parent: ['must be the id of a resource that is not deleted, or 0'] }],
    ['an unknown template', { template: 99 }, { template: ['no template has this id; 0 stands for none'] }],
    [
      'an unknown content type',
      { content_type: 99 },
      { content_type: ['must be the id of a content type: 1, 2, 3, 4, 5, 6, 7, 8'] },
    ],
    ['an unknown context', { context_key: 'nowhere' }, { context_key: ['must be one of: mgr, shop, web'] }],
    [
      'an unknown class',
      { class_key: 'modUser' },
      {
        class_key: [
          `must be a resource class: ${['modDocument', 'modWebLink', 'modSymLink', 'modStaticResource', 'modResource'].map((name) => `MODX\\Revolution\\${name}`).join(', ')}`,
        ],
      },
    ],
    [
      'a parent of another context',
      { context_key: 'shop', parent: 1 },
      { parent: ['must be a resource of the context shop'] },
    ],
    [
      'texts that are too long, all at once',
      { pagetitle: 'x'.repeat(192), type: 'x'.repeat(21), description: 'ä'.repeat(32_768), alias: 'y'.repeat(192) },
      {
        pagetitle: ['must be at most 191 characters'],
        type: ['must be at most 20 characters'],
        description: ['must be at most 65535 bytes of UTF-8'],
        alias: ['must be at most 191 characters'],
      },
    ],
    [
      'half a character',
      { longtitle: 'a\ud83d' },
      { longtitle: ['must not contain a NUL character or half of a surrogate pair'] },
    ],
    ['U+0000', { content: 'a\0b' }, { content: ['must not contain a NUL character or half of a surrogate pair'] }],
    [
      'numbers that no column holds',
      { menuindex: 2_147_483_648, parent: -1, content_dispo: 200 },
      {
        menuindex: ['must be an integer from -2147483648 to 2147483647'],
        parent: ['must be an integer from 0 to 2147483647'],
        content_dispo: ['must be an integer from 0 to 1'],
      },
    ],
    [
      'a time after 2038',
      { pub_date: 2_147_483_648 },
      { pub_date: [expect.stringMatching(/not after 2038-01-19T03:14:07Z/)] },
    ],
  ];
  it.each(refusals)('refuses %s and writes nothing', async (_name, given, problems) => {
    const count = () => site.select('SELECT COUNT(*) FROM modx_site_content');
    const before = await count();
    expect(await problemsOf(site.create({ pagetitle: 'Refused', ...given }))).toEqual(problems);
    expect(await count()).toEqual(before);
  });

  it('stores 191 characters beyond U+FFFF', async () => {
    const pagetitle = '🛠'.repeat(191);
    const { key } = await site.create({ pagetitle, alias: 'tools' });
    expect(await site.row(Number(key), ['pagetitle'])).toEqual({ pagetitle });
  });

  it('puts a child into its parent, which becomes a container with another URI', async () => {
    const parent = await site.create({ pagetitle: 'Guides', alias: 'guides' });
    const child = await site.create({ pagetitle: 'First', parent: Number(parent.key) });
    const second = await site.create({ pagetitle: 'Second', parent: Number(parent.key) });
    expect(await site.row(Number(parent.key), ['isfolder', 'uri'])).toEqual({ isfolder: 1, uri: 'guides/' });
    expect(await site.row(Number(child.key), ['uri', 'menuindex'])).toEqual({ uri: 'guides/first.html', menuindex: 0 });
    expect(await site.row(Number(second.key), ['uri', 'menuindex'])).toEqual({
      uri: 'guides/second.html',
      menuindex: 1,
    });
    expect(child.rows.map(({ key, before, after }) => [key, before?.['uri'], after?.['uri']])).toEqual([
      [child.key, undefined, 'guides/first.html'],
      [parent.key, 'guides.html', 'guides/'],
    ]);
    expect(second.rows.map(({ key }) => key)).toEqual([second.key]);
  });

  it('refuses a child whose parent would get a taken URI as a container', async () => {
    const parent = await site.create({ pagetitle: 'Box', alias: 'crate' });
    await site.create({ pagetitle: 'Holds the other form', uri: 'crate/', uri_override: true });
    expect(await problemsOf(site.create({ pagetitle: 'In the crate', parent: Number(parent.key) }))).toEqual({
      parent: [`resource ${parent.key} would get the URI "crate/", which another resource of the context web has`],
    });
  });

  it('goes to the context of the request, else to that of its parent', async () => {
    const home = await site.create({ pagetitle: 'Shop' }, { context: 'shop' });
    const inside = await site.create({ pagetitle: 'Inside', parent: Number(home.key) });
    expect(home.context).toBe('shop');
    expect(inside.context).toBe('shop');
    expect(await problemsOf(site.create({ pagetitle: 'No', parent: Number(home.key) }, { context: 'web' }))).toEqual({
      parent: ['must be a resource of the context web'],
    });
  });

  it('announces the fields that queries use', async () => {
    const mutation = await site.create({ pagetitle: 'Told', content: 'long', published: true });
    const [row] = mutation.rows;
    expect({ ...mutation, rows: [] }).toEqual({
      object: 'resources',
      action: 'created',
      key: mutation.key,
      context: 'web',
      uri: 'told.html',
      parent: 0,
      rows: [],
    });
    expect(row).toMatchObject({ object: 'resources', key: mutation.key, before: null });
    expect(row?.after).toMatchObject({
      id: mutation.key,
      pagetitle: 'Told',
      published: true,
      publishedon: site.now,
      editedon: null,
      uri: 'told.html',
    });
    expect(Object.keys(row?.after ?? {}).sort()).toEqual(
      [...announcedFields(site.writer.registry.resources, site.writer.registry)].sort(),
    );
  });

  it('never gives out the id of a removed row again', async () => {
    const last = await site.create({ pagetitle: 'Last' });
    await site.remove(Number(last.key), { force: true });
    const next = await site.create({ pagetitle: 'Next' });
    expect(Number(next.key)).toBeGreaterThan(Number(last.key));
  });

  it('lets exactly one of twenty at once have an alias', async () => {
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => site.create({ pagetitle: `Racer ${at}`, alias: 'finish' })),
    );
    const refused = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused.map((reason) => reason.code)).toEqual(Array.from({ length: 19 }, () => 'validation_failed'));
    expect(await site.select("SELECT COUNT(*) FROM modx_site_content WHERE uri = 'finish.html'")).toEqual([[1]]);
  });
});

describeEachDatabase('createResource by the settings of a context', (database) => {
  let site: ResourceSite;
  beforeAll(async () => {
    site = await openResourceSite({ databaseUrl: await database.url() });
    await site.create({ pagetitle: 'Home' });
    await site.execute(
      "INSERT INTO modx_context (`key`) VALUES ('a'), ('b')",
      "INSERT INTO modx_site_templates (id, templatename, content) VALUES (4, 'Four', '')",
    );
    await site.set({ gateway_allowed_contexts: 'web,a,b' });
  });

  it('takes every default from there', async () => {
    await site.set(
      {
        default_template: '4',
        default_content_type: '2',
        publish_default: '1',
        hidemenu_default: '1',
        richtext_default: '0',
        cache_default: '',
        search_default: '0',
        auto_menuindex: '0',
        container_suffix: '',
      },
      'a',
    );
    const { key } = await site.create({ pagetitle: 'By default' }, { context: 'a' });
    expect(
      await site.row(Number(key), [
        'template',
        'content_type',
        'published',
        'hidemenu',
        'richtext',
        'cacheable',
        'searchable',
      ]),
    ).toEqual({ template: 4, content_type: 2, published: 1, hidemenu: 1, richtext: 0, cacheable: 0, searchable: 0 });
  });

  it('takes no template where the default one is gone', async () => {
    await site.set({ default_template: '77' }, 'b');
    const { key } = await site.create({ pagetitle: 'Without' }, { context: 'b' });
    expect(await site.row(Number(key), ['template'])).toEqual({ template: 0 });
  });

  it('leaves URIs alone without friendly URLs and drops an automatic alias that is taken', async () => {
    await site.set({ friendly_urls: '0' }, 'b');
    const first = await site.create({ pagetitle: 'Plain', alias: 'plain' }, { context: 'b' });
    expect(await site.row(Number(first.key), ['alias', 'uri'])).toEqual({ alias: 'plain', uri: null });
    await site.create({ pagetitle: 'Kept', uri: 'taken.html' }, { context: 'b' });
    const taken = await site.create({ pagetitle: 'Taken' }, { context: 'b' });
    expect(await site.row(Number(taken.key), ['alias', 'uri'])).toEqual({ alias: '', uri: null });
  });

  it('looks for a taken URI in all contexts when the setting says so', async () => {
    await site.create({ pagetitle: 'Everywhere' }, { context: 'web' });
    await site.create({ pagetitle: 'Everywhere' }, { context: 'a' });
    await site.set({ global_duplicate_uri_check: '1', default_content_type: '1' }, 'a');
    const { key } = await site.create({ pagetitle: 'Only here' }, { context: 'web' });
    expect(await problemsOf(site.create({ pagetitle: 'Only here' }, { context: 'a' }))).toMatchObject({
      alias: [`the URI "only-here.html" is taken by resource ${key} of the context web; give another alias`],
    });
  });
});

describe('createResource with own tables in another database', () => {
  it('still lets only one have an alias', async () => {
    // SQLite has one writer; MariaDB takes the locks of the content tables here.
    const { freshMariadbUrl, freshSqliteUrl, isMariadbAvailable } = await import('../../support/databases.js');
    const databaseUrl = isMariadbAvailable() ? await freshMariadbUrl() : await freshSqliteUrl();
    const site = await openResourceSite({ databaseUrl, ownDatabaseUrl: await freshSqliteUrl() });
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, () => site.create({ pagetitle: 'Racer', alias: 'finish' })),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
