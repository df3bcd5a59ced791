import { beforeAll, expect, it } from 'vitest';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describeEachDatabase } from '../../support/databases.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';

const identities = {
  all: { kind: 'api_key', id: 'all', scopes: new Set(['*']), userId: null },
  ctx: { kind: 'api_key', id: 'ctx', scopes: new Set(['contexts.read']), userId: null },
} as const;
describeEachDatabase('scratch', (database) => {
  let site: TestSite;
  beforeAll(async () => {
    site = await startTestSite({ databaseUrl: await database.url(), identities });
    const rows = [] as Record<string, string|number>[];
    // 200 roots, each 100 children, each.. 110 children of first level some
    let id = 1;
    for (let a = 0; a < 100; a++) rows.push({ id: id++, pagetitle: `root ${a}`, isfolder: 1, uri: `r${a}/` });
    for (let a = 1; a <= 100; a++) for (let b = 0; b < 101; b++) rows.push({ id: id++, parent: a, pagetitle: `x ${(a * b) % 977} ${b}`, uri: `c${a}-${b}` });
    for (let a = 101; a <= 400; a++) for (let b = 0; b < 110; b++) rows.push({ id: id++, parent: a, pagetitle: `y ${(a * b) % 977}`, uri: `g${a}-${b}`, content: 'lorem ipsum '.repeat(40) });
    await seed(site.store, { site_content: rows, context: [{ key: 'docs', name: 'Docs' }], system_settings: [{ key: 'gateway_allowed_contexts', value: 'web,docs,mgr' }] });
    await site.live.refresh();
    console.log('rows', rows.length);
  }, 200000);
  it('times', async () => {
    for (const path of [
      '/resources?limit=100&include=children&fields=id&sort=id',
      '/resources?limit=100&include=children.children&fields=id&sort=id',
      '/resources?limit=100&include=children.children,children.parent,children.tvs&fields=id&sort=id',
      '/resources?limit=100&sort=pagetitle&fields=id',
      '/resources?limit=100&sort=pagetitle,createdon&fields=id&offset=40000',
      '/resources?limit=100&sort=-createdon,pagetitle&fields=id,content&offset=10000',
      '/resources?limit=100&offset=100000',
      '/resources?limit=1&q=zzz',
      '/resources?limit=1&filter[alias][like]=%25zzz%25',
      '/resources?limit=1&filter[alias][neq]=x&filter[hidemenu]=1',
    ]) {
      const h = monitorEventLoopDelay({ resolution: 5 });
      h.enable();
      const t = performance.now();
      const got = await site.get(path);
      const ms = performance.now() - t;
      h.disable();
      console.log(database.name, path, got.status, Math.round(ms), 'ms; max loop', Math.round(h.max / 1e6), got.text.length, JSON.stringify((got.body as any).meta).slice(0, 150), (got.body as any).links?.next);
    }
  }, 200000);
  it('contexts', async () => {
    for (const [path, as] of [['/contexts/web', 'ctx'], ['/contexts/mgr', 'ctx'], ['/contexts/nope', 'ctx'], ['/contexts/docs', 'ctx'], ['/contexts', 'ctx'], ['/contexts?context=mgr', 'ctx'], ['/contexts/mgr/settings', 'ctx'], ['/contexts/nope/settings', 'ctx'], ['/contexts/web', undefined], ['/objects/contexts/mgr','ctx']] as const) {
      const got = await site.get(path, as ? { as } : {});
      console.log(path, got.status, got.text.slice(0, 160));
    }
  });
});
