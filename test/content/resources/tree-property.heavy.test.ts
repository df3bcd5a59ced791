/** Whatever is done to a tree in whatever order, the stored rows keep what the rules promise. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { announcedFields, type Mutation } from '../../../src/content/live/mutation.js';
import { type ResourceState, readResources } from '../../../src/content/models/resources.js';
import { readContentTypes } from '../../../src/content/resources/resource-write.js';
import { ancestorsOf, readUriSettings, type UriResource, type UriTree, uriOf } from '../../../src/content/rules/uri.js';
import { AppError } from '../../../src/errors/app-error.js';
import { describeEachDatabase } from '../../support/databases.js';
import { openResourceSite, type ResourceSite } from './resource-site.js';

const place = fc.nat({ max: 40 });
/** Few aliases, so that they clash; `box/in` imitates a path and `in` is also the only child of others. */
const alias = fc.constantFrom('a', 'b', 'c', 'in', 'box', 'a/b', 'b/in', '');
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('create' as const), parent: place, alias, frozen: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('move' as const), target: place, parent: place }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('rename' as const), target: place, alias }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('freeze' as const), target: place, alias, frozen: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('carry' as const), target: place, context: fc.constantFrom('web', 'shop') }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), target: place, byFlag: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('restore' as const), target: place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('purge' as const), target: place }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Rows = ReadonlyMap<number, ResourceState>;

/** Index 0 is the root, others the n-th row. */
function pick(rows: Rows, index: number): number {
  const ids = [0, ...rows.keys()];
  return ids[index % ids.length] ?? 0;
}

async function take(site: ResourceSite, rows: Rows, one: Step): Promise<Mutation> {
  const target = 'target' in one ? pick(rows, one.target) : 0;
  switch (one.do) {
    case 'create': {
      const frozen = one.frozen && one.alias !== '' ? { uri: one.alias, uri_override: true } : {};
      // A unique title, so that an alias can be made of it.
      return site.create({ pagetitle: `T ${rows.size}`, parent: pick(rows, one.parent), alias: one.alias, ...frozen });
    }
    case 'move':
      return site.update(target, { parent: pick(rows, one.parent) });
    case 'rename':
      return site.update(target, { alias: one.alias });
    case 'freeze':
      return site.update(target, { uri_override: one.frozen, uri: one.alias });
    case 'carry':
      return site.update(target, { context_key: one.context, parent: 0 });
    case 'delete':
      return one.byFlag ? site.update(target, { deleted: true }) : site.remove(target);
    case 'restore':
      return site.update(target, { deleted: false });
    case 'purge':
      return site.remove(target, { force: true });
  }
}

describeEachDatabase('a tree under random changes', (database) => {
  let site: ResourceSite;
  let contentTypes: UriTree['contentTypes'];
  const readAll = async (): Promise<Rows> => {
    const ids = (await site.select('SELECT id FROM modx_site_content ORDER BY id')).map(([id]) => Number(id));
    const table = site.store.tables.get('modx_site_content');
    if (!table) throw new Error('no table');
    const rows = await readResources(site.store.content, table, ids);
    return new Map(rows.map((row) => [row.id, row]));
  };

  beforeAll(async () => {
    site = await openResourceSite({ databaseUrl: await database.url() });
    await site.execute("INSERT INTO modx_context (`key`) VALUES ('shop')");
    const none = { site_start: '0', error_page: '0', site_unavailable_page: '0' };
    await site.set({ gateway_allowed_contexts: 'web,shop', ...none });
    await site.set({ container_suffix: '.dir' }, 'shop');
    contentTypes = await site.store.content.write((tx) => readContentTypes({ tx, prefix: 'modx_' }));
  });

  it.each([['0'], ['1']])('keeps its promises (use_frozen_parent_uris %s)', async (frozenParents) => {
    await site.set({ use_frozen_parent_uris: frozenParents });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 40, size: 'max' }), async (steps) => {
        await site.execute('DELETE FROM modx_site_content');
        /** Row -> number of the deletion that took it. */
        const deletions = new Map<number, number>();
        let before = await readAll();
        for (const [number, one] of steps.entries()) {
          site.now += 1;
          const mutation = await take(site, before, one).catch((error: unknown) => {
            if (error instanceof AppError && ['validation_failed', 'not_found'].includes(error.code)) return null;
            throw error;
          });
          const after = await readAll();
          if (mutation === null) expect(after).toEqual(before);
          else {
            expectTold(mutation, { before, after });
            expectDeletions({ before, after, deletions, number });
          }
          expectSound(after);
          before = after;
        }
      }),
      { numRuns: 25 },
    );
  });

  /** Every changed row is announced before and after, and no other. */
  function expectTold(mutation: Mutation, { before, after }: { before: Rows; after: Rows }): void {
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (id) => JSON.stringify(before.get(id)) !== JSON.stringify(after.get(id)),
    );
    const told = new Map(mutation.rows.map((row) => [Number(row.key), row]));
    expect(mutation.rows[0]?.key).toBe(mutation.key);
    expect([...new Set([...changed, Number(mutation.key)])].sort()).toEqual([...told.keys()].sort());
    for (const [id, row] of told) {
      const [was, is] = [before.get(id), after.get(id)];
      expect(row.before).toEqual(was ? facts(was) : null);
      expect(row.after).toEqual(is ? facts(is) : null);
    }
  }

  function facts(row: ResourceState): unknown {
    const { registry } = site.writer;
    const told = announcedFields(registry.resources, registry);
    return Object.fromEntries(Object.entries(row).filter(([name]) => told.includes(name)));
  }

  /** A restored row brings back exactly what its deletion took. */
  function expectDeletions(told: { before: Rows; after: Rows; deletions: Map<number, number>; number: number }): void {
    const { before, after, deletions, number } = told;
    const flips = (from: boolean) =>
      [...after.values()].filter((row) => row.deleted !== from && (before.get(row.id)?.deleted ?? false) === from);
    for (const { id } of flips(false)) deletions.set(id, number);
    const restored = flips(true).map(({ id }) => id);
    const [first] = restored;
    if (first === undefined) return;
    const numbers = new Set(restored.map((id) => deletions.get(id)));
    expect(numbers.size).toBe(1);
    for (const id of restored) deletions.delete(id);
    // The one row that was asked for is above all others.
    const tops = restored.filter(
      (id) => !restored.includes(after.get(id)?.parent ?? 0) && isUnder(after, id, restored) === false,
    );
    expect(tops).toHaveLength(1);
    const left = [...after.values()].filter((row) => row.deleted && numbers.has(deletions.get(row.id)));
    expect(left.filter((row) => isUnder(after, row.id, restored))).toEqual([]);
  }

  function isUnder(rows: Rows, id: number, others: readonly number[]): boolean {
    for (let at = rows.get(id)?.parent; at !== undefined; at = rows.get(at)?.parent)
      if (others.includes(at)) return true;
    return false;
  }

  function expectSound(rows: Rows): void {
    const resources = new Map<number, UriResource>(rows);
    const live = site.writer.live();
    const tree: UriTree = {
      resources,
      contentTypes,
      settingsOf: (context) =>
        readUriSettings(new Map([...live.system, ...(live.byContext.get(context) ?? [])])).settings,
    };
    const taken = new Set<string>();
    for (const row of rows.values()) {
      const resource: UriResource = row;
      const top = [...ancestorsOf(resources, resource)].at(-1) ?? resource;
      // A chain that neither ends at the root nor at a removed row is a circle.
      const isComplete = top.parent === 0;
      expect(isComplete || !rows.has(top.parent), `circle at ${row.id}`).toBe(true);
      // Below a removed row addresses stay as they were.
      if (isComplete) expect([row.id, row.uri]).toEqual([row.id, uriOf(tree, resource)]);
      if (rows.has(row.parent)) expect(rows.get(row.parent)?.isfolder).toBe(true);
      expect(row.deleted).toBe(row.deletedon !== null);
      if (row.deleted) continue;
      const name = `${row.context_key} ${row.uri}`;
      expect(taken.has(name), `two resources have ${name}`).toBe(false);
      taken.add(name);
    }
  }
});
