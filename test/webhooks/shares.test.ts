/** Whose turn it is: places shared out fairly, receivers that fail left alone. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { standingOf } from '../../src/webhooks/worker/judge-receivers.js';
import { Breaker, planClaims, shareOut } from '../../src/webhooks/worker/places.js';

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
    allowed.push(breaker.places(1));
  }
  expect([allowed, breaker.places(2)]).toEqual([[1, 1, 1, 1, 1, 1, 1, 1, 1], 4]);
  expect(breaker.failed(1)).toBe(30_000);
  expect([breaker.places(1), breaker.places(2)]).toEqual([0, 4]);
  expect(breaker.failed(1)).toBeNull();
  let pause = 30_000;
  for (const next of [60_000, 120_000, 240_000, 300_000, 300_000]) {
    now += pause - 1;
    expect(breaker.places(1)).toBe(0);
    now += 1;
    expect([breaker.places(1), breaker.failed(1)]).toEqual([1, next]);
    pause = next;
  }
  breaker.succeeded(1, 5);
  expect([breaker.places(1), breaker.failed(1)]).toEqual([4, null]);
});

test('a receiver earns places by quick answers, and loses them by a slow one or a failure', () => {
  const breaker = new Breaker(() => 0);
  const placesAfter = (answers: number, durationMs: number) => {
    for (let at = 0; at < answers; at += 1) breaker.succeeded(1, durationMs);
    return breaker.places(1);
  };
  expect([placesAfter(3, 5), placesAfter(1, 500), placesAfter(20, 5)]).toEqual([4, 5, 10]);
  expect([placesAfter(1, 501), placesAfter(8, 5), breaker.places(2)]).toEqual([4, 6, 4]);
  breaker.failed(1);
  expect([breaker.places(1), placesAfter(4, 5)]).toEqual([1, 5]);
});

describe('a claim', () => {
  const question = { due: due(1, 2), most: 1000, free: 16, taken: () => 0, lastTurn: () => 0 };
  it.each<[string, Partial<Parameters<typeof planClaims>[0]>, [number, number][]]>([
    [
      'fills the first places of each receiver',
      { places: () => 4 },
      [
        [1, 4],
        [2, 4],
      ],
    ],
    [
      'gives earned places, and leaves the first places of a further receiver free',
      { places: (id) => (id === 1 ? 99 : 4) },
      [
        [1, 8],
        [2, 4],
      ],
    ],
    [
      'counts what receivers hold',
      { free: 9, places: (id) => (id === 1 ? 99 : 4), taken: (id) => (id === 1 ? 4 : 3) },
      [
        [2, 1],
        [1, 4],
      ],
    ],
    ['gives no earned place while few are free', { free: 4, places: () => 99, taken: () => 4 }, []],
    ['keeps to its limit', { most: 3, due: due(1), places: () => 99 }, [[1, 3]]],
  ])('%s', (_name, given, expected) => {
    const shares = planClaims({ places: () => 4, ...question, ...given });
    expect(shares.map(({ subscriptionId, places }) => [subscriptionId, places])).toEqual(expected);
  });
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
