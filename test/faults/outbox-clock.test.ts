/**
 * The clock of the database is set back under a worker: what waits is not kept waiting for as long as the clock was set
 * back, no attempt comes before its time, and nothing is taken from a worker that still sends.
 */
import { expect, test } from 'vitest';
import { runWorker } from '../../src/webhooks/worker/worker.js';
import { describeEachDatabase } from '../support/databases.js';
import { answer, type Outbox, openOutbox } from '../webhooks/outbox-store.js';

const hour = 3_600_000;
const lease = 30_000;

/** What the rows look like after the clock was set back by an hour. */
async function setBack(outbox: Outbox): Promise<void> {
  await outbox.run(
    `UPDATE \`hcd_webhook_deliveries\` SET \`visible_at\` = \`visible_at\` + ${hour}, \`created_on\` = \`created_on\` + ${hour}`,
  );
}

describeEachDatabase('a clock that is set back by an hour', (database) => {
  test('delays no first attempt', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise(5);
    await setBack(outbox);
    await outbox.raise(3);
    const sent: string[] = [];
    const send = async ({ headers }: { readonly headers: Readonly<Record<string, string>> }) => {
      sent.push(String(headers['x-gateway-delivery-id']));
      return answer(200);
    };
    // A run that ends by itself looks at the times when it has nothing more to send.
    await outbox.once(send);
    expect(sent).toEqual(['6', '7', '8']);
    await outbox.once(send);
    expect(sent.slice(3)).toEqual(['1', '2', '3', '4', '5']);
  });

  test('keeps a lease valid for its normal length', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise(2);
    // A worker died with both.
    await outbox.run(
      `UPDATE \`hcd_webhook_deliveries\` SET \`status\` = 'delivering', \`attempts\` = 1, \`claim\` = '${'a'.repeat(32)}',
        \`visible_at\` = ${outbox.clock.now() + lease}`,
    );
    await setBack(outbox);
    const send = async () => answer(200);
    expect(await outbox.once(send)).toMatchObject({ claimed: 0 });
    await outbox.clock.advance(lease - 1);
    expect(await outbox.once(send)).toMatchObject({ claimed: 0 });
    await outbox.clock.advance(1);
    expect(await outbox.once(send)).toMatchObject({ claimed: 2, delivered: 2 });
  });

  test('starts no retry early', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    await outbox.raise();
    await outbox.once(async () => answer(500));
    await setBack(outbox);
    const [before] = await outbox.deliveries('visible_at, status, attempts');
    await outbox.once(async () => answer(200));
    expect(await outbox.deliveries('visible_at, status, attempts')).toEqual([before]);
  });

  test('is noticed by a running worker within a lease', async () => {
    const outbox = await openOutbox(database);
    await outbox.subscribe();
    let backMs = 0;
    let sent = 0;
    const send = async () => {
      sent += 1;
      return answer(200);
    };
    const stop = new AbortController();
    const signals = { stop: stop.signal, end: new AbortController().signal };
    const time = () => String(outbox.clock.now() - backMs);
    await outbox.raise();
    const worker = runWorker(outbox.options(send, { signals, once: false, time }));
    await expect.poll(() => sent).toBe(1);
    // Queued before the clock was set back: not due for an hour by the clock as it is now.
    await outbox.raise();
    backMs = hour;
    // Longer than a worker looks away; the delivery itself takes no time.
    for (let passed = 0; passed < lease && sent === 1; passed += 500) await outbox.pass(500);
    expect(sent).toBe(2);
    stop.abort();
    expect(await worker).toMatchObject({ claimed: 2, delivered: 2 });
  });
});
