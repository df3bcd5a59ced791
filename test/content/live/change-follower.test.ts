/** Following the changes of content: each is reported once, whatever its source, and a gap means everything. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { ChangeFollower, writeChange } from '../../../src/content/live/content-change.js';
import { LiveState } from '../../../src/content/live/live-state.js';
import type { Mutation, RowChange } from '../../../src/content/live/mutation.js';
import { replicaGate } from '../../../src/content/live/site.js';
import { changes as changeLog, removeOldChanges } from '../../../src/content/models/changes.js';
import { announceChanges } from '../../../src/content/mutations/run-mutation.js';
import type { Store } from '../../../src/store/open/open.js';
import { bumpContentGeneration, readContentGeneration } from '../../../src/store/state/state.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { openMigrated } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';

const row = (key: number): RowChange => ({ object: 'resources', key, before: null, after: { id: key, alias: 'ä' } });

const mutation = (rows: readonly RowChange[]): Mutation => ({
  object: 'resources',
  action: 'created',
  key: 1,
  context: 'web',
  uri: null,
  parent: null,
  rows,
});

describeEachDatabase('changes of content', (database) => {
  let store: Store;
  let reported: (readonly RowChange[] | 'everything')[];

  beforeAll(async () => {
    store = await openMigrated({ databaseUrl: await database.url(), prefix: 'modx_', limits: patientLimits });
    return () => store.close();
  });

  beforeEach(async () => {
    reported = [];
    await run("DELETE FROM hcd_state WHERE `key` = 'content_generation'");
    await run('DELETE FROM hcd_changes');
  });

  const run = (sql: string) => store.own.write((tx) => tx.run({ sql, params: [] }));

  const follower = async (): Promise<ChangeFollower> => {
    const made = new ChangeFollower(store.own.primary);
    made.onChange((rows) => reported.push(rows));
    await made.look();
    return made;
  };

  const commit = (key: number) =>
    store.own.write((tx) => announceChanges().announce(tx, mutation([row(key)]))).then(() => undefined);

  it('made elsewhere are reported once, in their order', async () => {
    await commit(1);
    const changes = await follower();
    await commit(2);
    await commit(3);
    await changes.look();
    await changes.look();
    expect(reported).toEqual([[row(2)], [row(3)]]);
  });

  it('without a description count as everything', async () => {
    const changes = await follower();
    await store.own.write((tx) => bumpContentGeneration(tx));
    await changes.look();
    for (const payload of [null, '{"v":2}']) {
      await store.own.write(async (tx) => writeChange(tx, { generation: await bumpContentGeneration(tx), payload }));
      await changes.look();
    }
    await changes.look();
    expect(reported).toEqual(['everything', 'everything', 'everything']);
  });

  it('of a database that was put back are everything, and go on from there', async () => {
    await commit(1);
    await commit(2);
    const changes = await follower();
    await run("UPDATE hcd_state SET value = '1' WHERE `key` = 'content_generation'");
    await run('DELETE FROM hcd_changes WHERE generation > 1');
    await changes.look();
    await commit(5);
    await changes.look();
    expect(reported).toEqual(['everything', [row(5)]]);
  });

  it('of which there are too many are everything', async () => {
    const changes = await follower();
    await run("INSERT INTO hcd_state (`key`, value, updated_at) VALUES ('content_generation', '5000', 0)");
    await changes.look();
    expect(reported).toEqual(['everything']);
  });

  it('are read only from replicas that have them, by number or, in two databases, after five seconds', async () => {
    const clock = fakeClock();
    const deps = { ...store, env: {}, clock, log: () => undefined, prefix: 'modx_' };
    const liveOf = async () => {
      const live = new LiveState(deps);
      await live.refresh();
      return live;
    };
    const [live, apart] = [await liveOf(), await liveOf()];
    const together = replicaGate(store, { live, clock });
    const other = { ...store, own: { ...store.own } };
    const inTwo = replicaGate(other, { live: apart, clock });
    expect([together.wanted(), inTwo.wanted()]).toEqual([0, 0]);
    for (const one of [live, apart]) one.changes.apply({ generation: 1, rows: [row(1)] });
    expect([together.wanted(), inTwo.wanted()]).toEqual([1, null]);
    await clock.advance(5000);
    expect([together.wanted(), inTwo.wanted()]).toEqual([1, 0]);
    // A later change that is known before the one in between.
    live.changes.apply({ generation: 3, rows: [row(1)] });
    expect(together.wanted()).toBe(3);
  });

  it('are numbered in the order of their commits, whichever process makes them', async () => {
    const numbers = await Promise.all(Array.from({ length: 20 }, () => store.own.write(bumpContentGeneration)));
    expect([...numbers].sort((left, right) => left - right)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
  });

  it('are removed once they are no longer needed', async () => {
    for (const key of [1, 2, 3]) await commit(key);
    expect(await removeOldChanges(store.own)).toBe(false);
    await run('UPDATE hcd_changes SET created_on = created_on - 301000 WHERE generation < 3');
    expect(await removeOldChanges(store.own)).toBe(false);
    const left = await changeLog.on(store.own.primary).findAll({ order: ['generation'] });
    expect(left.map(({ generation }) => generation)).toEqual([3]);
  });

  it('are committed with their mutation or not at all', async () => {
    const failed = store.own.write(async (tx) => {
      await announceChanges().announce(tx, mutation([row(1)]));
      throw new TypeError('the rest failed');
    });
    await expect(failed).rejects.toThrow('the rest failed');
    expect(await readContentGeneration(store.own.primary)).toBe(0);
    expect(await changeLog.on(store.own.primary).count()).toBe(0);
  });
});
