/** include=hreflang: a page in the languages that readers get. */
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { seed } from '../../support/seed.js';
import { hero, type PublishedSite, startPublishedSite } from './published-site.js';

const home = { context: 'web', language: 'en', id: 1, uri: 'tents/', url: '/' };
const german = { context: 'de', language: 'de', id: 2, uri: 'zelte/', url: 'https://de.example/zelte/' };
const french = { context: 'fr', language: 'fr', id: 3, uri: 'tentes/', url: '/tentes/' };
const usual = { ...home, language: 'x-default' };

describeEachDatabase('hreflang', (database) => {
  async function open(): Promise<PublishedSite> {
    const pages = await startPublishedSite({ databaseUrl: await database.url() });
    const languages = Object.entries({ web: 'en', de: 'de', fr: 'fr', it: 'it' });
    await seed(pages.site.store, {
      context: ['de', 'fr', 'it'].map((key) => ({ key, name: key })),
      context_setting: [
        ...languages.map(([context_key, value]) => ({ context_key, key: 'cultureKey', value })),
        { context_key: 'de', key: 'site_url', value: 'https://de.example/' },
      ],
      access_context: ['de', 'fr'].map((target) => ({
        ...{ target, principal_class: 'MODX\\Revolution\\modUserGroup', principal: 0, authority: 9999, policy: 3 },
      })),
      site_content: [
        { id: 1, uri: 'tents/' },
        { id: 2, uri: 'zelte/', context_key: 'de' },
        { id: 3, uri: 'tentes/', context_key: 'fr' },
        { id: 5, uri: 'tende/', context_key: 'it' },
        { id: 6, uri: 'alone/' },
      ],
      site_tmplvars: [{ id: 9, name: 'babelLanguageLinks', type: 'hidden' }],
      site_tmplvar_contentvalues: [1, 2, 3].map((contentid) => ({
        ...{ tmplvarid: 9, contentid, value: 'web:1;de:2;fr:3;it:5' },
      })),
    });
    for (const id of [1, 2, 6]) await pages.publish(id, [hero(`Page ${id}`)]);
    return pages;
  }

  const of = async (pages: PublishedSite, id: number) => (await pages.get(`/pages/${id}&include=hreflang`))['hreflang'];

  it('has the delivered translations, the page itself and the default', async () => {
    const pages = await open();
    expect(await of(pages, 1)).toEqual([german, home, usual]);
    expect(await of(pages, 2)).toEqual([german, home, usual]);
    expect(await of(pages, 6)).toEqual([home, usual].map((one) => ({ ...one, id: 6, uri: 'alone/', url: '/alone/' })));
    expect(Object.keys(await pages.get('/pages/1&include=hreflang,values')).slice(4)).toEqual(['values', 'hreflang']);
    expect(await pages.get('/pages/1')).not.toHaveProperty('hreflang');
  });

  it('follows what other pages become', async () => {
    const pages = await open();
    const before = await pages.ask('/pages/1&include=hreflang');
    await pages.publish(3);
    expect(await of(pages, 1)).toEqual([german, french, home, usual]);
    const tag = { 'If-None-Match': before.headers.get('etag') ?? '' };
    expect((await pages.ask('/pages/1&include=hreflang', tag)).status).toBe(200);
    await pages.change('UPDATE modx_site_content SET published = 0 WHERE id = 2');
    expect(await of(pages, 1)).toEqual([french, home, usual]);
    await pages.withdraw(3);
    expect(await of(pages, 1)).toEqual([home, usual]);
  });
});
