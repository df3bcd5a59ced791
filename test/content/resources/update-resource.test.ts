/** Changing resources: what follows from each change, and what is refused, the same on both stores. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { openResourceSite, problemsOf, type ResourceSite, type Values } from './resource-site.js';

const now = 1_800_000_000;

describeEachDatabase('updateResource', (database) => {
  let site: ResourceSite;
  let counter = 0;
  /** Creates a resource with a unique name and gives its id. */
  const make = async (values: Values = {}): Promise<number> => {
    counter += 1;
    return Number((await site.create({ pagetitle: `Page ${counter}`, alias: `p${counter}`, ...values })).key);
  };
  const uri = async (id: number) => (await site.row(id, ['uri']))?.['uri'];

  beforeAll(async () => {
    site = await openResourceSite({ databaseUrl: await database.url() });
    await site.create({ pagetitle: 'Home', alias: 'index' });
    await site.execute("INSERT INTO modx_context (`key`) VALUES ('shop')");
    await site.set({ gateway_allowed_contexts: 'web,mgr,shop' });
  });
  beforeEach(() => {
    site.now = now;
  });

  it('writes what is given, the time and the editor, and nothing else', async () => {
    const id = await make({ content: 'old', longtitle: 'kept' });
    const before = await site.row(id);
    site.now = now + 60;
    await site.update(id, { pagetitle: ' New ', content: 'new', hidemenu: true });
    expect(await site.row(id)).toEqual({
      ...before,
      pagetitle: 'New',
      content: 'new',
      hidemenu: 1,
      editedon: now + 60,
      editedby: 0,
    });
  });

  it('leaves the address as it is, whatever it is, where nothing that makes it changes', async () => {
    const parent = await make();
    const id = await make({ parent });
    await site.execute(`UPDATE modx_site_content SET uri = 'moved/by-hand' WHERE id = ${id}`);
    await site.update(id, { introtext: 'new', alias: `p${counter}`, parent, isfolder: false, alias_visible: true });
    expect(await uri(id)).toBe('moved/by-hand');
    await site.update(id, { alias_visible: false });
    expect(await uri(id)).toBe(`p${counter - 1}/p${counter}.html`);
  });

  it('computes an address that is missing with any change', async () => {
    const id = await make();
    await site.execute(`UPDATE modx_site_content SET uri = '' WHERE id = ${id}`);
    await site.update(id, { introtext: 'new' });
    expect(await uri(id)).toBe(`p${counter}.html`);
  });

  const publications: readonly (readonly [name: string, before: Values, given: Values, stored: Values])[] = [
    ['publishing', {}, { published: true }, { published: 1, publishedon: now + 9, publishedby: 0 }],
    [
      'publishing with a time and a name',
      {},
      { published: true, publishedon: 7, publishedby: 3 },
      { publishedon: 7, publishedby: 3 },
    ],
    ['publishing what is published', { published: true }, { published: true }, { publishedon: now }],
    [
      'unpublishing',
      { published: true, publishedby: 5 },
      { published: false },
      { published: 0, publishedon: 0, publishedby: 0 },
    ],
    [
      'a date to come',
      { published: true },
      { pub_date: now + 99 },
      { published: 0, publishedon: 0, pub_date: now + 99 },
    ],
    ['a date that has passed', {}, { pub_date: now - 5 }, { published: 1, publishedon: now - 5, pub_date: 0 }],
    ['a withdrawal to come', { published: true }, { unpub_date: now + 99 }, { published: 1, unpub_date: now + 99 }],
    [
      'a withdrawal that has passed',
      { published: true },
      { unpub_date: now - 5 },
      { published: 0, publishedon: 0, unpub_date: 0 },
    ],
    ['unpublishing what was due', { pub_date: now - 5 }, { published: false }, { published: 0, pub_date: 0 }],
    ['taking a date back', { pub_date: now + 99 }, { pub_date: null }, { published: 0, pub_date: 0 }],
  ];
  it.each(publications)('keeps the publication in order on %s', async (_name, before, given, stored) => {
    const id = await make(before);
    site.now = now + 9;
    await site.update(id, given);
    expect(await site.row(id, Object.keys(stored))).toEqual(stored);
  });

  it('refuses to unpublish or plan the start page', async () => {
    const what = 'the resource is the site_start of the context web';
    expect(await problemsOf(site.update(1, { published: false, pub_date: now + 5, unpub_date: now + 9 }))).toEqual({
      published: [`must stay true: ${what}`],
      pub_date: [`must not be set: ${what}`],
      unpub_date: [`must not be set: ${what}`],
    });
  });

  it('moves the URIs of the whole branch with an alias, but for frozen ones', async () => {
    const top = await make({ alias: 'top' });
    const middle = await make({ alias: 'middle', parent: top });
    const leaf = await make({ alias: 'leaf', parent: middle });
    const frozen = await make({ parent: middle, uri: 'frozen/here', uri_override: true });
    const below = await make({ alias: 'below', parent: frozen });
    const mutation = await site.update(top, { alias: 'Tip Top' });
    expect(await Promise.all([top, middle, leaf, frozen, below].map(uri))).toEqual([
      'tip-top/',
      'tip-top/middle/',
      'tip-top/middle/leaf.html',
      'frozen/here',
      `tip-top/middle/p${counter - 1}/below.html`,
    ]);
    expect(mutation.rows.map(({ key, before, after }) => [key, before?.['uri'], after?.['uri']])).toEqual([
      [top, 'top/', 'tip-top/'],
      [middle, 'top/middle/', 'tip-top/middle/'],
      [leaf, 'top/middle/leaf.html', 'tip-top/middle/leaf.html'],
      [below, `top/middle/p${counter - 1}/below.html`, `tip-top/middle/p${counter - 1}/below.html`],
    ]);
    expect(mutation.uri).toBe('tip-top/');
  });

  it('refreshes a branch of more rows than one statement takes', async () => {
    const top = await make({ alias: 'wide' });
    await site.store.content.write(async (tx) => {
      for (let at = 0; at < 620; at++) {
        await tx.run({
          sql: "INSERT INTO modx_site_content (pagetitle, description, alias, parent, uri) VALUES ('c', '', ?, ?, ?)",
          params: [`c${at}`, top, `wide/c${at}.html`],
        });
      }
    });
    const { rows } = await site.update(top, { alias: 'broad' });
    expect(rows).toHaveLength(621);
    expect(await site.select("SELECT COUNT(*) FROM modx_site_content WHERE uri LIKE 'broad/c%.html'")).toEqual([[620]]);
    expect(await site.select("SELECT COUNT(*) FROM modx_site_content WHERE uri LIKE 'wide/%'")).toEqual([[0]]);
    await site.remove(top);
    expect(await site.select(`SELECT COUNT(*) FROM modx_site_content WHERE parent = ${top} AND deleted = 1`)).toEqual([
      [620],
    ]);
  });

  it('freezes and thaws a URI', async () => {
    const id = await make({ alias: 'thaw' });
    await site.update(id, { uri_override: true, uri: 'ice' });
    expect(await uri(id)).toBe('ice');
    await site.update(id, { alias: 'melt' });
    expect(await uri(id)).toBe('ice');
    await site.update(id, { uri_override: false });
    expect(await uri(id)).toBe('melt.html');
  });

  it('makes an alias from the title when it is emptied', async () => {
    const id = await make();
    await site.update(id, { alias: '', pagetitle: `From title ${id}` });
    expect(await site.row(id, ['alias', 'uri'])).toEqual({ alias: `from-title-${id}`, uri: `from-title-${id}.html` });
  });

  it('takes a moved branch along and keeps the container flags true', async () => {
    const from = await make({ alias: 'from' });
    const to = await make({ alias: 'to' });
    const moved = await make({ alias: 'moved', parent: from });
    const child = await make({ alias: 'child', parent: moved });
    const mutation = await site.update(moved, { parent: to });
    expect(await Promise.all([from, to, moved, child].map((id) => site.row(id, ['uri', 'isfolder'])))).toEqual([
      { uri: 'from.html', isfolder: 0 },
      { uri: 'to/', isfolder: 1 },
      { uri: 'to/moved/', isfolder: 1 },
      { uri: 'to/moved/child.html', isfolder: 0 },
    ]);
    expect(mutation.rows.map(({ key }) => key).sort()).toEqual([from, to, moved, child].sort());
    await site.update(moved, { parent: 0 });
    expect(await Promise.all([to, moved, child].map(uri))).toEqual(['to.html', 'moved/', 'moved/child.html']);
  });

  it('refuses circles, missing and deleted parents', async () => {
    const top = await make();
    const child = await make({ parent: top });
    const grandchild = await make({ parent: child });
    const gone = await make({ deleted: true });
    const missing = { parent: ['must be the id of a resource that is not deleted, or 0'] };
    expect(await problemsOf(site.update(top, { parent: top }))).toEqual({
      parent: ['must not be the resource itself'],
    });
    expect(await problemsOf(site.update(top, { parent: grandchild }))).toEqual({
      parent: ['must not be a descendant of the resource'],
    });
    expect(await problemsOf(site.update(top, { parent: gone }))).toEqual(missing);
    expect(await problemsOf(site.update(top, { parent: 99_999 }))).toEqual(missing);
  });

  it('keeps a parent that is named again although it was deleted since', async () => {
    const top = await make();
    const child = await make({ parent: top });
    await site.execute(`UPDATE modx_site_content SET deleted = 1 WHERE id = ${top}`);
    await site.update(child, { parent: top, pagetitle: 'Still there' });
    expect(await site.row(child, ['parent', 'pagetitle'])).toEqual({ parent: top, pagetitle: 'Still there' });
  });

  it('takes the branch into the context of its new parent', async () => {
    const shop = await make({ context_key: 'shop', alias: 'shelf' });
    const top = await make({ alias: 'goods' });
    const child = await make({ alias: 'tool', parent: top });
    await site.update(top, { parent: shop });
    expect(await Promise.all([top, child].map((id) => site.row(id, ['context_key', 'uri'])))).toEqual([
      { context_key: 'shop', uri: 'shelf/goods/' },
      { context_key: 'shop', uri: 'shelf/goods/tool.html' },
    ]);
    expect(await problemsOf(site.update(child, { context_key: 'web' }))).toEqual({
      context_key: ['the parent stays in the old context: give a parent of the new context too, or 0'],
    });
    await site.update(child, { context_key: 'web', parent: 0 });
    expect(await site.row(child, ['context_key', 'uri'])).toEqual({ context_key: 'web', uri: 'tool.html' });
    expect(await problemsOf(site.update(child, { context_key: 'mars' }))).toEqual({
      context_key: ['must be one of: mgr, shop, web'],
    });
  });

  it('refuses an address that is taken, its own and those below', async () => {
    const first = await make({ alias: 'one' });
    await make({ alias: 'leaf', parent: first });
    const second = await make({ alias: 'two' });
    await make({ alias: 'leaf', parent: second });
    const plain = await make({ alias: 'plain' });
    const taken = `the URI "two/" is taken by resource ${second} of the context web`;
    expect(await problemsOf(site.update(first, { alias: 'two' }))).toMatchObject({
      alias: [
        `${taken}; give another alias`,
        expect.stringMatching(/^resource \d+ would get the URI "two\/leaf.html"/),
      ],
      uri: [taken],
    });
    expect(await problemsOf(site.update(plain, { uri: 'two/', uri_override: true }))).toEqual({ uri: [taken] });
    expect(await uri(first)).toBe('one/');
  });

  it('refuses a branch whose new address below another one has', async () => {
    const top = await make({ alias: 'north' });
    await make({ alias: 'pole', parent: top });
    const other = await make({ uri: 'south/pole.html', uri_override: true });
    expect(await problemsOf(site.update(top, { alias: 'south' }))).toEqual({
      alias: [
        `resource ${other - 1} would get the URI "south/pole.html", which another resource of the context web has`,
      ],
    });
  });

  it('changes alias and parent of a deleted resource without asking for its address', async () => {
    const kept = await make({ alias: 'shared' });
    const gone = await make({ alias: 'elsewhere', deleted: true });
    await site.update(gone, { alias: 'shared' });
    expect(await uri(gone)).toBe('shared.html');
    expect(await problemsOf(site.update(gone, { deleted: false }))).toMatchObject({
      alias: [`the URI "shared.html" is taken by resource ${kept} of the context web; give another alias`],
    });
    await site.update(gone, { deleted: false, alias: 'unshared' });
    expect(await site.row(gone, ['deleted', 'uri'])).toEqual({ deleted: 0, uri: 'unshared.html' });
  });

  it('deletes and restores the branch by the flag', async () => {
    const top = await make();
    const early = await make({ parent: top });
    const late = await make({ parent: top });
    const leaf = await make({ parent: late });
    await site.remove(early);
    await site.update(top, { deleted: true });
    const flags = () => Promise.all([top, early, late, leaf].map((id) => site.row(id, ['deleted', 'deletedon'])));
    expect(await flags()).toEqual([
      { deleted: 1, deletedon: now + 1 },
      { deleted: 1, deletedon: now },
      { deleted: 1, deletedon: now + 1 },
      { deleted: 1, deletedon: now + 1 },
    ]);
    const restored = await site.update(top, { deleted: false });
    expect(await flags()).toEqual([
      { deleted: 0, deletedon: 0 },
      { deleted: 1, deletedon: now },
      { deleted: 0, deletedon: 0 },
      { deleted: 0, deletedon: 0 },
    ]);
    expect(restored.rows.map(({ key, after }) => [key, after?.['deleted']])).toEqual([
      [top, false],
      [late, false],
      [leaf, false],
    ]);
  });

  it('restores one resource out of a branch that stays deleted', async () => {
    const top = await make();
    const child = await make({ parent: top });
    await site.remove(top);
    await site.update(child, { deleted: false });
    expect(await site.row(child, ['deleted'])).toEqual({ deleted: 0 });
    expect(await site.row(top, ['deleted'])).toEqual({ deleted: 1 });
  });

  it('refuses to restore a branch in which an address has been taken', async () => {
    const top = await make({ alias: 'attic' });
    const child = await make({ alias: 'box', parent: top });
    await site.remove(top);
    await make({ uri: 'attic/box.html', uri_override: true });
    expect(await problemsOf(site.update(top, { deleted: false }))).toEqual({
      deleted: [`resource ${child} would get the URI "attic/box.html", which another resource of the context web has`],
    });
  });

  it('refuses to restore a branch whose rows came by the same address while they were deleted', async () => {
    const top = await make({ alias: 'loft' });
    const child = await make({ uri: 'chest.html', uri_override: true, parent: top });
    await site.remove(top);
    await site.update(top, { uri: 'chest.html', uri_override: true });
    expect(await problemsOf(site.update(top, { deleted: false }))).toEqual({
      deleted: [`resource ${child} would get the URI "chest.html", which another resource of the context web has`],
    });
    await site.update(child, { uri: 'crate.html' });
    await site.update(top, { deleted: false });
    expect(await site.row(child, ['deleted', 'uri'])).toEqual({ deleted: 0, uri: 'crate.html' });
  });

  it('refuses references that change to nothing and keeps those that dangle already', async () => {
    const id = await make();
    await site.execute(`UPDATE modx_site_content SET template = 88 WHERE id = ${id}`);
    await site.update(id, { template: 88, pagetitle: 'Dangling' });
    expect(await problemsOf(site.update(id, { template: 89, content_type: 99 }))).toEqual({
      template: ['no template has this id; 0 stands for none'],
      content_type: ['must be the id of a content type: 1, 2, 3, 4, 5, 6, 7, 8'],
    });
  });

  it('follows the content type with the extension', async () => {
    const id = await make({ alias: 'list' });
    await site.update(id, { content_type: 2 });
    expect(await uri(id)).toBe('list.xml');
  });

  it('lets moves that would close a circle together not both succeed', async () => {
    const pairs = await Promise.all(Array.from({ length: 6 }, async () => [await make(), await make()] as const));
    await Promise.all(
      pairs.map(async ([a, b]) => {
        const moves = await Promise.allSettled([site.update(a, { parent: b }), site.update(b, { parent: a })]);
        expect(moves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      }),
    );
  });

  it('loses no change of twenty at once', async () => {
    const id = await make();
    const names = ['longtitle', 'description', 'introtext', 'menutitle', 'link_attributes'];
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        site.update(id, at % 5 === 0 ? { alias: `race-${id}-${at}` } : { [names[at % 5] ?? '']: 'written' }),
      ),
    );
    const row = await site.row(id, [...names.slice(1), 'alias', 'uri']);
    expect(row).toMatchObject({
      description: 'written',
      introtext: 'written',
      menutitle: 'written',
      link_attributes: 'written',
    });
    expect(row?.['uri']).toBe(`${row?.['alias']}.html`);
  });

  it('keeps an alias of another making that is sent back as it was read', async () => {
    const id = await make();
    await site.execute(`UPDATE modx_site_content SET alias = 'Not_Clean', uri = 'Not_Clean.html' WHERE id = ${id}`);
    await site.update(id, { alias: 'Not_Clean', pagetitle: 'Sent back' });
    expect(await site.row(id, ['alias', 'uri'])).toEqual({ alias: 'Not_Clean', uri: 'Not_Clean.html' });
  });

  it('computes a URI that was never computed with whatever save', async () => {
    const id = await make({ alias: 'late' });
    await site.execute(`UPDATE modx_site_content SET uri = NULL WHERE id = ${id}`);
    await site.update(id, { longtitle: 'x' });
    expect(await uri(id)).toBe('late.html');
  });

  it('changes the type with the class and keeps a given one', async () => {
    const id = await make();
    await site.update(id, { class_key: 'modWebLink' });
    expect(await site.row(id, ['type', 'class_key'])).toEqual({
      type: 'reference',
      class_key: 'MODX\\Revolution\\modWebLink',
    });
    await site.update(id, { class_key: 'modDocument', type: 'special' });
    await site.update(id, { class_key: 'modDocument' });
    expect(await site.row(id, ['type'])).toEqual({ type: 'special' });
  });

  it('cleans the aliases of a branch by the rules of the context that it moves to', async () => {
    await site.set({ friendly_alias_lowercase_only: '0', friendly_alias_word_delimiter: '_' }, 'shop');
    const top = await make({ context_key: 'shop', alias: 'Big Things' });
    const child = await make({ alias: 'Small Thing', parent: top });
    expect(await Promise.all([top, child].map((id) => site.row(id, ['alias', 'uri'])))).toEqual([
      { alias: 'Big_Things', uri: 'Big_Things/' },
      { alias: 'Small_Thing', uri: 'Big_Things/Small_Thing.html' },
    ]);
    await site.update(top, { context_key: 'web' });
    expect(await Promise.all([top, child].map((id) => site.row(id, ['alias', 'uri'])))).toEqual([
      { alias: 'Big_Things', uri: 'big-things/' },
      { alias: 'Small_Thing', uri: 'Big_Things/small-thing.html' },
    ]);
    await site.set({ friendly_alias_lowercase_only: '1', friendly_alias_word_delimiter: '-' }, 'shop');
  });

  it('makes an alias from the title where "0" is given, which counts as empty', async () => {
    const id = await make({ alias: '0', pagetitle: 'Not zero' });
    expect(await site.row(id, ['alias', 'uri'])).toEqual({ alias: 'not-zero', uri: 'not-zero.html' });
    expect(await problemsOf(make({ alias: '0', pagetitle: '0' }))).toEqual({
      alias: ['must not be "0", which counts as empty'],
    });
    await site.execute(`UPDATE modx_site_content SET alias = '0', uri = '' WHERE id = ${id}`);
    await site.update(id, { longtitle: 'saved' });
    expect(await site.row(id, ['alias', 'uri'])).toEqual({ alias: '0', uri: 'not-zero.html' });
  });

  it('refuses a branch of which two would get one address in another context', async () => {
    await site.set({ container_suffix: '.html' }, 'shop');
    const top = await make({ alias: 'twins' });
    const box = await make({ alias: 'same', parent: top, isfolder: true });
    const leaf = await make({ alias: 'same', parent: top });
    expect(await Promise.all([box, leaf].map(uri))).toEqual(['twins/same/', 'twins/same.html']);
    expect(await problemsOf(site.update(top, { context_key: 'shop' }))).toEqual({
      context_key: [
        `resource ${leaf} would get the URI "twins/same.html", which another resource of the context shop has`,
      ],
    });
    await site.set({ container_suffix: '/' }, 'shop');
  });

  it('leaves nothing behind whichever statement fails', async () => {
    const top = await make({ alias: 'fragile' });
    await make({ alias: 'part', parent: top });
    const old = await make({ alias: 'shelter' });
    const works: readonly ((on: ResourceSite) => Promise<unknown>)[] = [
      (on) => on.create({ pagetitle: 'New', parent: old }),
      (on) => on.update(top, { alias: 'broken', parent: old }),
      (on) => on.update(top, { deleted: true }),
      (on) => on.remove(top),
      (on) => on.remove(top, { force: true }),
    ];
    const everything = () => site.select('SELECT * FROM modx_site_content ORDER BY id');
    const before = await everything();
    let failures = 0;
    for (const work of works) {
      for (let count = 1; ; count++) {
        const outcome = await site.failing(count, work);
        if (outcome === 'complete') break;
        failures += 1;
        expect(await everything()).toEqual(before);
      }
    }
    expect(failures).toBeGreaterThan(25);
    expect(await everything()).toEqual(before);
  });
});
