/** What is written to the source while it is copied: the copy holds one moment of it. */
import { expect, test } from 'vitest';
import type { Database } from '../../../src/store/base/database.js';
import { openStore, type Store } from '../../../src/store/open/open.js';
import { describeEachDatabase, freshSqliteUrl } from '../../support/databases.js';
import { change, copy, makeOwnStore, reportOf, rowsOf } from './stores.js';

/** Opens stores; does `work` once, before the store at `url`, which is migrated already, gets its first rows. */
function interposing(url: string, work: () => Promise<void>): typeof openStore {
  let done = false;
  return async (options) => {
    const store = await openStore(options);
    if (options.databaseUrl !== url) return store;
    const watched = new Proxy(store.content, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== 'write') return typeof value === 'function' ? value.bind(target) : value;
        const write: Database['write'] = (inTransaction, writeOptions) =>
          target.write((tx) => {
            const run: typeof tx.run = async (statement) => {
              // Rows of the source are written only after its snapshot was taken.
              if (!done && statement.sql.startsWith('INSERT INTO `modx_')) {
                done = true;
                await work();
              }
              return tx.run(statement);
            };
            return inTransaction({
              dialect: tx.dialect,
              select: (statement) => tx.select(statement),
              query: (table, model) => tx.query(table, model),
              run,
            });
          }, writeOptions);
        return write;
      },
    });
    return { ...store, content: watched, own: watched } satisfies Store;
  };
}

describeEachDatabase('a source that is written to during the copy', (database) => {
  test('is copied and verified as of the beginning', async () => {
    const [source, target] = [await database.url(), await freshSqliteUrl()];
    await makeOwnStore(source, { site_content: [{ id: 1 }, { id: 2 }] });
    let wrote = false;
    const during = interposing(target, async () => {
      wrote = true;
      await change(source, [
        "INSERT INTO modx_site_content (id, description) VALUES (3, '')",
        'DELETE FROM modx_site_content WHERE id = 1',
        "UPDATE modx_system_settings SET value = 'late' WHERE `key` = 'friendly_urls'",
      ]);
    });
    await makeOwnStore(target);
    const copied = await copy(source, target, { openStore: during });
    expect({ code: copied.code, wrote }).toEqual({ code: 0, wrote: true });
    expect(reportOf(copied, 'modx_site_content')).toMatchObject({ source_rows: 2, copied: 2, verified: true });
    expect(await rowsOf(target, 'modx_site_content', ['id'])).toEqual(['[1]', '[2]']);
    expect(await rowsOf(source, 'modx_site_content', ['id'])).toEqual(['[2]', '[3]']);
    expect((await rowsOf(target, 'modx_system_settings', ['value'])).includes('["late"]')).toBe(false);
  });
});
