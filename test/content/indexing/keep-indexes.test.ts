/** The first making of the indexes of content: stopped at any point, beside changes, and done again. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { buildIndexes, sourceOf, updateIndexes } from '../../../src/content/indexing/keep-indexes.js';
import { noteSeen } from '../../../src/content/indexing/known.js';
import { searchIndex } from '../../../src/content/models/search-index.js';
import { tvIndex } from '../../../src/content/models/tv-values.js';
import type { Database } from '../../../src/store/base/database.js';
import type { Store } from '../../../src/store/open/open.js';
import { bumpContentGeneration } from '../../../src/store/state/state.js';
import { atFileEnd } from '../../support/at-file-end.js';
import { describeEachDatabase } from '../../support/databases.js';
import { execute } from '../../support/execute.js';
import { openMigrated } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';
import { seed } from '../../support/seed.js';

const count = 260;
const ids = Array.from({ length: count }, (_, at) => at + 1);

describeEachDatabase('new indexes of content', (database) => {
  let store: Store;

  beforeAll(async () => {
    store = await openMigrated({ databaseUrl: await database.url(), prefix: 'modx_', limits: patientLimits });
    atFileEnd(() => store.close());
    await seed(store, {
      site_content: ids.map((id) => ({ id, pagetitle: `Page ${id}`, alias: `page-${id}`, template: 1 })),
      site_templates: [{ id: 1, templatename: 'All' }],
      site_tmplvars: [{ id: 1, type: 'text', name: 'color', default_text: 'red' }],
      site_tmplvar_templates: [{ tmplvarid: 1, templateid: 1 }],
    });
  });

  beforeEach(() => run(['DELETE FROM hcd_search', 'DELETE FROM hcd_tv_values']));

  async function run(statements: readonly string[]): Promise<void> {
    await execute(store.own, ...statements);
  }

  async function titles(): Promise<ReadonlyMap<number, string>> {
    const rows = await searchIndex.on(store.own).findAll({ order: ['resource'] });
    return new Map(rows.filter(({ resource }) => resource > 0).map(({ resource, title }) => [resource, title.trim()]));
  }

  async function colors(): Promise<ReadonlyMap<number, string | null>> {
    const rows = await tvIndex.on(store.own).findAll({ order: ['resource'] });
    return new Map(rows.filter(({ resource }) => resource > 0).map(({ resource, text }) => [resource, text]));
  }

  /** Runs something before each of its writes. */
  function beforeWrites(work: () => Promise<void>): Store {
    const own = new Proxy(store.own, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        if (name !== 'write') return member.bind(target);
        const write: Database['write'] = async (...args) => {
          await work();
          return target.write(...args);
        };
        return write;
      },
    });
    return { ...store, own, content: own };
  }

  it('hold every resource once they are made', async () => {
    await buildIndexes(store, new AbortController().signal);
    expect(await titles()).toEqual(new Map(ids.map((id) => [id, `page ${id}`])));
    expect(await colors()).toEqual(new Map(ids.map((id) => [id, 'red'])));
  });

  it('follow more resources at once than a statement takes values', async () => {
    const many = Array.from({ length: 40_000 }, (_, at) => at + 1);
    await run(['DELETE FROM hcd_known_resources']);
    const updated = await store.own.write((tx) => noteSeen(tx, sourceOf(store, tx), many));
    expect(updated.map(({ key }) => key)).toEqual(ids);
  });

  it('hold what changed between reading and writing', async () => {
    const changed = beforeWrites(async () => {
      await run(["UPDATE modx_site_content SET pagetitle = 'Changed' WHERE id IN (5, 150)"]);
      await run(["UPDATE modx_site_tmplvars SET default_text = 'blue'"]);
      await store.own.write(bumpContentGeneration);
    });
    await buildIndexes(changed, new AbortController().signal);
    expect([...(await titles())].filter(([, title]) => title === 'changed').map(([id]) => id)).toEqual([5, 150]);
    expect(new Set((await colors()).values())).toEqual(new Set(['blue']));
    await run(["UPDATE modx_site_content SET pagetitle = CONCAT('Page ', id) WHERE id IN (5, 150)"]);
    await run(["UPDATE modx_site_tmplvars SET default_text = 'red'"]);
  });

  it('keep the entry of a resource that is made meanwhile', async () => {
    const changed = beforeWrites(async () => {
      // Before the part is written in which it is.
      if ((await titles()).size !== 200) return;
      await seed(store, { site_content: [{ id: 300, pagetitle: 'New' }] });
      await store.own.write(async (tx) => {
        await updateIndexes(tx, { source: sourceOf(store, tx), ids: [300], areNew: true });
        await bumpContentGeneration(tx);
      });
    });
    await buildIndexes(changed, new AbortController().signal);
    expect((await titles()).get(300)).toBe('new');
    await run(['DELETE FROM modx_site_content WHERE id = 300']);
  });

  it('are made on from where they were left, and what is there is compared', async () => {
    const stop = new AbortController();
    await buildIndexes(
      beforeWrites(async () => stop.abort()),
      stop.signal,
    );
    expect([...(await titles()).keys()]).toEqual(ids.slice(0, 200));
    await run(["UPDATE hcd_search SET digest = 'of other texts', title = 'other' WHERE resource = 7"]);
    await run(["UPDATE hcd_tv_values SET text = 'green' WHERE resource = 8"]);
    await run(['DELETE FROM hcd_search WHERE resource = 9']);
    await buildIndexes(store, new AbortController().signal);
    expect(await titles()).toEqual(new Map(ids.map((id) => [id, `page ${id}`])));
    expect(await colors()).toEqual(new Map(ids.map((id) => [id, 'red'])));
  });

  it('follow the variables that changed, also while their entries are made', async () => {
    await seed(store, { site_tmplvars: [{ id: 2, type: 'text', name: 'size', default_text: 'L' }] });
    await seed(store, { site_tmplvar_templates: [{ tmplvarid: 2, templateid: 1 }] });
    await buildIndexes(store, new AbortController().signal);
    const dye = (color: string) => run([`UPDATE modx_site_tmplvars SET default_text = '${color}' WHERE id = 1`]);
    await dye('blue');
    await run(["UPDATE hcd_tv_values SET text = 'XL' WHERE tv = 2 AND resource = 8"]);
    const changed = beforeWrites(() => dye('green'));
    await buildIndexes(changed, new AbortController().signal);
    await buildIndexes(store, new AbortController().signal);
    const textsOf = async (tv: number) =>
      (await tvIndex.on(store.own).findAll({ where: { tv, part: 0 } })).map(({ text }) => text);
    expect(new Set(await textsOf(1))).toEqual(new Set(['green']));
    expect(new Set(await textsOf(2))).toEqual(new Set(['L', 'XL']));
    await run(['DELETE FROM modx_site_tmplvars WHERE id = 2']);
    await buildIndexes(store, new AbortController().signal);
    expect(await textsOf(2)).toEqual([]);
    await dye('red');
  });

  it('of another form are compared once, and keep what is right', async () => {
    await buildIndexes(store, new AbortController().signal);
    const former = [
      "UPDATE hcd_search SET digest = 'whole 1' WHERE resource = 0",
      'UPDATE hcd_tv_values SET number = NULL WHERE resource = 0',
    ];
    await run([...former, "UPDATE hcd_tv_values SET text = 'green' WHERE resource = 8"]);
    await buildIndexes(store, new AbortController().signal);
    expect(await colors()).toEqual(new Map(ids.map((id) => [id, 'red'])));
    await run(["UPDATE hcd_tv_values SET text = 'green' WHERE resource = 8"]);
    await buildIndexes(store, new AbortController().signal);
    expect((await colors()).get(8)).toBe('green');
  });
});
