/** The sample of the index of words: read from all over it, kept for half a minute, read again after a failure. */
import { expect, it, onTestFinished } from 'vitest';
import { writeSearchRows } from '../../../src/content/models/search-index.js';
import { WordSamples } from '../../../src/content/reading/word-samples.js';
import type { Reader } from '../../../src/store/base/database.js';
import { openStore } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { migrate } from '../../support/migrate.js';

const row = (resource: number) => ({ resource, title: ` title ${resource} `, words: `hcd${resource}`, digest: '' });

describeEachDatabase('a sample of the index of words', (database) => {
  it('is none of a small index, and has rows from all over a larger one', async () => {
    const store = await openStore({ databaseUrl: await database.url(), prefix: 'modx_' });
    onTestFinished(() => store.close());
    await migrate(store);
    const state = { now: 0 };
    const samples = new WordSamples(() => state.now);
    const add = (from: number, to: number) =>
      store.own.write((tx) =>
        writeSearchRows(
          tx,
          Array.from({ length: to - from + 1 }, (_, at) => row(from + at)),
        ),
      );
    await add(1, 1000);
    expect(await samples.get(store.own)).toBeNull();
    await add(1001, 1200);
    state.now = 29_999;
    expect(await samples.get(store.own)).toBeNull();
    state.now = 30_000;
    const sample = (await samples.get(store.own)) ?? [];
    expect(sample).toHaveLength(300);
    for (const id of [1, 25, 101, 1101, 1125]) {
      const words = [`hcd${id}`, 'tcdtitle', `tcd${id}`, `xcdtitle${id}`];
      expect(sample.some((one) => words.every((word) => one.words.has(word)))).toBe(true);
    }
  });
});

it('is read again where it could not be read', async () => {
  const samples = new WordSamples(() => 0);
  const failures = [new Error('first'), new Error('second')];
  for (const failure of failures) {
    const gone = new Proxy({} as Reader, {
      get() {
        throw failure;
      },
    });
    await expect(samples.get(gone)).rejects.toBe(failure);
  }
});
