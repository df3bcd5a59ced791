/** When lists and feeds look for differences: after every reported change, and otherwise at intervals. */
import { expect, test } from 'vitest';
import { ReconcileWatch } from '../../../src/pages/delivery/reconcile.js';
import { fakeClock } from '../../support/clock.js';
import { deferred } from '../../support/deferred.js';

function watch({ takesMs = 0 } = {}) {
  const clock = fakeClock();
  let looks = 0;
  const reconcile = async () => {
    looks += 1;
    await clock.advance(takesMs);
    return 0;
  };
  return { clock, watched: new ReconcileWatch({ clock, reconcile }), looks: () => looks };
}

test('uses one look for a second', async () => {
  const { clock, watched, looks } = watch();
  const counts: number[] = [];
  for (const wait of [0, 0, 999, 1, 0, 1000]) {
    await clock.advance(wait);
    await watched.fresh();
    counts.push(looks());
  }
  expect(counts).toEqual([1, 1, 1, 2, 2, 3]);
});

test('looks again after a change, with a look that began after it', async () => {
  const { watched, looks } = watch();
  await watched.fresh();
  watched.noteChange();
  await watched.fresh();
  await watched.fresh();
  expect(looks()).toBe(2);
});

test('looks less often when a look takes long: for a tenth of the time at most', async () => {
  const { clock, watched, looks } = watch({ takesMs: 400 });
  await watched.fresh();
  await clock.advance(3500);
  await watched.fresh();
  expect(looks()).toBe(1);
  await clock.advance(200);
  await watched.fresh();
  expect(looks()).toBe(2);
});

test('waits for the next look when a change arrives during a look', async () => {
  const clock = fakeClock();
  const gates = [deferred<number>(), deferred<number>()];
  let looks = 0;
  const watched = new ReconcileWatch({
    clock,
    reconcile: () => {
      looks += 1;
      return gates[looks - 1]?.promise ?? Promise.resolve(0);
    },
  });
  const first = watched.fresh();
  watched.noteChange();
  let isSecondDone = false;
  const second = watched.fresh().then(() => {
    isSecondDone = true;
  });
  gates[0]?.resolve(0);
  await first;
  expect([looks, isSecondDone]).toEqual([2, false]);
  gates[1]?.resolve(0);
  await second;
  expect(looks).toBe(2);
});

test('reports a failure to the callers that waited, and looks again for the next', async () => {
  let isBroken = true;
  const watched = new ReconcileWatch({
    clock: fakeClock(),
    reconcile: async () => {
      if (isBroken) throw new Error('no database');
      return 0;
    },
  });
  await expect(watched.fresh()).rejects.toThrow('no database');
  isBroken = false;
  await watched.fresh();
});
