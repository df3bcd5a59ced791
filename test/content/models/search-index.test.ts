/** The table of words: many rows are written in few statements, of bounded size. */
import { expect, it, onTestFinished } from 'vitest';
import { writeSearchRows } from '../../../src/content/indexing/words.js';
import { searchIndex } from '../../../src/content/models/search-index.js';
import type { Statement } from '../../../src/store/base/database.js';
import { describeEachDatabase } from '../../support/databases.js';
import { openMigrated } from '../../support/migrate.js';

describeEachDatabase('rows of words', (database) => {
  it('are written two hundred at a time, fewer where they are long, and replaced by their key', async () => {
    const store = await openMigrated({ databaseUrl: await database.url(), prefix: 'modx_' });
    onTestFinished(() => store.close());
    const { own } = store;
    const rowOf = (resource: number, word: string) => ({ resource, title: ' t ', words: word, digest: 'a' });
    const short = Array.from({ length: 420 }, (_, at) => rowOf(at + 1, `hcdword${at}`));
    const long = [421, 422, 423].map((resource) => rowOf(resource, 'x'.repeat(200_000)));
    const sent: number[] = [];
    await own.write(async (tx) => {
      const run = (statement: Statement) => {
        sent.push(statement.params.length / 4);
        return tx.run(statement);
      };
      await writeSearchRows({ dialect: tx.dialect, run }, [...short, ...long]);
    });
    expect(sent).toEqual([200, 200, 21, 1, 1]);
    await own.write((tx) => writeSearchRows(tx, [rowOf(1, 'other'), rowOf(424, 'new')]));
    const stored = await searchIndex
      .on(own.primary)
      .findAll({ attributes: ['resource', 'words'], order: ['resource'] });
    expect(stored).toHaveLength(424);
    expect([stored[0], stored[1], stored[423]]).toEqual([
      { resource: 1, words: 'other' },
      { resource: 2, words: 'hcdword1' },
      { resource: 424, words: 'new' },
    ]);
  });
});
