/** Verifications take turns: few at once, some wait in their order, more are refused. */
import { expect, it } from 'vitest';
import { VerifyQueue } from '../../../src/identity/users/verify-queue.js';
import { deferred } from '../../support/deferred.js';

it('runs two at once, queues the next in order, refuses more, and accepts new ones when there is room', async () => {
  const queue = new VerifyQueue({ running: 2, waiting: 2 });
  const gates = Array.from({ length: 6 }, () => deferred<void>());
  const began: number[] = [];
  const start = (at: number): Promise<number> =>
    queue.run(async () => {
      began.push(at);
      await gates[at]?.promise;
      return at;
    });
  const [first, second, third, fourth] = [start(0), start(1), start(2), start(3)];
  expect(began).toEqual([0, 1]);
  await expect(start(4)).rejects.toMatchObject({ code: 'unavailable', details: { retryAfter: 2 } });
  gates[1]?.resolve();
  expect(await second).toBe(1);
  expect(began).toEqual([0, 1, 2]);
  const fifth = start(5);
  for (const gate of gates) gate.resolve();
  expect(await Promise.all([first, third, fourth, fifth])).toEqual([0, 2, 3, 5]);
  expect(began).toEqual([0, 1, 2, 3, 5]);
});

it('continues after work that fails', async () => {
  const queue = new VerifyQueue({ running: 1, waiting: 1 });
  const failing = queue.run(() => Promise.reject(new Error('broken')));
  const next = queue.run(async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
  expect(await queue.run(async () => 'free again')).toBe('free again');
});
