/** A read is kept until the next commit of any process, and not a moment longer. */
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { UnchangedReads } from '../../src/memory/seen-memory.js';
import type { Reader } from '../../src/store/base/database.js';

/** A database in which every commit counts one on. */
function database(start: number | undefined) {
  let version = start;
  const reader: Reader = {
    dialect: 'sqlite',
    select: () => Promise.reject(new Error('nothing is read here')),
    query: () => Promise.reject(new Error('nothing is read here')),
    ...(version === undefined ? {} : { version: () => version ?? Number.NaN }),
  };
  return {
    reader,
    commit: () => {
      version = (version ?? 0) + 1;
    },
    lose: () => {
      version = Number.NaN;
    },
  };
}

it('gives what was read in the same state', () => {
  const { reader, commit } = database(1);
  const reads = new UnchangedReads<string, string>([reader], 10);
  const state = reads.state();
  expect(reads.get(state, 'a')).toBeUndefined();
  reads.set(state, { key: 'a', value: 'first' });
  expect(reads.get(reads.state(), 'a')).toBe('first');
  commit();
  expect(reads.get(reads.state(), 'a')).toBeUndefined();
});

it('does not use a read from before a commit after it', () => {
  const { reader, commit } = database(1);
  const reads = new UnchangedReads<string, string>([reader], 10);
  const before = reads.state();
  commit();
  reads.set(before, { key: 'a', value: 'late' });
  expect(reads.get(reads.state(), 'a')).toBeUndefined();
});

it('forgets when either of two databases has changed', () => {
  const [content, own] = [database(1), database(1)];
  const reads = new UnchangedReads<string, string>([content.reader, own.reader], 10);
  for (const { commit } of [content, own]) {
    reads.set(reads.state(), { key: 'a', value: 'kept' });
    expect(reads.get(reads.state(), 'a')).toBe('kept');
    commit();
    expect(reads.get(reads.state(), 'a')).toBeUndefined();
  }
});

test.each([
  ['cannot tell', () => [database(undefined).reader]],
  ['are two of which one cannot tell', () => [database(1).reader, database(undefined).reader]],
] as const)('keeps nothing of databases that %s', (_name, readers) => {
  const reads = new UnchangedReads<string, string>(readers(), 10);
  reads.set(reads.state(), { key: 'a', value: 'kept' });
  expect(reads.get(reads.state(), 'a')).toBeUndefined();
});

it('keeps nothing while the database does not answer', () => {
  const { reader, lose } = database(1);
  const reads = new UnchangedReads<string, string>([reader], 10);
  reads.set(reads.state(), { key: 'a', value: 'kept' });
  lose();
  expect(reads.get(reads.state(), 'a')).toBeUndefined();
  reads.set(reads.state(), { key: 'a', value: 'kept' });
  expect(reads.get(reads.state(), 'a')).toBeUndefined();
});

it('holds at most the configured number of values', () => {
  const { reader } = database(1);
  const reads = new UnchangedReads<number, number>([reader], 3);
  for (let key = 0; key < 10; key += 1) reads.set(reads.state(), { key, value: key });
  const kept = Array.from({ length: 10 }, (_none, key) => reads.get(reads.state(), key)).filter(
    (one) => one !== undefined,
  );
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.length).toBeLessThanOrEqual(3);
});

it('gives the current value in every order of reads and commits', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('ask' as const), key: fc.integer({ min: 0, max: 2 }) }),
      fc.record({ kind: fc.constant('answer' as const), at: fc.nat({ max: 5 }) }),
      fc.record({ kind: fc.constant('commit' as const), key: fc.integer({ min: 0, max: 2 }) }),
    ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(steps, (order) => {
      const { reader, commit } = database(1);
      const reads = new UnchangedReads<number, number>([reader], 2);
      const rows = [0, 0, 0];
      const asked: { state: ReturnType<typeof reads.state>; key: number }[] = [];
      for (const step of order) {
        if (step.kind === 'commit') {
          rows[step.key] = (rows[step.key] ?? 0) + 1;
          commit();
        } else if (step.kind === 'ask') {
          const state = reads.state();
          const known = reads.get(state, step.key);
          if (known !== undefined) expect(known).toBe(rows[step.key]);
          asked.push({ state, key: step.key });
        } else {
          // A read gives what is there when it ends, which may be later than the state that was taken for it.
          const [one] = asked.splice(step.at % Math.max(1, asked.length), 1);
          if (one !== undefined) reads.set(one.state, { key: one.key, value: rows[one.key] ?? 0 });
        }
      }
    }),
  );
});
