/** Requests that workers count in their first process, through messages. */
import { describe, expect, it } from 'vitest';
import { channelTo } from '../../commands/serve/process-channel.js';
import { countFor, hitsSender } from '../../commands/serve/share-changes.js';
import { MemoryCounter } from '../../src/identity/limits/counter.js';
import { fakeClock } from '../support/clock.js';
import { ProcessPipe } from '../support/process-pipe.js';

const minute = 60_000;

function setUp() {
  const counter = new MemoryCounter(fakeClock());
  return {
    openWorker() {
      const pipe = new ProcessPipe();
      countFor(pipe.inFirst, counter);
      return { pipe, add: hitsSender(pipe.inWorker) };
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
    dead.pipe.isOpen = false;
    const [count] = await openWorker().add([{ bucket: 'a', windowMs: minute, hits: 1 }]);
    expect(count?.hits).toBe(8);
  });

  it('fails when the channel is closed, and ignores other messages and late answers', async () => {
    const { openWorker } = setUp();
    const { add, pipe } = openWorker();
    pipe.sendForeign();
    pipe.isOpen = false;
    await expect(add([{ bucket: 'a', windowMs: minute, hits: 1 }])).rejects.toThrow('channel closed');
  });

  it('fails when the first process cannot count', async () => {
    const { add, pipe } = setUp().openWorker();
    channelTo(pipe.inFirst).answer('requests', () => Promise.reject(new Error('no counter')));
    await expect(add([{ bucket: 'a', windowMs: minute, hits: 1 }])).rejects.toThrow('no counter');
  });
});
