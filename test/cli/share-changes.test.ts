/** Changes on their way between workers: to all others, answered once they have taken it in, and never waited for long. */
import { describe, expect, it } from 'vitest';
import { type ChangeChannel, openChannel, relayChanges } from '../../commands/serve/share-changes.js';
import type { ContentChange } from '../../src/content/live/content-change.js';
import type { AnnouncedChange } from '../../src/content/mutations/run-mutation.js';
import { fakeClock } from '../support/clock.js';
import { ProcessPipe } from '../support/process-pipe.js';

function setUp(count: number) {
  const clock = fakeClock();
  const relay = relayChanges();
  const received: [number, ContentChange | 'look'][] = [];
  const workers = Array.from({ length: count }, (_, index) => {
    const pipe = new ProcessPipe();
    const channel: ChangeChannel = openChannel(pipe.inWorker, clock);
    channel.onReceive(async (change) => void received.push([index, change]));
    relay.join(pipe.inFirst);
    return { pipe, channel };
  });
  const [first] = workers;
  if (first === undefined) throw new Error('a server has a worker');
  return { clock, received, workers, first };
}

const rows = [{ object: 'resources', key: 1, before: null, after: { id: 1 } }];
const change: AnnouncedChange = { generation: 7, rows, payload: '[["resources",1,null,{"id":1}]]' };

/** Whether the promise has settled once every other promise has. */
async function isDone(promise: Promise<void>): Promise<boolean> {
  return Promise.race([
    promise.then(() => true),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
  ]);
}

describe('a credential that one worker changed', () => {
  it('waits until the other workers have forgotten it, but not for dead ones', async () => {
    const { clock, workers, first } = setUp(3);
    const forgot: number[] = [];
    for (const [index, { channel }] of workers.entries()) channel.onRevocation(() => void forgot.push(index));
    expect(await isDone(first.channel.sendRevocation())).toBe(true);
    expect(forgot).toEqual([1, 2]);
    expect(clock.pending).toBe(0);
    const [, second] = workers;
    if (second !== undefined) second.pipe.isOpen = false;
    expect(await isDone(first.channel.sendRevocation())).toBe(true);
    expect(forgot).toEqual([1, 2, 2]);
  });
});

describe('a change of one worker', () => {
  it('reaches the others, and is done when all have taken it in', async () => {
    const { clock, received, first } = setUp(3);
    expect(await isDone(first.channel.send(change))).toBe(true);
    expect(received).toEqual([
      [1, { generation: 7, rows }],
      [2, { generation: 7, rows }],
    ]);
    expect(clock.pending).toBe(0);
  });

  it('returns at once without other workers', async () => {
    const { received, first } = setUp(1);
    expect(await isDone(first.channel.send(change))).toBe(true);
    expect(received).toEqual([]);
  });

  it('that may be anything says so, and one that is too long lets them look', async () => {
    const { received, first } = setUp(2);
    await first.channel.send({ generation: 8, rows: null, payload: null });
    await first.channel.send({ generation: 9, rows, payload: 'x'.repeat(65_537) });
    await first.channel.send({ generation: 10, rows, payload: 'of a later version' });
    expect(received).toEqual([
      [1, { generation: 8, rows: null }],
      [1, 'look'],
      [1, { generation: 10, rows: null }],
    ]);
  });

  it('does not wait long for one that hangs, nor for one that dies', async () => {
    const { clock, workers, first } = setUp(3);
    for (const { pipe } of workers.slice(1)) pipe.inWorker.removeAllListeners('message');
    const waiting = first.channel.send(change);
    expect(await isDone(waiting)).toBe(false);
    for (const { pipe } of workers.slice(1)) pipe.inFirst.emit('exit');
    expect(await isDone(waiting)).toBe(true);

    const { clock: other, workers: hanging, first: sender } = setUp(2);
    hanging[1]?.pipe.inWorker.removeAllListeners('message');
    const alone = sender.channel.send(change);
    await other.advance(249);
    expect(await isDone(alone)).toBe(false);
    await other.advance(1);
    expect([await isDone(alone), clock.pending, other.pending]).toEqual([true, 0, 0]);
  });

  it('is not waited for over a channel that is closed', async () => {
    const { workers, first, received } = setUp(3);
    const [, gone] = workers;
    if (gone) gone.pipe.isOpen = false;
    expect(await isDone(first.channel.send(change))).toBe(true);
    expect(received.map(([index]) => index)).toEqual([2]);
    first.pipe.isOpen = false;
    expect(await isDone(first.channel.send(change))).toBe(true);
  });

  it('is waited for although a listener fails, and foreign messages are ignored', async () => {
    const { workers, first, received } = setUp(3);
    workers[1]?.channel.onReceive(() => Promise.reject(new Error('no store')));
    first.pipe.sendForeign();
    expect(await isDone(first.channel.send(change))).toBe(true);
    expect(received.map(([index]) => index)).toEqual([2]);
  });
});
