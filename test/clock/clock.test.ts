/** Waiting and repeating, on the machine's clock and on the one that tests move. */
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock, unixSeconds } from '../../src/clock/clock.js';
import { fakeClock } from '../support/clock.js';

function rethrow(error: unknown): never {
  throw error;
}

describe('a wait', () => {
  it.each<[string, Clock]>([
    ['machine', systemClock],
    ['test', fakeClock()],
  ])('ends at once when its signal aborts, on the %s clock', async (_name, clock) => {
    const controller = new AbortController();
    const started = clock.elapsed();
    const wait = clock.sleep(60_000, controller.signal);
    controller.abort();
    await wait;
    await clock.sleep(60_000, controller.signal);
    expect(clock.elapsed() - started).toBeLessThan(10_000);
  });

  it('leaves no listener behind on the machine clock', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const counting = new Proxy(signal, {
      get(target, name) {
        if (name === 'addEventListener') listeners += 1;
        if (name === 'removeEventListener') listeners -= 1;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await systemClock.sleep(1, counting);
    expect(listeners).toBe(0);
  });

  it('ends when the time has come, not before', async () => {
    const clock = fakeClock(0);
    const ended: number[] = [];
    const waits = [30, 10, 20].map((ms) => clock.sleep(ms).then(() => ended.push(clock.now())));
    await clock.advance(25);
    expect(ended).toEqual([10, 20]);
    await clock.advance(5);
    await Promise.all(waits);
    expect(ended).toEqual([10, 20, 30]);
  });
});

describe('a repetition', () => {
  it('never overlaps itself, survives a failure and stops', async () => {
    const clock = fakeClock(0);
    const starts: number[] = [];
    const errors: unknown[] = [];
    const timer = clock.every({
      intervalMs: 100,
      async work() {
        starts.push(clock.now());
        await clock.sleep(250);
        if (starts.length === 1) throw new Error('first');
      },
      onError: (error) => errors.push(error),
    });
    await clock.advance(1000);
    expect(starts).toEqual([100, 450, 800]);
    expect(errors).toEqual([new Error('first')]);
    timer.stop();
    await clock.advance(10_000);
    expect(starts).toEqual([100, 450, 800]);
    expect(clock.pending).toBe(0);
  });

  it('runs again and again on the machine clock', async () => {
    let turns = 0;
    await new Promise<void>((resolve) => {
      const timer = systemClock.every({
        intervalMs: 1,
        async work() {
          turns += 1;
          if (turns < 3) return;
          timer.stop();
          resolve();
        },
        onError: rethrow,
      });
    });
    expect(turns).toBe(3);
  });
});

describe('the time', () => {
  it('is given in whole Unix seconds', () => {
    expect(unixSeconds(fakeClock(1999))).toBe(1);
  });
});
