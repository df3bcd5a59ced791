/** What the rows of the CMS's log hint at: resources, tables, everything, or nothing. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { ManagerLog } from '../../../src/content/live/other-writers.js';
import type { Store } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { execute } from '../../support/execute.js';
import { openMigrated } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';

describeEachDatabase("the log of the CMS's manager", (database) => {
  let store: Store;
  let log: ManagerLog;

  beforeAll(async () => {
    store = await openMigrated({ databaseUrl: await database.url(), prefix: 'modx_', limits: patientLimits });
    return () => store.close();
  });

  beforeEach(async () => {
    await change('DELETE FROM modx_manager_log');
    await note('resource_update', 'modDocument', '4');
    log = new ManagerLog({ content: store.content, prefix: 'modx_' });
    expect(await log.read()).toEqual([]);
  });

  const change = (...statements: readonly string[]) => execute(store.content, ...statements);
  const note = async (action: string, classKey: string, item: string, id?: number) => {
    const names = id === undefined ? ['action', 'classKey', 'item'] : ['action', 'classKey', 'item', 'id'];
    const params = id === undefined ? [action, classKey, item] : [action, classKey, item, id];
    const sql = `INSERT INTO modx_manager_log (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
    await store.content.write((tx) => tx.run({ sql, params }));
  };
  const read = async () => {
    const found = await log.read();
    return found.includes(null) ? 'everything' : found;
  };

  type Row = readonly [action: string, classKey: string, item: string];
  const row = (...cells: Row) => cells;
  const resource = 'modDocument';

  it.each<[name: string, rows: readonly Row[], found: readonly number[] | 'everything']>([
    ['nothing new', [], []],
    ['a saved resource', [row('resource_update', resource, '4')], [4]],
    ['a resource that is unpublished', [row('unpublish_resource', 'modResource', '3')], [3]],
    ['a class with a namespace', [row('publish_resource', 'MODX\\Revolution\\modWebLink', '4')], [4]],
    ['a resource with others below it', [row('delete_resource', resource, '1')], [1]],
    ['two rows', [row('resource_update', resource, '4'), row('resource_create', resource, '3')], [4, 3]],
    ['a resource of an extra, which has further tables', [row('resource_update', 'msProduct', '4')], 'everything'],
    ['a resource without a usable id', [row('resource_update', resource, '4 and more')], 'everything'],
    ['an emptied trash', [row('empty_trash', 'modResource', '0')], 'everything'],
    ['a chunk', [row('chunk_update', 'modChunk', '1')], 'everything'],
    ['a setting and an access rule', [row('setting_update', '', 'x'), row('access_context_create', '', '5')], []],
    ['an action that is not known', [row('polish', '', '')], 'everything'],
    ['what the extra for MODX notes', [row('hcd_unlogged', '', 'everything')], 'everything'],
    ['files', [row('file_create', '', 'a.png'), row('directory_create', '', 'b/')], []],
    ['log-ins', [row('login', '', '1')], []],
    ['a file and a resource', [row('file_upload', '', 'a.png'), row('publish_resource', resource, '4')], [4]],
  ])('%s', async (_name, rows, found) => {
    for (const row of rows) await note(...row);
    expect(await read()).toEqual(found);
    expect(await read()).toEqual([]);
  });

  it('finds a row with a lower id that was committed later, once', async () => {
    await note('resource_update', 'modDocument', '4', 5000);
    expect(await read()).toEqual([4]);
    await note('resource_update', 'modDocument', '3', 4999);
    expect(await read()).toEqual([3]);
    expect(await read()).toEqual([]);
  });

  it('takes an emptied log for a change of everything, and goes on from there', async () => {
    await note('resource_update', 'modDocument', '4', 6000);
    await read();
    await change('DELETE FROM modx_manager_log');
    await note('resource_update', 'modDocument', '3', 1);
    expect(await read()).toBe('everything');
    await note('resource_update', 'modDocument', '4', 2);
    expect(await read()).toEqual([4]);
  });

  it('takes more rows than are worth reading for a change of everything', async () => {
    for (let id = 9000; id <= 9200; id += 1) await note('resource_update', 'modDocument', '4', id);
    expect(await read()).toBe('everything');
    expect(await read()).toEqual([]);
  });
});
