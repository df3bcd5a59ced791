/** A worker that gets SIGTERM while it sends: once, and twice. `npm run build` must have run. */
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { startCli } from '../support/cli.js';
import { prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { deferred } from '../support/deferred.js';
import { seed } from '../support/seed.js';
import { startWebhookReceiver } from '../support/webhook-receiver.js';

const env = { HCD_GATEWAY_WEBHOOK_ALLOW_PRIVATE_URLS: '1' };
const open = { clock: systemClock, env };

describeEachDatabase('a worker that gets SIGTERM', (kind) => {
  test('waits for the answer, starts no other delivery and sends nothing twice', async () => {
    const receiver = await startWebhookReceiver();
    const db = await prepareCliDatabase(await kind.url(), (store) =>
      seed(store, { site_content: [{ id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' }] }),
    );
    await db.run(`webhook add --url ${receiver.url} --events *`, open);
    for (let number = 0; number < 6; number += 1) await db.run(`resource update 1 --pagetitle T${number} --events`);
    const held = deferred<number>();
    receiver.answerWith(() => held.promise);
    const worker = startCli('worker', { env: { ...env, HCD_DATABASE_URL: db.url } });
    // As many as one receiver gets at once.
    await receiver.waitFor(4);
    worker.kill('SIGTERM');
    await worker.waitForStderr('"message":"stopping"');
    await db.run('resource update 1 --pagetitle Late --events');
    held.resolve(204);
    expect(await worker.outcome).toMatchObject({ code: 0 });
    expect(receiver.received).toHaveLength(4);

    const rest = await db.run('worker --once', open);
    expect(rest.stdout).toBe('Delivered 3 of 3.\n');
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect([ids.length, new Set(ids).size]).toEqual([7, 7]);
  });

  test('ends at once on a second signal and gives its claims back', async () => {
    const receiver = await startWebhookReceiver();
    const db = await prepareCliDatabase(await kind.url());
    await db.run(`webhook add --url ${receiver.url} --events *`, open);
    await db.run('webhook test 1 --queue');
    const held = deferred<number>();
    receiver.answerWith(() => held.promise);
    const worker = startCli('worker', { env: { ...env, HCD_DATABASE_URL: db.url } });
    await receiver.waitFor(1);
    worker.kill('SIGTERM');
    // Two signals that arrive as one count once.
    await worker.waitForStderr('"message":"stopping"');
    // The held answer never comes.
    worker.kill('SIGTERM');
    expect(await worker.outcome).toMatchObject({ code: 0 });
    expect(await db.json('delivery list')).toMatchObject({ data: [{ status: 'pending', attempts: 0 }] });
    held.resolve(204);
  });
});
