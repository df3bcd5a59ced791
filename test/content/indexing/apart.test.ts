/** With two databases a change by this process is announced once, however long it stands between its two commits. */
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { type Editing, openEditing, updateResourceByHand } from '../../../src/content/administration/edit-content.js';
import { updateElementByHand } from '../../../src/content/administration/edit-elements.js';
import { kindNamed } from '../../../src/content/elements/element-kinds.js';
import { buildIndexes, followMutations } from '../../../src/content/indexing/keep-indexes.js';
import { notice, noticeTables, type OnNoticed } from '../../../src/content/indexing/notice.js';
import { unannounced } from '../../../src/content/mutations/run-mutation.js';
import { buildRegistry } from '../../../src/content/objects/core-objects.js';
import { objectTables } from '../../../src/content/objects/object-registry.js';
import type { Database } from '../../../src/store/base/database.js';
import type { Store } from '../../../src/store/open/open.js';
import { atFileEnd } from '../../support/at-file-end.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { deferred } from '../../support/deferred.js';
import { eventually } from '../../support/eventually.js';
import { openMigrated } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';
import { seed } from '../../support/seed.js';

describeEachDatabase('a look between the commits of a write', (database) => {
  let store: Store;

  beforeAll(async () => {
    const addresses = { databaseUrl: await database.url(), ownDatabaseUrl: await database.url() };
    store = await openMigrated({ ...addresses, prefix: 'modx_', limits: patientLimits });
    atFileEnd(() => store.close());
    await seed(store, { site_content: [{ id: 1 }, { id: 2 }], site_templates: [{ id: 1, templatename: 'All' }] });
    await buildIndexes(store, new AbortController().signal);
  });

  /** The write makes its second commit when the look has found it. Returns what the look announced. */
  async function lookDuring(
    write: (editing: Editing) => Promise<unknown>,
    look: (noticed: OnNoticed) => Promise<unknown>,
  ): Promise<unknown[]> {
    const [isCommitted, mayGoOn] = [deferred(), deferred()];
    const commit: Database['write'] = async (...args) => {
      const result = await store.content.write(...args);
      isCommitted.resolve();
      await mayGoOn.promise;
      return result;
    };
    const content = new Proxy(store.content, {
      get(target, name) {
        const member: unknown = name === 'write' ? commit : Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const options = { env: {}, clock: fakeClock(), log: () => {}, events: false, trust: true };
    const writing = write(await openEditing({ ...store, content }, options));
    await isCommitted.promise;
    const finding = vi.spyOn(unannounced(store.own), 'entries');
    onTestFinished(() => finding.mockRestore());
    const told: unknown[] = [];
    const looking = look(async (_tx, changes) => {
      told.push(changes === 'elements' ? changes : changes.map(({ key }) => key));
    });
    await eventually(() => expect(finding).toHaveBeenCalled());
    mayGoOn.resolve();
    await Promise.all([writing, looking]);
    return told;
  }

  it('leaves the resource to the write, and announces those of other programs', async () => {
    const sql = "UPDATE modx_site_content SET pagetitle = 'Theirs' WHERE id = 2";
    const told = await lookDuring(
      (editing) => updateResourceByHand(editing, { id: 1, body: { pagetitle: 'Ours' } }),
      async (noticed) => {
        await store.content.write((tx) => tx.run({ sql, params: [] }));
        expect(await notice(store, { ids: [1, 2], noticed })).toEqual([2]);
      },
    );
    expect(told).toEqual([[2]]);
  });

  it('leaves the table of an element to the write', async () => {
    const tables = objectTables(store, buildRegistry());
    await noticeTables(store, tables, async () => undefined);
    const asked = { kind: kindNamed('templates'), idOrName: '1', body: { description: 'Ours' } };
    const told = await lookDuring(
      (editing) => updateElementByHand(editing, asked),
      (noticed) => noticeTables(store, tables, noticed),
    );
    expect(told).toEqual([]);
  });

  it('announces an element that another program changed before a file was written', async () => {
    const tables = objectTables(store, buildRegistry());
    await noticeTables(store, tables, async () => undefined);
    const sql = "UPDATE modx_site_templates SET description = 'Theirs' WHERE id = 1";
    await store.content.write((tx) => tx.run({ sql, params: [] }));
    const { announce } = followMutations(store, buildRegistry(), { events: false });
    const nowhere = { context: null, uri: null, parent: null };
    await store.own.write((tx) =>
      announce(tx, { object: 'media', action: 'created', key: 'lamp.jpg', ...nowhere, rows: [] }),
    );
    const told: unknown[] = [];
    await noticeTables(store, tables, async (_tx, changes) => void told.push(changes));
    expect(told).toEqual(['elements']);
  });
});
