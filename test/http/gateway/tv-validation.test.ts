/** gateway_tv_validation: values of template variables that a write changes are held to the rules of the variable. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { setSystemSetting } from '../../../src/content/models/settings.js';
import { serializePhpValue } from '../../../src/content/rules/php-value.js';
import { openStore } from '../../../src/store/open/open.js';
import { runCli } from '../../support/cli.js';
import { describeEachDatabase } from '../../support/databases.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { makeTempDir } from '../../support/temp-dir.js';
import { key } from './writing-site.js';

const rules = (properties: Readonly<Record<string, string | number>>) => serializePhpValue(properties);

const variables = [
  { id: 1, name: 'price', type: 'number', input_properties: rules({ minValue: 0, maxValue: '100' }) },
  { id: 2, name: 'color', type: 'option', elements: 'Red==red||Blue==blue', default_text: 'red' },
  { id: 3, name: 'code', type: 'text', input_properties: rules({ allowBlank: 'false', regex: '^(a+)+$' }) },
  { id: 4, name: 'gallery', type: 'migx' },
  { id: 5, name: 'body', type: 'richtext' },
  { id: 6, name: 'photo', type: 'image' },
];

describeEachDatabase('values of template variables', (database) => {
  let site: TestSite;
  let url: string;
  let filesDir: string;

  async function start(mode: string | null): Promise<void> {
    url = await database.url();
    filesDir = await makeTempDir('files');
    site = await startTestSite({ databaseUrl: url, filesDir, identities: { all: key('*') } });
    await seed(site.store, {
      site_templates: [{ id: 1, templatename: 'All' }],
      site_tmplvars: variables,
      site_tmplvar_templates: variables.map(({ id }) => ({ tmplvarid: id, templateid: 1, rank: id })),
      site_content: [{ id: 2, pagetitle: 'Two', alias: 'two', uri: 'two', template: 1 }],
      site_tmplvar_contentvalues: [
        { contentid: 2, tmplvarid: 1, value: 'cheap' },
        { contentid: 2, tmplvarid: 3, value: 'aaa' },
      ],
    });
    if (mode !== null) {
      const setting = { key: 'gateway_tv_validation', value: mode, kind: 'text' } as const;
      await site.store.content.write((tx) => setSystemSetting(tx, 'modx_', setting));
    }
    await site.live.refresh();
  }
  const patch = (tvs: unknown, query = '') =>
    site.get(`/resources/2?include=tvs${query}`, { as: 'all', method: 'PATCH', body: { tvs } });
  const wrong = { price: 'abc', color: 'green', code: '' };
  const problems = {
    price: '"abc" is not accepted: must be a number from 0 to 100',
    color: '"green" is not accepted: must be one of: red, blue',
    code: 'must not be empty',
  };

  it('are refused with what is accepted while it is strict, and nothing is written', async () => {
    await start('strict');
    const refused = await patch({ ...wrong, body: 'written' });
    const errors = Object.fromEntries(Object.entries(problems).map(([name, text]) => [`tvs.${name}`, [text]]));
    expect([refused.status, refused.body['errors']]).toEqual([422, errors]);
    const { body } = await site.get('/resources/2?include=tvs');
    expect(body).toMatchObject({ data: { tvs: { price: 'cheap', color: 'red', code: 'aaa', body: '' } } });
    const created = await site.get('/resources', {
      ...{ as: 'all', method: 'POST', body: { pagetitle: 'New', template: 1, tvs: { price: 101 } } },
    });
    expect([created.status, Object.keys(created.body['errors'] ?? {})]).toEqual([422, ['tvs.price']]);
  });

  it('are checked only when they change, in typed form and as JSON too', async () => {
    await start('strict');
    const ok = { price: 'cheap', color: 'blue', code: 'aaa', gallery: [{ MIGX_id: '1', title: 'A' }], body: '' };
    expect((await patch(ok, '&tv_format=typed')).body).toMatchObject({
      data: { tvs: { price: null, color: 'blue', gallery: [{ MIGX_id: '1', title: 'A' }] } },
      meta: { untyped: ['price'] },
    });
    expect((await patch({ price: 9.5, gallery: [] }, '&tv_format=typed')).body).toMatchObject({
      data: { tvs: { price: 9.5, gallery: [] } },
    });
    expect((await patch({ price: '@INHERIT', color: null })).status).toBe(200);
  });

  it('are written with a warning by default', async () => {
    await start(null);
    expect((await patch(wrong)).body).toMatchObject({
      data: { tvs: wrong },
      meta: { warnings: Object.entries(problems).map(([name, message]) => ({ field: `tvs.${name}`, message })) },
    });
    expect((await patch(wrong)).body['meta']).toEqual({});
  });

  const missing = 'names b.jpg, which is not among the files of the site';

  it('are written silently while it is off, but for pictures that are not there', async () => {
    await start('off');
    const meta = { warnings: [{ field: 'tvs.photo', message: missing }] };
    expect((await patch({ ...wrong, photo: 'b.jpg' })).body).toMatchObject({ data: { tvs: wrong }, meta });
    await mkdir(join(filesDir, 'shop'));
    for (const name of ['a.jpg', 'shop/c.jpg']) await writeFile(join(filesDir, name), '');
    expect((await patch({ photo: 'a.jpg' })).body['meta']).toEqual({});
    const properties = serializePhpValue({ baseUrl: { value: 'files/shop/' } });
    const place = { object: 6, object_class: 'modTemplateVar', context_key: 'web' };
    await site.fill({
      media_sources: [{ id: 7, name: 'Shop', class_key: 'modFileMediaSource', properties }],
      media_sources_elements: [{ source: 7, ...place }],
    });
    expect((await patch({ photo: 'c.jpg' })).body['meta']).toEqual({});
  });

  it('of a pattern that would take a backtracking engine for ever are answered', async () => {
    await start('strict');
    expect((await patch({ code: `${'a'.repeat(5000)}!` })).status).toBe(422);
    expect((await patch({ code: 'a'.repeat(5000) })).status).toBe(200);
  });

  it('are held to the same rules by commands', async () => {
    await start('strict');
    const at = { openStore, env: { HCD_DATABASE_URL: url, HCD_FILES_DIR: filesDir } };
    const refused = await runCli('resource update 2 --tv price=abc', at);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(problems.price)]);
    await runCli('setting set gateway_tv_validation warn', at);
    const warned = await runCli('resource update 2 --tv price=abc', at);
    expect([warned.code, warned.stderr]).toEqual([0, `Written, but tvs.price: ${problems.price}\n`]);
    expect((await runCli('resource update 2 --tv photo=b.jpg', at)).stderr).toContain(`tvs.photo: ${missing}`);
  });

  it('are described by /schema', async () => {
    await start(null);
    const { body } = await site.get('/schema');
    expect(body).toMatchObject({
      data: {
        tvs: {
          price: { accepts: { required: false, minimum: 0, maximum: 100 } },
          color: { accepts: { enum: ['red', 'blue'] } },
          code: { accepts: { required: true, pattern: '^(a+)+$' } },
        },
      },
    });
  });

  it('are shown by the answer to a write in the form that is asked for', async () => {
    await start('strict');
    const text = '<a href="[[~2]]">x</a>[[!secret]]';
    const form = '&tv_format=typed&links=resolve&urls=absolute&tags=strip';
    const { body } = await patch({ body: text, price: 5 }, form);
    const read = await site.get(`/resources/2?include=tvs${form}`, { as: 'all' });
    expect(body['data']).toEqual(read.body['data']);
    expect(body).toMatchObject({ data: { tvs: { price: 5, body: expect.not.stringContaining('[[') } } });
  });
});
