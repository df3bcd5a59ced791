/** GET /pages/{id-or-alias}: how a page is named, its parts, who sees which section, and what is refused. */
import { expect, it, test } from 'vitest';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { execute } from '../../support/execute.js';
import { hero, type PublishedSite, richtext, startPublishedSite } from './published-site.js';
import type { Asked } from './token-site.js';

const refused = (status: number, message: string) => [status, { success: false, message, object: {} }];
const refusal = ({ status, json }: Asked) => [status, json()];
const notFound = refused(404, 'Resource not found.');
const notPublished = refused(404, 'Page has no published content.');

interface Section {
  readonly id: string;
  readonly type: string;
}

const typesOf = (part: unknown) => (part as { sections: readonly Section[] }).sections.map(({ type }) => type);

describeEachDatabase('one page', (database) => {
  const open = async (): Promise<PublishedSite> => startPublishedSite({ databaseUrl: await database.url() });

  it('has its head and, unless something else is asked for, document and values', async () => {
    const site = await open();
    await site.resources({ id: 42, pagetitle: 'About us', alias: 'about', uri: 'about.html', template: 3 });
    await site.publish(42, [hero('Hello'), richtext('<p>Some <b>text</b></p>', { enabled: false })]);
    const page = await site.get('/pages/42');
    const [section] = (page.document as { sections: Section[] }).sections;
    const shown = { type: 'hero', enabled: true, data: { title: 'Hello', alignment: 'left' } };
    const id = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect(page).toEqual({
      ...{
        resourceId: 42,
        publishedRevision: 1,
        publishedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
      resource: { id: 42, pagetitle: 'About us', alias: 'about', uri: 'about.html', context: 'web', template: 3 },
      document: { schemaVersion: 1, sections: [{ ...shown, id, typeVersion: 1, settings: {} }] },
      values: { plainText: 'Hello', sections: [{ ...shown, id: section?.id }] },
    });
    const head = ['resourceId', 'publishedRevision', 'publishedAt', 'resource'];
    expect(Object.keys(page)).toEqual([...head, 'document', 'values']);
  });

  it('gives each part that is asked for and no other', async () => {
    const site = await open();
    await site.resources({ id: 1 });
    await site.publish(1, [hero('One'), { type: 'spacer', data: { size: 'sm' } }]);
    for (const parts of [['html'], ['sections'], ['values', 'html'], ['document', 'values', 'html', 'sections']]) {
      const page = await site.get(`/pages/1&include=${parts.join(',')}`);
      expect(Object.keys(page).slice(4)).toEqual(parts);
    }
    const page = await site.get('/pages/1&include=html,sections');
    const sections = page.sections as readonly Record<string, unknown>[];
    expect(sections.map(({ type, renderFailed }) => [type, renderFailed])).toEqual([
      ['hero', false],
      ['spacer', false],
    ]);
    expect(page.html).toBe(sections.map(({ html }) => html).join('\n'));
    expect(page.html).toContain('One');
  });

  it('is found by its id first and by its alias where no resource has that id', async () => {
    const site = await open();
    await site.resources(
      { id: 7, pagetitle: 'Seven', alias: 'seven' },
      { id: 8, pagetitle: 'Named 7', alias: '7' },
      { id: 9, pagetitle: 'Named 2024', alias: '2024' },
      { id: 10, pagetitle: 'Named 12', alias: '12' },
      { id: 12, pagetitle: 'Not published', alias: 'twelve', published: 0 },
    );
    for (const id of [7, 8, 9, 10]) await site.publish(id);
    const title = async (name: string) =>
      ((await site.get(`/pages/${name}`)).resource as { pagetitle: string }).pagetitle;
    const titles = [await title('7'), await title('seven'), await title('2024'), await title('8')];
    expect(titles).toEqual(['Seven', 'Seven', 'Named 2024', 'Named 7']);
    // An address never comes to show another page while its resource is only hidden.
    expect(refusal(await site.ask('/pages/12'))).toEqual(notFound);
    for (const name of ['007', '0', '4294967296', '99999999999999999999', '-7', '7.0', '7e0']) {
      expect(refusal(await site.ask(`/pages/${name}`))).toEqual(notFound);
    }
  });

  it('looks for an alias in one context, exactly, and takes the published one of namesakes', async () => {
    const site = await open();
    await site.change("INSERT INTO modx_context (`key`, name) VALUES ('en', 'English')");
    await site.resources(
      { id: 1, alias: 'team', context_key: 'web' },
      { id: 2, alias: 'team', context_key: 'web' },
      { id: 3, alias: 'team', context_key: 'web' },
      { id: 4, alias: 'team', context_key: 'en' },
      { id: 5, alias: 'über uns', context_key: 'web' },
    );
    for (const id of [2, 3, 4, 5]) await site.publish(id);
    const found = [];
    for (const name of ['team', 'team&context=en', '%C3%BCber%20uns', '4', '4&context=web'])
      found.push((await site.get(`/pages/${name}`)).resourceId);
    expect(found).toEqual([2, 4, 5, 4, 4]);
    for (const route of ['Team', 't%2525', 'te_m', 'team&context=fr', 'uber%20uns'].map((name) => `/pages/${name}`)) {
      expect(refusal(await site.ask(route))).toEqual(notFound);
    }
  });

  it('is there exactly as long as its resource is published, not deleted, to be viewed by all, and the page is out', async () => {
    const site = await open();
    await site.resources({ id: 5, alias: 'news' });
    const refusals = async () => [refusal(await site.ask('/pages/5')), refusal(await site.ask('/pages/news'))];
    expect(await refusals()).toEqual([notPublished, notPublished]);
    await site.publish(5);
    const status = async () => [(await site.ask('/pages/5')).status, (await site.ask('/pages/news')).status];
    expect(await status()).toEqual([200, 200]);
    const set = (sql: string) => site.site.change([`UPDATE modx_site_content SET ${sql} WHERE id = 5`]);
    // No time passes: what is withdrawn is gone from the next request on.
    for (const [off, on] of [
      ['published = 0', 'published = 1'],
      ['deleted = 1', 'deleted = 0'],
      ["context_key = 'gone'", "context_key = 'web'"],
    ] as const) {
      await set(off);
      expect(await refusals()).toEqual([notFound, notFound]);
      await set(on);
      expect(await status()).toEqual([200, 200]);
    }
    await site.withdraw(5);
    expect(await refusals()).toEqual([notPublished, notPublished]);
    await site.publish(5);
    expect((await site.get('/pages/5')).publishedRevision).toBe(2);
    await site.site.change(['DELETE FROM modx_site_content WHERE id = 5']);
    expect(refusal(await site.ask('/pages/5'))).toEqual(notFound);
  });

  it('is not there for a resource group or a context that anonymous callers may not view', async () => {
    const site = await open();
    await site.resources({ id: 1, alias: 'open' }, { id: 2, alias: 'closed' });
    await site.publish(1);
    await site.publish(2);
    await site.site.change([
      "INSERT INTO modx_access_policies (id, name, description, data) VALUES (900, 'p', '', '{\"load\":true,\"view\":true}')",
      'INSERT INTO modx_document_groups (document_group, document) VALUES (5, 2)',
      `INSERT INTO modx_access_resource_groups (target, principal_class, principal, authority, policy, context_key)
       VALUES ('5', 'MODX\\\\Revolution\\\\modUserGroup', 1, 9999, 900, 'web')`.replaceAll(
        '\\\\',
        site.site.store.content.dialect === 'mariadb' ? '\\\\' : '\\',
      ),
    ]);
    expect((await site.ask('/pages/open')).status).toBe(200);
    for (const name of ['2', 'closed']) expect(refusal(await site.ask(`/pages/${name}`))).toEqual(notFound);
    expect((await site.get('/pages')).total).toBe(1);
    await site.site.change(["DELETE FROM modx_access_context WHERE target = 'web' AND principal = 0"]);
    await site.site.change([
      `INSERT INTO modx_access_context (target, principal_class, principal, authority, policy)
       VALUES ('web', 'modUserGroup', 1, 9999, 900)`,
    ]);
    expect(refusal(await site.ask('/pages/open'))).toEqual(notFound);
  });

  it('shows sections by context, by the utm parameters of the request and by conditions', async () => {
    const site = await open();
    const only = (type: string, settings: unknown) => ({
      type,
      data: { hero: { title: 'T' }, spacer: { size: 'sm' } }[type] ?? { title: 'T' },
      settings,
    });
    await site.resources({ id: 1 });
    await site.publish(
      1,
      [
        only('hero', { contexts: ['en'] }),
        only('cards', { utm: { source: ['mail', 'shop'], campaign: ['spring'] } }),
        only('faq', { conditions: [{ type: 'query', name: 'preview' }] }),
        only('stats', { conditions: [{ type: 'query', name: 'step', value: '2' }, { type: 'guest' }] }),
        only('cta', { conditions: [{ type: 'logged_in' }] }),
        only('testimonials', { conditions: [{ type: 'context', value: 'web' }] }),
      ].map((section) => withRequired(section)),
    );
    const seen = async (query: string) => typesOf((await site.get(`/pages/1&include=values${query}`)).values);
    for (const [query, ...types] of [
      [''],
      ['&context=en', 'hero'],
      ['&utm_source=shop&utm_campaign=spring', 'cards'],
      ['&utm_source=shop'],
      ['&utm_source=Shop&utm_campaign=spring'],
      ['&utm_source=mail&utm_source=x&utm_campaign=spring', 'cards'],
      ['&preview', 'faq'],
      ['&step=2', 'stats'],
      ['&step=3'],
    ])
      expect(await seen(query ?? ''), query).toEqual(query === '&context=en' ? types : [...types, 'testimonials']);
    const page = await site.get('/pages/1&include=document,html,sections&step=2');
    expect((page.sections as Section[]).map(({ type }) => type)).toEqual(['stats', 'testimonials']);
    // The document is the same for every reader.
    expect(typesOf(page.document)).toHaveLength(6);
  });

  it('keeps only the section types that are asked for, in every part', async () => {
    const site = await open();
    await site.resources({ id: 1 });
    await site.publish(1, [hero('A'), richtext('<p>B</p>'), hero('C')]);
    const page = await site.get('/pages/1&include=document,values,html,sections&section_types=hero,gallery');
    const both = ['hero', 'hero'];
    expect([typesOf(page.document), typesOf(page.values), typesOf(page)]).toEqual([both, both, both]);
    expect(page.html).not.toContain('<p>B</p>');
    expect(page.values).toMatchObject({ plainText: 'A\nC' });
    expect(await site.get('/pages/1&include=html&section_types=nothing')).toMatchObject({ html: '' });
  });

  it('never gives trash or disabled sections, in no part', async () => {
    const site = await open();
    await site.resources({ id: 1 });
    await site.publish(1, [hero('seen'), hero('hidden', { enabled: false })]);
    const document = `{"schemaVersion":1,"sections":[{"id":"${'a'.repeat(32)}","type":"hero","typeVersion":1,"enabled":true,"data":{"title":"seen"},"settings":{}}],"trash":[{"id":"${'b'.repeat(32)}","type":"hero","typeVersion":1,"enabled":true,"data":{"title":"trashed"},"settings":{"_trashIndex":0}}]}`;
    const all = '/pages/1&include=document,values,html,sections';
    expect((await site.ask(all)).text).not.toContain('hidden');
    await site.publish(1);
    await site.site.store.own.write((tx) =>
      tx.run({ sql: 'UPDATE hcd_page_revisions SET document = ? WHERE revision = 2', params: [document] }),
    );
    const { text } = await site.ask(all);
    expect(text).toContain('"title":"seen"');
    expect(text).not.toContain('trash');
  });

  it('shows a section of a type that is gone as not rendered, and says so once in the log', async () => {
    const site = await open();
    await site.resources({ id: 1 });
    await site.publish(1, [hero('kept'), richtext('<p>gone</p>')]);
    await execute(
      site.site.store.own,
      "INSERT INTO hcd_section_types (`key`, definition, changed_on, changed_by) VALUES ('richtext', NULL, 1, 'test')",
    );
    await site.clock.advance(1000);
    const page = await site.get('/pages/1&include=html,sections,values');
    const sections = page.sections as Record<string, unknown>[];
    expect(sections.map(({ type, html, renderFailed }) => [type, html !== '', renderFailed])).toEqual([
      ['hero', true, false],
      ['richtext', false, true],
    ]);
    expect(page.html).toContain('kept');
    expect(page.html).not.toContain('gone');
    await site.get('/pages/1&include=html');
    const where = { resource: 1, revision: 1, section: sections[1]?.['id'], type: 'richtext' };
    expect(site.site.log.filter(({ kind }) => kind === 'section_not_rendered')).toEqual([
      { kind: 'section_not_rendered', ...where, reason: 'there is no section type richtext' },
    ]);
  });

  it('is 500 without a word about the inside when its document is damaged', async () => {
    const site = await open();
    await site.resources({ id: 1 }, { id: 2 });
    await site.publish(1);
    await site.publish(2);
    await site.site.store.own.write(async (tx) => {
      const damaged = `UPDATE hcd_page_revisions SET document = '{"schemaVersion":9}' WHERE resource_id = 1`;
      await tx.run({ sql: damaged, params: [] });
      await tx.run({ sql: 'DELETE FROM hcd_page_revisions WHERE resource_id = 2', params: [] });
    });
    for (const id of [1, 2]) {
      expect(refusal(await site.ask(`/pages/${id}`))).toEqual(refused(500, 'Internal error'));
    }
  });
});

/** The fields without which a section of the type cannot be published. */
function withRequired(section: { readonly type: string; readonly data: unknown; readonly settings: unknown }): unknown {
  const item = {
    cards: { title: 'a', text: 'b' },
    faq: { question: 'a', answer: 'b' },
    stats: { value: '1', label: 'b' },
    testimonials: { quote: 'a', name: 'b' },
  };
  const items = Object.entries(item).find(([type]) => type === section.type)?.[1];
  const extra = section.type === 'cta' ? { button_label: 'x', button_url: '/x' } : {};
  return {
    ...section,
    data: { ...(section.data as object), ...extra, ...(items === undefined ? {} : { items: [items] }) },
  };
}

test.each<[message: string, ...queries: string[]]>([
  [
    'include must be a comma list of: document, values, html, sections, hreflang',
    ...['include=secrets', 'include=', 'include=document,,values', 'include=Document', 'include=__proto__'],
    'include=html&include=secrets',
  ],
  ['context must be a context key of letters, digits, hyphens, dots and underscores', ...['context=', 'context=a%20b']],
  ['context is given more than once; give it once', 'context=web&context=en'],
  [
    'section_types must be a comma list of keys of section types',
    ...['section_types=', 'section_types=Hero', 'section_types=hero,../x'],
  ],
])('one page is 400 where %s', async (message, ...queries) => {
  const site = await startPublishedSite({ databaseUrl: await freshSqliteUrl() });
  await site.resources({ id: 1 });
  await site.publish(1);
  for (const query of queries)
    expect(refusal(await site.ask(`/pages/1&${query}`)), query).toEqual(refused(400, message));
});
