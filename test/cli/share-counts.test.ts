/** Requests that workers count in their first process, through messages. */
import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { countFor, hitsSender } from '../../commands/serve/share-counts.js';
import { MemoryCounter } from '../../src/identity/limits/counter.js';
import { fakeClock } from '../support/clock.js';

const minute = 60_000;

/** Both ends of the channel of a worker. */
function openPipe() {
  const inFirst = new EventEmitter();
  const inWorker = new EventEmitter();
  const state = { isOpen: true };
  for (const [end, other] of [
    [inFirst, inWorker],
    [inWorker, inFirst],
  ] as const) {
    Object.assign(end, {
      send: (message: unknown, done: (error: Error | null) => void) => {
        if (state.isOpen) other.emit('message', JSON.parse(JSON.stringify(message)));
        done(state.isOpen ? null : new Error('channel closed'));
      },
    });
  }
  return { inFirst, inWorker, state };
}

function setUp() {
  const counter = new MemoryCounter(fakeClock());
  return {
    openWorker() {
      const pipe = openPipe();
      countFor(pipe.inFirst as unknown as Worker, counter);
      return { ...pipe, add: hitsSender(pipe.inWorker as unknown as Worker) };
    },
  };
}

describe('a worker that counts in the first process', () => {
  it('gets the counts of all workers, by bucket', async () => {
    const { openWorker } = setUp();
    const [one, other] = [openWorker(), openWorker()];
    await one.add([{ bucket: 'a', windowMs: minute, hits: 3 }]);
    const counts = await other.add([
      { bucket: 'b', windowMs: minute, hits: 1 },
      { bucket: 'a', windowMs: minute, hits: 2 },
    ]);
    expect(counts.map(({ bucket, hits, leftMs }) => [bucket, hits, leftMs])).toEqual([
      ['b', 1, minute],
      ['a', 5, minute],
    ]);
  });

  it('finds what dead workers have counted', async () => {
    const { openWorker } = setUp();
    const dead = openWorker();
    await dead.add([{ bucket: 'a', windowMs: minute, hits: 7 }]);
    dead.state.isOpen = false;
    const [count] = await openWorker().add([{ bucket: 'a', windowMs: minute, hits: 1 }]);
    expect(count?.hits).toBe(8);
  });

  it('fails when the channel is closed, and ignores other messages and late answers', async () => {
    const { openWorker } = setUp();
    const { add, inWorker, inFirst, state } = openWorker();
    for (const message of ['stop', null, { kind: 'requests_counted', number: 99, counts: [] }]) {
      inWorker.emit('message', message);
      inFirst.emit('message', message);
    }
    state.isOpen = false;
    await expect(add([{ bucket: 'a', windowMs: minute, hits: 1 }])).rejects.toThrow('channel closed');
  });
});
