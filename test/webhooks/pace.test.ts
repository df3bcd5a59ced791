/** How fast receivers are taken to be, and what a worker claims for them ahead of a free place. */
import { describe, expect, it, test } from 'vitest';
import { planClaims } from '../../src/webhooks/worker/fair-share.js';
import { Pace } from '../../src/webhooks/worker/pace.js';
import { type ReadyDelivery, ReadyQueue } from '../../src/webhooks/worker/ready-queue.js';

/** A receiver that has succeeded so often in a row, each time after so many milliseconds. */
function paceAfter(successes: number, durationMs: number): Pace {
  const pace = new Pace();
  for (let at = 0; at < successes; at += 1) pace.succeeded(1, durationMs);
  return pace;
}

describe('a receiver', () => {
  it.each<[string, number, number, { isFast: boolean; places: number; ahead: number }]>([
    ['of which nothing is known has four places and nothing ahead', 0, 0, { isFast: false, places: 4, ahead: 0 }],
    ['that answered seven times is not trusted yet', 7, 5, { isFast: false, places: 4, ahead: 0 }],
    ['that answered eight times at once has the most ahead', 8, 0, { isFast: true, places: 4, ahead: 128 }],
    ['gets one place more for every four answers', 20, 10, { isFast: true, places: 7, ahead: 100 }],
    ['has ahead what it accepts in a quarter of a second', 8, 50, { isFast: true, places: 4, ahead: 20 }],
    ['that takes 400 ms has next to nothing ahead', 8, 400, { isFast: true, places: 4, ahead: 2 }],
    ['that takes longer than half a second is never fast', 99, 501, { isFast: false, places: 4, ahead: 0 }],
  ])('%s', (_name, successes, durationMs, expected) => {
    const pace = paceAfter(successes, durationMs);
    expect({ isFast: pace.isFast(1), places: pace.places(1), ahead: pace.ahead(1) }).toEqual(expected);
  });

  it('that fails starts again, and no other receiver does', () => {
    const pace = paceAfter(20, 5);
    for (let at = 0; at < 8; at += 1) pace.succeeded(2, 5);
    pace.stumbled(1);
    expect([pace.isFast(1), pace.places(1), pace.ahead(1), pace.isFast(2)]).toEqual([false, 4, 0, true]);
  });

  it('that becomes slow is no longer fast after a few answers', () => {
    const pace = paceAfter(50, 5);
    pace.succeeded(1, 1000);
    expect(pace.isFast(1)).toBe(true);
    pace.succeeded(1, 1000);
    pace.succeeded(1, 1000);
    expect(pace.isFast(1)).toBe(false);
  });
});

describe('a claim', () => {
  const due = (...ids: number[]) => ids.map((subscriptionId) => ({ subscriptionId, dueOn: subscriptionId }));
  const lastTurn = () => 0;
  const room =
    (rooms: Readonly<Record<number, readonly [places: number, ahead: number]>>) => (subscriptionId: number) => {
      const [places = 0, ahead = 0] = rooms[subscriptionId] ?? [];
      return { places, ahead };
    };
  it.each<[string, Parameters<typeof planClaims>[0], [number, number][]]>([
    [
      'fills the free places, and nothing more for receivers that are not fast',
      { due: due(1, 2), most: 1000, free: 16, ahead: 128, room: room({ 1: [4, 0], 2: [4, 0] }), lastTurn },
      [
        [1, 4],
        [2, 4],
      ],
    ],
    [
      'goes beyond the places for fast ones, each as far as it may and no further than all together',
      { due: due(1, 2), most: 1000, free: 16, ahead: 50, room: room({ 1: [4, 64], 2: [4, 10] }), lastTurn },
      [
        [1, 44],
        [2, 14],
      ],
    ],
    [
      'is for the fast ones alone while others hold all places',
      { due: due(1, 2), most: 1000, free: 0, ahead: 128, room: room({ 1: [4, 0], 2: [4, 64] }), lastTurn },
      [[2, 64]],
    ],
    [
      'gives a place to one that is new before it goes ahead for others',
      { due: due(1, 2), most: 6, free: 16, ahead: 128, room: room({ 1: [0, 64], 2: [4, 0] }), lastTurn },
      [
        [2, 4],
        [1, 2],
      ],
    ],
    [
      'keeps to its limit',
      { due: due(1), most: 3, free: 16, ahead: 128, room: room({ 1: [4, 64] }), lastTurn },
      [[1, 3]],
    ],
  ])('%s', (_name, question, expected) => {
    const shares = planClaims(question).map(({ subscriptionId, places }) => [subscriptionId, places]);
    expect(shares).toEqual(expected);
  });
});

function ready(subscriptionId: number, id: number): ReadyDelivery {
  const delivery = { id, subscriptionId, eventId: 'e', event: 'x', body: '', url: '', secrets: [], attempts: 1 };
  return { delivery: { ...delivery, claim: 'c', traceparent: null }, claimedAt: id, readyAt: id };
}

test('what waits for a place goes out in turn of the receivers, to each the oldest first', () => {
  const queue = new ReadyQueue();
  for (const [receiver, id] of [
    [1, 10],
    [1, 11],
    [1, 12],
    [2, 20],
    [3, 30],
    [3, 31],
  ] as const) {
    queue.add(ready(receiver, id));
  }
  const taken = [];
  while (queue.count > 2) taken.push(queue.take((receiver) => receiver !== 2)?.delivery.id);
  expect([taken, queue.of(1), queue.of(2)]).toEqual([[10, 30, 11, 31], 1, 1]);
  expect(queue.take((receiver) => receiver > 3)).toBe(undefined);
  expect(queue.remove(({ claimedAt }) => claimedAt === 12).map(({ delivery }) => delivery.id)).toEqual([12]);
  expect([queue.count, queue.of(1), queue.take(() => true)?.delivery.id, queue.count]).toEqual([1, 0, 20, 0]);
});
