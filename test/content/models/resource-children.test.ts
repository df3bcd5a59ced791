/** Reading the children of resources: all of them, whose rows never come in one piece. */
import { expect, it, onTestFinished } from 'vitest';
import { readChildren } from '../../../src/content/models/resources.js';
import type { Reader } from '../../../src/store/base/database.js';
import { openStore } from '../../../src/store/open/open.js';
import { migrated } from '../../identity/keys/key-store.js';
import { describeEachDatabase } from '../../support/databases.js';
import { seed } from '../../support/seed.js';

const name = 'modx_site_content';

describeEachDatabase('children of resources', (database) => {
  it('are read whole in statements of 200 rows, however many one parent has', async () => {
    const store = await openStore({ databaseUrl: await migrated(await database.url()), prefix: 'modx_' });
    onTestFinished(() => store.close());
    const row = (id: number, parent: number) => ({ id, parent, pagetitle: `Page ${id}` });
    await seed(store, {
      site_content: [row(1, 0), row(2, 0), row(3, 0)].concat(
        Array.from({ length: 450 }, (_none, at) => row(1000 - at, 1)),
        [row(10, 2), row(11, 10)],
      ),
    });
    const answers: { readonly rows: number; readonly columns: number }[] = [];
    const { primary } = store.content;
    const reader: Reader = {
      dialect: primary.dialect,
      async select(statement) {
        const rows = await primary.select(statement);
        answers.push({ rows: rows.length, columns: rows[0]?.length ?? 0 });
        return rows;
      },
      query: (table, work) => primary.query(table, work),
    };
    const columns = store.tables.get(name)?.columns ?? new Map();
    const children = await readChildren(reader, { name, columns }, [1, 2, 3]);
    expect(children.map(({ id, parent }) => [id, parent])).toEqual([
      [10, 2],
      ...Array.from({ length: 450 }, (_none, at) => [551 + at, 1]),
    ]);
    // Their ids are one column of an index; what they are comes in pieces.
    expect(answers.map(({ rows }) => rows)).toEqual([451, 200, 200, 51]);
    expect(answers.map((one) => one.columns > 1)).toEqual([false, true, true, true]);
  });
});
