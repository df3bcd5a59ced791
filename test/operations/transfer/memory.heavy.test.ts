/** What exports and imports keep in memory does not grow with the records. */
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, it } from 'vitest';
import { compareSite } from '../../../src/operations/transfer/compare-site.js';
import { importRecords } from '../../../src/operations/transfer/import-records.js';
import { readNdjson } from '../../../src/operations/transfer/ndjson.js';
import { LineProblems } from '../../../src/operations/transfer/transfer-record.js';
import type { Store } from '../../../src/store/open/open.js';
import { freshSqliteUrl } from '../../support/databases.js';
import { exportParts, fileOf, kinds, migratedStore } from './transfer-store.js';

/** Both are above what is kept in any case. */
const counts = [6000, 16_000] as const;
/** A digest and a number for each record of an import, and some numbers for each of an export. */
const mostBytes = 250;

const stores: Store[] = [];
afterAll(() => Promise.all(stores.map((store) => store.close())));

/** Bytes in use after a collection of garbage: the least of some, as buffers are given back by a thread, after it. */
async function bytesInUse(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('there is no collector');
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round += 1) {
    collect();
    await setTimeout(50);
    const { heapUsed, external } = process.memoryUsage();
    least = Math.min(least, heapUsed + external);
  }
  return least;
}

const place = (at: number): string => `a-section-with-a-long-name-${at - (at % 50)}/page-${at % 50}.html`;

async function* fileWith(records: number, atEnd: () => Promise<void>, title = 'Page'): AsyncGenerator<Buffer> {
  for (let at = 0; at < records; at += 1) {
    const linked = `[[~web:${place(at - 1)}]]`;
    const record = {
      context_key: 'web',
      uri: place(at),
      pagetitle: `${title} ${at}`,
      ...(at > 0 ? { content: linked } : {}),
    };
    const text = fileOf(['resources', record]);
    yield Buffer.from(`${at === 0 ? text : text.slice(text.indexOf('\n') + 1)}\n`);
  }
  await atEnd();
}

async function importing(count: number, isDry: boolean): Promise<{ readonly store: Store; readonly bytes: number }> {
  const store = await migratedStore(await freshSqliteUrl());
  stores.push(store);
  const before = await bytesInUse();
  let bytes = 0;
  const problems = new LineProblems();
  const records = readNdjson(
    fileWith(count, async () => {
      bytes = (await bytesInUse()) - before;
    }),
    { problems },
  );
  expect(await importRecords({ store, kinds, records, problems, by: 'test', isDry })).toMatchObject({ created: count });
  return { store, bytes };
}

async function exporting(store: Store, count: number): Promise<number> {
  const before = await bytesInUse();
  let [records, bytes] = [0, 0];
  for await (const part of exportParts(store)) {
    records += part.split('\n').filter((line) => line.startsWith('{"object":"resources"')).length;
    if (records === count && bytes === 0) bytes = (await bytesInUse()) - before;
  }
  expect(records).toBe(count);
  return bytes;
}

/** Each record differs from the store. */
async function comparing(store: Store, count: number): Promise<number> {
  const before = await bytesInUse();
  const source = { open: () => fileWith(count, () => Promise.resolve(), 'Changed'), onBytes: () => undefined };
  return compareSite({ store, registry: null }, { source, by: 'test' }, async (differences, found) => {
    const bytes = (await bytesInUse()) - before;
    let shown = 0;
    for await (const { action } of differences) if (action === 'update') shown += 1;
    expect([shown, found]).toEqual([count, count]);
    return bytes;
  });
}

it('keeps a few bytes for each record', { timeout: 120_000 }, async () => {
  const [few, many] = counts;
  const used: Record<string, number> = {};
  const perRecord = (name: string, [first, second]: readonly [number, number]): void => {
    used[name] = Math.round((second - first) / (many - few));
  };
  const [small, large] = [await importing(few, false), await importing(many, false)];
  perRecord('import', [small.bytes, large.bytes]);
  perRecord('dry import', [(await importing(few, true)).bytes, (await importing(many, true)).bytes]);
  perRecord('export', [await exporting(small.store, few), await exporting(large.store, many)]);
  perRecord('comparison', [await comparing(small.store, few), await comparing(large.store, many)]);
  process.stdout.write(`bytes kept for each record: ${JSON.stringify(used)}\n`);
  for (const [name, bytes] of Object.entries(used)) expect(bytes, name).toBeLessThan(mostBytes);
});
