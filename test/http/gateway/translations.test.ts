/** include=translations and `hcd resource link-translation` (docs/gateway.md#languages). */
import { beforeEach, expect, test } from 'vitest';
import { type CliDatabase, prepareCliDatabase } from '../../support/cli-database.js';
import { describeEachDatabase } from '../../support/databases.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { key } from './writing-site.js';

const home = { context: 'web', language: 'en', id: 1, uri: 'tents/', url: '/' };
const german = { context: 'de', language: 'de', id: 2, uri: 'zelte/', url: 'https://de.example/zelte/' };
const french = { context: 'fr', language: 'fr', id: 3, uri: 'tentes/', url: '/tentes/' };

describeEachDatabase('translations', (database) => {
  let db: CliDatabase;
  let site: TestSite;

  beforeEach(async () => {
    const url = await database.url();
    db = await prepareCliDatabase(url, (store) =>
      seed(store, {
        context: ['de', 'fr', 'it'].map((key) => ({ key, name: key })),
        context_setting: [
          ...Object.entries({ web: 'en', de: 'de', fr: 'fr' }).map(([context_key, value]) => ({
            ...{ context_key, key: 'cultureKey', value },
          })),
          { context_key: 'de', key: 'site_url', value: 'https://de.example/' },
        ],
        system_settings: [{ key: 'gateway_allowed_contexts', value: 'web,de,fr' }],
        access_context: ['de', 'fr'].map((target) => ({
          ...{ target, principal_class: 'MODX\\Revolution\\modUserGroup', principal: 0, authority: 9999, policy: 3 },
        })),
        site_content: [
          { id: 1, uri: 'tents/' },
          { id: 2, uri: 'zelte/', context_key: 'de' },
          { id: 3, uri: 'tentes/', context_key: 'fr' },
          { id: 4, uri: 'neu/', context_key: 'de' },
          { id: 5, uri: 'tende/', context_key: 'it' },
          { id: 6, uri: 'alone/' },
        ],
      }),
    );
    site = await startTestSite({ databaseUrl: url, identities: { all: key('*') } });
  });

  const link = (line: string) => db.json(`resource link-translation ${line}`);
  const of = async (id: number, query = '') => {
    const { body } = await site.get(`/resources/${id}?fields=id&include=translations${query}`);
    return (body['data'] as Record<string, unknown>)['translations'];
  };

  test('are those of the group that the caller may see, the page itself among them', async () => {
    expect(await link('1 2')).toMatchObject({ data: [german, home] });
    await link('3 2');
    for (const { id, context } of [home, german, french]) {
      expect(await of(id, `&context=${context}`)).toEqual([german, french, home]);
    }
    await site.get('/resources/3', { method: 'PATCH', as: 'all', body: { published: false } });
    await link('5 1');
    expect(await of(1)).toEqual([german, home]);
    expect(await of(1, '&fields[translations]=language,url')).toEqual([
      { language: 'de', url: german.url },
      { language: 'en', url: home.url },
    ]);
    for (const below of ['translations.parent', 'translations.tvs', 'parent.translations.children']) {
      expect((await site.get(`/resources/1?include=${below}`)).status).toBe(422);
    }
    expect(await of(6)).toEqual([{ ...home, id: 6, uri: 'alone/', url: '/alone/' }]);
  });

  test('lose a page that another of its context replaces, or that is taken out', async () => {
    await link('1 2');
    await link('1 3');
    await link('1 4');
    expect(await of(1)).toMatchObject([{ id: 4 }, { id: 3 }, { id: 1 }]);
    expect(await of(2, '&context=de')).toMatchObject([{ id: 2 }]);
    await link('4 3 --undo');
    expect([await of(1), await of(3, '&context=fr')]).toMatchObject([[{ id: 4 }, { id: 1 }], [{ id: 3 }]]);
  });

  test('are read as Babel writes them, and a stale link shows nothing', async () => {
    await db.change((store) =>
      seed(store, {
        site_tmplvars: [{ id: 9, name: 'babelLanguageLinks', type: 'hidden' }],
        site_tmplvar_contentvalues: [
          { tmplvarid: 9, contentid: 1, value: 'web:1;de:2;fr:4;it:99;x' },
          { tmplvarid: 9, contentid: 2, value: 'web:1;de:2' },
        ],
      }),
    );
    expect(await of(1)).toEqual([german, home]);
    expect(await link('1 3')).toMatchObject({ data: [german, french, home] });
    expect(await of(2, '&context=de')).toEqual([german, french, home]);
  });

  test.each([
    ['1 6', 'is in the context web too'],
    ['1 1', 'is in the context web too'],
    ['1 99', 'There is no resource 99'],
  ])('refuses to link %s', async (line, problem) => {
    const { code, stderr } = await db.run(`resource link-translation ${line}`);
    expect([code, stderr]).toEqual([1, expect.stringContaining(problem)]);
  });
});
