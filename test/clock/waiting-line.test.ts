/** Work waits for one of few places: writes, log-ins and heavy statements. */
import { expect, it } from 'vitest';
import { WaitingLine } from '../../src/clock/waiting-line.js';
import { fakeClock } from '../support/clock.js';
import { deferred } from '../support/deferred.js';

const refusal = (why: string) => new Error(why);

it('a line gives turns in the order of asking, never more than there are places, and refuses what is too much', async () => {
  const line = new WaitingLine({ places: 2, mostWaiting: 2, refusal });
  const gates = Array.from({ length: 6 }, () => deferred<void>());
  const began: number[] = [];
  const start = (at: number): Promise<number> =>
    line.run(async () => {
      began.push(at);
      await gates[at]?.promise;
      return at;
    });
  const [first, second, third, fourth] = [start(0), start(1), start(2), start(3)];
  await expect(start(4)).rejects.toThrow('full');
  expect(began).toEqual([0, 1]);
  gates[1]?.resolve();
  expect(await second).toBe(1);
  const fifth = start(5);
  for (const gate of gates) gate.resolve();
  expect(await Promise.all([first, third, fourth, fifth])).toEqual([0, 2, 3, 5]);
  expect(began).toEqual([0, 1, 2, 3, 5]);
});

it('a line goes on after work that fails, and after a turn that ends twice', async () => {
  const line = new WaitingLine({ places: 1, refusal });
  const failing = line.run(() => Promise.reject(new Error('broken')));
  const next = line.run(async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
  const end = await line.take();
  end();
  end();
  const last = await line.take();
  let hasBegun = false;
  const waiting = line.run(async () => {
    hasBegun = true;
  });
  await Promise.resolve();
  expect(hasBegun).toBe(false);
  last();
  await waiting;
});

it('a line lets a rare caller wait for one turn of another at most', async () => {
  const line = new WaitingLine({ places: 1, refusal });
  const order: string[] = [];
  const ends = [await line.take()];
  const ask = async (name: string, caller: string) => {
    ends.push(await line.take({ asker: { group: '', caller } }));
    order.push(name);
  };
  const all = [ask('a', ''), ask('b', ''), ask('c', ''), ask('log', 'log')];
  for (let at = 0; at < 4; at += 1) {
    ends[at]?.();
    await all[at === 0 ? 3 : at - 1];
  }
  expect(order).toEqual(['log', 'a', 'b', 'c']);
});

it('a line refuses what waits too long, and everything once it is closed', async () => {
  const clock = fakeClock();
  const line = new WaitingLine({ places: 1, wait: 100, clock, refusal });
  await line.take();
  const late = expect(line.take()).rejects.toThrow('late');
  await clock.advance(100);
  await late;
  const waiting = expect(line.take()).rejects.toThrow('closed');
  line.close();
  await waiting;
  await expect(line.take()).rejects.toThrow('closed');
});
