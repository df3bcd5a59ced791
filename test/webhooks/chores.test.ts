/** The chores of a worker: at their intervals, next to deliveries and to one another. */
import { expect, test } from 'vitest';
import type { SendOutcome } from '../../src/webhooks/client/outbound.js';
import { type Chore, Chores } from '../../src/webhooks/worker/chores.js';
import { runWorker } from '../../src/webhooks/worker/worker.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase } from '../support/databases.js';
import { deferred } from '../support/deferred.js';
import { answer, openOutbox } from './outbox-store.js';

function choresWith(chores: ConstructorParameters<typeof Chores>[0]['chores']) {
  const clock = fakeClock();
  const errors: [during: string, error: unknown][] = [];
  const stop = new AbortController();
  const running = new Chores({ clock, chores, onError: (during, error) => errors.push([during, error]) });
  return { clock, errors, stop, running };
}

test('one that takes long keeps no other one from its time, and never runs twice at once', async () => {
  const released = deferred<undefined>();
  const times = { long: 0, short: 0 };
  const { clock, stop, running } = choresWith([
    {
      name: 'long',
      everyMs: 1000,
      run: () => {
        times.long += 1;
        return released.promise;
      },
    },
    {
      ...{ name: 'short', everyMs: 1000, wakesOnChange: true },
      run: async () => {
        times.short += 1;
      },
    },
  ]);
  const ended = running.repeat(stop.signal);
  await clock.advance(3000);
  expect(times).toEqual({ long: 1, short: 4 });
  running.wake();
  released.resolve(undefined);
  await clock.advance(1000);
  expect(times).toEqual({ long: 2, short: 6 });
  stop.abort();
  await ended;
  expect(clock.pending).toBe(0);
});

test('one that fails runs again at its time, and is reported once an hour until it succeeds', async () => {
  let isBroken = true;
  let runs = 0;
  const error = new Error('no');
  const { clock, errors, stop, running } = choresWith([
    {
      name: 'fails',
      everyMs: 500,
      run: async () => {
        runs += 1;
        if (isBroken) throw error;
      },
    },
  ]);
  const ended = running.repeat(stop.signal);
  await clock.advance(3_599_500);
  expect([runs, errors.length, errors[0]]).toEqual([7200, 1, ['fails', error]]);
  await clock.advance(500);
  expect(errors).toHaveLength(2);
  isBroken = false;
  await clock.advance(500);
  isBroken = true;
  await clock.advance(500);
  expect(errors).toHaveLength(3);
  stop.abort();
  await ended;
});

test('run once each give what they did together; one that fails keeps no other one from running', async () => {
  const done = [{ published: 2 }, undefined, { published: 1, withdrawn: 4 }, { removed: 7 }];
  const { errors, stop, running } = choresWith([
    ...done.map((one, at) => ({ name: `chore ${at}`, everyMs: 1000, run: async () => one })),
    {
      name: 'fails',
      everyMs: 1000,
      run: async () => {
        throw new Error('no');
      },
    },
    { name: 'last', everyMs: 1000, run: async () => ({ removed: 1 }) },
  ]);
  expect(await running.runAll(stop.signal)).toEqual({ published: 3, withdrawn: 4, removed: 8 });
  expect(errors.map(([during]) => during)).toEqual(['fails']);
  stop.abort();
  expect(await running.runAll(stop.signal)).toEqual({ published: 0, withdrawn: 0, removed: 0 });
});

describeEachDatabase('the chores of a worker', (database) => {
  test('go on while a receiver hangs', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise();
    const begun = deferred();
    const released = deferred<SendOutcome>();
    const send = () => {
      begun.resolve();
      return released.promise;
    };
    let runs = 0;
    const thrice = deferred();
    const chores: Chore[] = [
      {
        name: 'a test',
        everyMs: 1000,
        run: async () => {
          runs += 1;
          if (runs === 3) thrice.resolve();
        },
      },
    ];
    const stop = new AbortController();
    const signals = { stop: stop.signal, end: new AbortController().signal };
    const worker = runWorker(outbox.options(send, { once: false, signals, chores }));
    await begun.promise;
    await outbox.clock.advance(2500);
    await thrice.promise;
    stop.abort();
    released.resolve(answer(200));
    expect(await worker).toMatchObject({ delivered: 1 });
  });
});
