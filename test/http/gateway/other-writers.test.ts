/** What other programs write without a log entry shows with the next look at the tables, and other answers stay kept. */
import { beforeAll, expect, it } from 'vitest';
import { openEditing } from '../../../src/content/administration/edit-content.js';
import { updateElementByHand } from '../../../src/content/administration/edit-elements.js';
import { elementKinds } from '../../../src/content/elements/element-kinds.js';
import { openStore, type Store } from '../../../src/store/open/open.js';
import { readContentGeneration } from '../../../src/store/state/state.js';
import { deliveries } from '../../../src/webhooks/models/deliveries.js';
import { insertSubscription } from '../../../src/webhooks/models/subscriptions.js';
import { atFileEnd } from '../../support/at-file-end.js';
import { type FakeClock, fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { execute } from '../../support/execute.js';
import { patientLimits } from '../../support/patient-limits.js';
import { seed, seedByOthers } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';

describeEachDatabase('a program that writes to the tables', (database) => {
  let site: TestSite;
  let other: Store;
  let clock: FakeClock;
  /** The time of day, while it stands still and looks go on. */
  let standing: number | null = null;

  beforeAll(async () => {
    const databaseUrl = await database.url();
    clock = fakeClock();
    const ofSite = { ...clock, now: () => standing ?? clock.now() };
    site = await startTestSite({ databaseUrl, clock: ofSite, env: { HCD_GATEWAY_CACHE_ENABLED: '1' } });
    other = await openStore({ databaseUrl, prefix: 'modx_', limits: patientLimits });
    atFileEnd(() => other.close());
    await seed(other, {
      site_content: [
        { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html', template: 2 },
        { id: 2, pagetitle: 'About', alias: 'about', uri: 'about.html', template: 1 },
        { id: 3, pagetitle: 'Team', alias: 'team', uri: 'team.html', parent: 2 },
      ],
      site_templates: [{ id: 1, templatename: 'All' }],
      site_tmplvars: [{ id: 1, type: 'text', name: 'color', default_text: 'red' }],
      site_tmplvar_templates: [{ tmplvarid: 1, templateid: 1 }],
    });
    await clock.advance(5000);
  });

  const write = (...statements: readonly string[]) => execute(other.content, ...statements);
  const ask = async (path: string) => {
    await clock.advance(400);
    const { status, body } = await site.get(path);
    return status === 200 ? body['data'] : status;
  };

  const set = (id: number, values: string) => `UPDATE modx_site_content SET ${values} WHERE id = ${id}`;
  const children = '/resources?fields=id&filter[parent]=2';
  const filtered = (color: string) => `/resources?fields=id&sort=id&filter[tv.color]=${color}`;
  const colored = '/resources/2?fields=id&tv_fields=color';

  const addValue = "INSERT INTO modx_site_tmplvar_contentvalues (tmplvarid, contentid, value) VALUES (1, 2, 'blue')";
  const addPage =
    "INSERT INTO modx_site_content (pagetitle, alias, description, parent, published, uri, context_key) VALUES ('New', 'new', '', 2, 1, 'new', 'web')";
  const changeDefault = "UPDATE modx_site_tmplvars SET default_text = 'green'";
  const join = 'INSERT INTO modx_site_tmplvar_templates (tmplvarid, templateid) VALUES (1, 2)';
  const leave = 'DELETE FROM modx_site_tmplvar_templates WHERE templateid = 1';

  it.each([
    ['a title', '/resources/2?fields=pagetitle', set(2, "pagetitle = 'Us'"), { pagetitle: 'Us' }],
    ['a page that is unpublished', '/resources/3', set(3, 'published = 0'), 404],
    ['a page that is back', '/resources/3?fields=id', set(3, 'published = 1'), { id: 3 }],
    ['another address', '/pages/firm.html?fields=id', set(2, "uri = 'firm.html'"), { id: 2 }],
    ['a value of a template variable', colored, addValue, { id: 2, tvs: { color: 'blue' } }],
    ['a new page in a list', children, addPage, [{ id: 3 }, { id: 4 }]],
    ['a removed page in a list', children, 'DELETE FROM modx_site_content WHERE id = 4', [{ id: 3 }]],
    ['the filter of a page with another template', filtered('red'), set(3, 'template = 1'), [{ id: 3 }]],
    ['the filter of the default of a template variable', filtered('green'), changeDefault, [{ id: 3 }]],
    ['the filter of a template variable that joins a template', filtered('green'), join, [{ id: 1 }, { id: 3 }]],
    ['a template variable that leaves its template', colored, leave, { id: 2, tvs: {} }],
  ])('%s', async (_name, path, sql, shown) => {
    await ask(path);
    await write(sql);
    await expect.poll(() => ask(path)).toEqual(shown);
  });

  it.runIf(database.name === 'mariadb').each([
    [
      'locks tables',
      ['LOCK TABLES modx_site_content WRITE', set(3, "pagetitle = 'Locked'")],
      'UNLOCK TABLES',
      'Locked',
    ],
    [
      'alters a table',
      ['ALTER TABLE modx_site_content ADD added INT, ALGORITHM=COPY', set(3, "pagetitle = 'Wider', added = 1")],
      'ALTER TABLE modx_site_content DROP added, ADD INDEX for_uri (uri(50)), ALGORITHM=COPY',
      'Wider',
    ],
  ])('%s while answers are read', async (_, before, after, pagetitle) => {
    const seen: Promise<unknown>[] = [];
    const read = () =>
      ['/resources/3?fields=pagetitle', '/resources?limit=3', '/tree', '/pages'].map((path) => ask(path));
    await other.content.write(async (tx) => {
      for (const sql of before) await tx.run({ sql, params: [] });
      seen.push(...read(), ...read());
      await tx.run({ sql: after, params: [] });
    });
    seen.push(...read());
    for (const found of await Promise.all(seen)) expect(typeof found).not.toBe('number');
    await expect.poll(() => ask('/resources/3?fields=pagetitle')).toEqual({ pagetitle });
    await write(set(3, "pagetitle = 'Later'"));
    await expect.poll(() => ask('/resources/3?fields=pagetitle')).toEqual({ pagetitle: 'Later' });
    expect(site.log.filter(({ kind }) => kind === 'unexpected_error')).toEqual([]);
  });

  it('is not noticed when it was this program', async () => {
    for (let look = 0; look < 5; look += 1) await ask('/resources/2');
    const editing = await openEditing(other, { env: {}, clock, log: () => {}, events: false, trust: true });
    const kind = elementKinds.find(({ object }) => object === 'templates') ?? expect.fail();
    await updateElementByHand(editing, { kind, idOrName: '1', body: { description: 'by this program' } });
    const generation = await readContentGeneration(other.own);
    for (let look = 0; look < 5; look += 1) await ask('/resources/2');
    expect(await readContentGeneration(other.own)).toBe(generation);
  });

  it('raises events, and one for many changes at once or soon after', async () => {
    const row = { name: null, url: 'https://site.example/', secret: '', active: true, createdBy: 'a test' };
    await other.own.write((tx) => insertSubscription(tx, { ...row, events: ['*'] }));
    const events = async () => {
      await clock.advance(400);
      const rows = await deliveries.on(other.own.primary).findAll({ attributes: ['body'], order: ['id'] });
      return rows.map(({ body }) => JSON.parse(body) as { type: string; meta: { count?: number } });
    };
    const add = (from: number, count: number) =>
      seedByOthers(other, {
        site_content: Array.from({ length: count }, (_, at) => ({ id: from + at, uri: `${from + at}` })),
      });
    const types = async () =>
      (await events()).flatMap(({ type, meta }) => (type === 'resources.deleted' ? [] : [[type, meta.count]]));
    // After a pause of ten seconds a change is an event of its own.
    standing = clock.now();
    await add(100, 501);
    await expect.poll(types).toEqual([['content.changed', 501]]);
    await add(700, 1);
    await expect.poll(types).toEqual([
      ['content.changed', 501],
      ['content.changed', 1],
    ]);
    standing = null;
    await clock.advance(30_000);
    await add(701, 1);
    await expect.poll(types).toHaveLength(3);
    expect((await types())[2]).toEqual(['resources.created', undefined]);
  });

  it.each([
    ['templates', "UPDATE modx_site_templates SET templatename = 'Other' WHERE id = 1"],
    ['media sources', "UPDATE modx_media_sources SET description = 'Other' WHERE id = 1"],
  ])('raises one event for %s, without a number', async (_, statement) => {
    const bodies = async () => {
      await clock.advance(400);
      const rows = await deliveries.on(other.own.primary).findAll({ attributes: ['body'], order: ['id'] });
      return rows.map(({ body }) => JSON.parse(body));
    };
    const { length } = await bodies();
    await write(statement);
    const tags = ['gateway:resources', 'gateway:resources:list', 'gateway:context:web'];
    const changed = { type: 'content.changed', data: { object: 'resources', action: 'changed' } };
    await expect
      .poll(async () => (await bodies()).slice(length))
      .toMatchObject([{ ...changed, meta: { source: 'cms' } }]);
    for (let look = 0; look < 5; look += 1) await bodies();
    expect((await bodies()).slice(length).map(({ meta }) => meta)).toEqual([
      { source: 'cms', revalidate: expect.arrayContaining(tags) },
    ]);
  });
});
