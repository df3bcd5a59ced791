/** One delivery that is sent at once: claimed next to the workers, tried once, and recorded like any other. */
import { expect, test } from 'vitest';
import { type SendOneDeps, sendOne } from '../../src/webhooks/worker/settle.js';
import { describeEachDatabase } from '../support/databases.js';
import { answer, type Outbox, openOutbox, type Send } from './outbox-store.js';

function depsOf({ store, sealer, options, clock }: Outbox, send: Send, given: Partial<SendOneDeps> = {}): SendOneDeps {
  const { policy } = options(send);
  const time = () => String(clock.now());
  const stop = new AbortController().signal;
  const fixed = { keepsAnswers: () => true, name: 'tester', disableAfterDays: 5 };
  return { own: store.own, clock, time, sealer, send, policy, stop, ...fixed, ...given };
}

describeEachDatabase('one delivery that is sent at once', (database) => {
  test('is left to the worker that sends it or has finished it', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise();
    const never: Send = async () => {
      throw new Error('nothing is to be sent');
    };
    let meanwhile: unknown = 'not asked';
    await outbox.once(async () => {
      meanwhile = await sendOne(depsOf(outbox, never), 1);
      return answer(200);
    });
    expect(meanwhile).toBeNull();
    expect(await sendOne(depsOf(outbox, never), 1)).toBeNull();
    expect(await sendOne(depsOf(outbox, never), 99)).toBeNull();
    expect(await outbox.deliveries('status, attempts')).toEqual([{ status: 'delivered', attempts: 1 }]);
  });

  test('waits for a worker again when it is stopped in the middle', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise();
    const send: Send = async () => ({ kind: 'stopped' });
    expect(await sendOne(depsOf(outbox, send), 1)).toMatchObject({ outcome: 'interrupted' });
    expect(await outbox.deliveries('status, attempts')).toEqual([{ status: 'pending', attempts: 0 }]);
    expect(await outbox.once(async () => answer(200))).toMatchObject({ delivered: 1 });
  });
});
