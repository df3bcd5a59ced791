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
  let changes = 0;
  const watched = new ReconcileWatch({ clock, heard: () => changes, reconcile });
  const noteChange = () => {
    changes += 1;
  };
  return { clock, watched, noteChange, looks: () => looks };
}

test('looks again after a change, with a look that began after it', async () => {
  const { watched, noteChange, looks } = watch();
  await watched.fresh();
  noteChange();
  await watched.fresh();
  await watched.fresh();
  expect(looks()).toBe(2);
});

test('waits for the next look when a change arrives during a look', async () => {
  const clock = fakeClock();
  const gates = [deferred<number>(), deferred<number>()];
  let looks = 0;
  let changes = 0;
  const watched = new ReconcileWatch({
    clock,
    heard: () => changes,
    reconcile: () => {
      looks += 1;
      return gates[looks - 1]?.promise ?? Promise.resolve(0);
    },
  });
  const first = watched.fresh();
  changes += 1;
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
