/** Shared reads: one for callers that ask together, and never one that began before a caller asked. */
import { expect, test } from 'vitest';
import { gatheredRead, sharedRead } from '../../../src/values/joined.js';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('shares one read between callers of the same turn; it begins after the last of them has asked', async () => {
  let value = 0;
  let reads = 0;
  const read = sharedRead(async () => {
    reads += 1;
    return value;
  });
  const answers = [read(), read()];
  value = 1;
  answers.push(Promise.resolve().then(read));
  expect([await Promise.all(answers), reads]).toEqual([[1, 1, 1], 1]);
});

test('gives a caller that asks during a read the next one', async () => {
  const waiting: ((value: number) => void)[] = [];
  const read = sharedRead(() => new Promise<number>((resolve) => waiting.push(resolve)));
  const first = read();
  await nextTurn();
  await nextTurn();
  const second = read();
  await nextTurn();
  await nextTurn();
  expect(waiting).toHaveLength(2);
  waiting[0]?.(1);
  waiting[1]?.(2);
  expect(await Promise.all([first, second])).toEqual([1, 2]);
});

test('reports a failure only to the callers that shared the read', async () => {
  let isBroken = true;
  const read = sharedRead(async () => {
    if (isBroken) throw new Error('no database');
    return 'well';
  });
  const outcomes = await Promise.allSettled([read(), read()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await read()).toBe('well');
});

test('reads different keys of a turn together, each once', async () => {
  const asked: (readonly number[])[] = [];
  const read = gatheredRead(async (keys: readonly number[]) => {
    asked.push(keys);
    return new Map(keys.filter((key) => key < 3).map((key) => [key, `value ${key}`]));
  });
  expect(await Promise.all([read(1), read(2), read(1), read(3)])).toEqual(['value 1', 'value 2', 'value 1', undefined]);
  expect(await read(2)).toBe('value 2');
  expect(asked).toEqual([[1, 2, 3], [2]]);
});
