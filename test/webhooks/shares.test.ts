/** Whose turn it is: places shared out fairly, receivers that fail left alone. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { Breaker } from '../../src/webhooks/worker/breaker.js';
import { shareOut } from '../../src/webhooks/worker/fair-share.js';
import { standingOf } from '../../src/webhooks/worker/judge-receivers.js';

const due = (...ids: number[]) => ids.map((subscriptionId) => ({ subscriptionId, dueOn: subscriptionId }));

describe('places', () => {
  const never = () => 0;
  it.each<[string, Parameters<typeof shareOut>[0], [number, number][]]>([
    ['go to the only receiver up to its room', { due: due(1), free: 16, room: () => 4, lastTurn: never }, [[1, 4]]],
    [
      'go round',
      { due: due(1, 2, 3), free: 5, room: () => 4, lastTurn: never },
      [
        [1, 2],
        [2, 2],
        [3, 1],
      ],
    ],
    [
      'pass over a receiver without room',
      { due: due(1, 2), free: 3, room: (id) => (id === 1 ? 0 : 4), lastTurn: never },
      [[2, 3]],
    ],
    [
      'begin with the one that waits longest for a turn',
      { due: due(1, 2, 3), free: 1, room: () => 4, lastTurn: (id) => 9 - id },
      [[3, 1]],
    ],
    [
      'begin with the delivery that is due longest when turns are equal',
      { due: due(5, 2, 4), free: 2, room: () => 4, lastTurn: never },
      [
        [2, 1],
        [4, 1],
      ],
    ],
    ['are none when none is free', { due: due(1), free: 0, room: () => 4, lastTurn: never }, []],
    ['are none when nothing is due', { due: [], free: 16, room: () => 4, lastTurn: never }, []],
  ])('%s', (_name, question, expected) => {
    expect(shareOut(question).map(({ subscriptionId, places }) => [subscriptionId, places])).toEqual(expected);
  });

  it('are all used when there is room, and differ by one at most between receivers with room', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 64 }),
        fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 20 }),
        (free, rooms) => {
          const shares = shareOut({
            due: due(...rooms.keys()),
            free,
            room: (id) => rooms[id] ?? 0,
            lastTurn: () => 0,
          });
          const used = shares.reduce((sum, { places }) => sum + places, 0);
          expect(used).toBe(
            Math.min(
              free,
              rooms.reduce((sum, room) => sum + room, 0),
            ),
          );
          const unfilled = rooms
            .map((room, id) => [room, shares.find(({ subscriptionId }) => subscriptionId === id)?.places ?? 0])
            .filter(([room = 0, places = 0]) => places < room)
            .map(([, places = 0]) => places);
          const most = Math.max(0, ...shares.map(({ places }) => places));
          for (const places of unfilled) expect(most - places).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

test('a receiver is paused after ten failures in a row, twice as long at each further one, and free after a success', () => {
  let now = 0;
  const breaker = new Breaker(() => now);
  const allowed: number[] = [];
  for (let at = 0; at < 9; at += 1) {
    expect(breaker.failed(1)).toBeNull();
    allowed.push(breaker.allows(1, 4));
  }
  expect([allowed, breaker.allows(2, 4)]).toEqual([[1, 1, 1, 1, 1, 1, 1, 1, 1], 4]);
  expect(breaker.failed(1)).toBe(30_000);
  expect([breaker.allows(1, 4), breaker.allows(2, 4)]).toEqual([0, 4]);
  expect(breaker.failed(1)).toBeNull();
  let pause = 30_000;
  for (const next of [60_000, 120_000, 240_000, 300_000, 300_000]) {
    now += pause - 1;
    expect(breaker.allows(1, 4)).toBe(0);
    now += 1;
    expect([breaker.allows(1, 4), breaker.failed(1)]).toEqual([1, next]);
    pause = next;
  }
  breaker.succeeded(1);
  expect([breaker.allows(1, 4), breaker.failed(1)]).toEqual([4, null]);
});

describe('a receiver that has failed', () => {
  const day = 86_400_000;
  const warn = (warnings: number, failingDays: number, daysLeft: number) => ({
    kind: 'warn',
    warnings,
    failingDays,
    daysLeft,
  });
  it.each<[string, number, number, number, number, object]>([
    ['never', 0, 0, 0, 5, { kind: 'fine' }],
    ['for two days', 20, 2, 0, 5, { kind: 'fine' }],
    ['for half of the time', 20, 2.5, 0, 5, warn(1, 2.5, 2.5)],
    ['for half of the time, and people know', 20, 3, 1, 5, { kind: 'fine' }],
    ['until a day is left', 20, 4, 1, 5, warn(2, 4, 1)],
    ['until a day is left, unnoticed before', 20, 4.5, 0, 5, warn(2, 4.5, 0.5)],
    ['for the whole time', 10, 5, 2, 5, { kind: 'disable', failingDays: 5 }],
    ['for the whole time, but nine times only', 9, 6, 2, 5, { kind: 'fine' }],
    ['for a year with a setting of 0', 1000, 365, 0, 0, { kind: 'fine' }],
    ['for half of the only day', 20, 0.5, 0, 1, warn(1, 0.5, 0.5)],
  ])('%s', (_name, failures, days, warnings, disableAfterDays, expected) => {
    const firstFailureOn = failures === 0 ? null : 1000;
    const subscription = { failures, firstFailureOn, warnings };
    expect(standingOf({ subscription, now: 1000 + days * day, disableAfterDays })).toEqual(expected);
  });
});
