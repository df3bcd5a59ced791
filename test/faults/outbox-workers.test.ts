/**
 * Worker processes that end normally: however many run at once, each delivery is sent once; stopped while they send,
 * they end what is under way and leave nothing behind.
 */
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isOpen } from '../../src/webhooks/models/deliveries.js';
import { describeEachDatabase } from '../support/databases.js';
import { deferred } from '../support/deferred.js';
import { everyAttempt } from '../webhooks/every-attempt.js';
import { addresses, faultsIn, isFull, openWorkerSite, startReceiver, wrongCopies } from './outbox-site.js';

const receivers = 10;
const size = isFull ? { deliveries: 5000, ends: 25 } : { deliveries: 1500, ends: 5 };

describeEachDatabase('several workers at once', (database) => {
  it(
    'send each delivery once, two of them and then four',
    async () => {
      const site = await openWorkerSite(await database.url());
      const receiver = await startReceiver(async () => {
        await setTimeout(5);
        return 204;
      });
      await site.subscribe(addresses(receiver, receivers));
      await site.raise(size.deliveries / receivers);
      const workers = [site.startWorker(), site.startWorker()];
      await receiver.arrived(size.deliveries / 3);
      workers.push(site.startWorker(), site.startWorker());
      await site.allDone();
      await site.raise(size.deliveries / receivers);
      await site.allDone();
      // Those that came late get a share, too.
      const all = 2 * size.deliveries + receivers * (await site.allWork(workers));
      for (const worker of workers) worker.kill('SIGTERM');
      const ends = await Promise.all(workers.map(({ outcome }) => outcome));

      expect(await wrongCopies(site, receiver)).toEqual([]);
      expect(receiver.copies.length).toBe(all);
      expect(receiver.copiesOf().size).toBe(all);
      const attempts = `SELECT outcome, number, COUNT(*) FROM ${everyAttempt} GROUP BY outcome, number`;
      expect((await site.select(attempts)).map((row) => row.map(String))).toEqual([['delivered', '1', String(all)]]);
      expect(ends.map(({ code, stderr }) => [code, faultsIn(stderr)])).toEqual(ends.map(() => [0, []]));
      const shares = ends.map(({ stderr }) => stderr.match(/"message":"delivery delivered"/g)?.length ?? 0);
      process.stdout.write(`\n${database.name}: deliveries of each worker ${shares.join(', ')}\n`);
      expect(Math.min(...shares)).toBeGreaterThan(0);
    },
    isFull ? 600_000 : 300_000,
  );
});

describeEachDatabase('a worker that gets SIGTERM while it sends', (database) => {
  it(
    'finishes what is under way, keeps no claim, and repeats no delivery',
    async () => {
      const site = await openWorkerSite(await database.url());
      const receiver = await startReceiver(async () => {
        await setTimeout(100);
        return 200;
      });
      await site.subscribe(addresses(receiver, 4));
      for (let end = 0; end < size.ends; end += 1) {
        await site.raise(10);
        const before = receiver.copies.length;
        const worker = site.startWorker();
        await receiver.arrived(before + 1 + 5 * end);
        worker.kill('SIGTERM');
        const { code, stderr } = await worker.outcome;
        expect([code, faultsIn(stderr)]).toEqual([0, []]);
        // What it has not sent can be claimed by the next worker at once.
        const left = `SELECT DISTINCT status, attempts FROM hcd_webhook_deliveries WHERE ${isOpen}`;
        expect((await site.select(left)).map(String)).toEqual(['pending,0']);
      }
      const last = site.startWorker('--once --quiet');
      expect((await last.outcome).code).toBe(0);
      expect(await wrongCopies(site, receiver)).toEqual([]);
      expect(receiver.copies.length).toBe(receiver.copiesOf().size);
      expect(receiver.copies.length).toBe(size.ends * 40);
    },
    isFull ? 600_000 : 300_000,
  );

  it('gives its claims back at once on a second signal', async () => {
    const site = await openWorkerSite(await database.url());
    const gate = deferred<void>();
    const receiver = await startReceiver(async () => {
      await gate.promise;
      return 200;
    });
    await site.subscribe(addresses(receiver, 2));
    await site.raise(4);
    const worker = site.startWorker();
    // All places of both receivers are taken and nothing is answered.
    await receiver.arrived(8);
    worker.kill('SIGTERM');
    // The kernel makes one of two signals of which the first was not yet taken.
    await worker.waitForStderr('"message":"stopping"');
    worker.kill('SIGTERM');
    expect((await worker.outcome).code).toBe(0);
    const states = 'status, attempts, claim, claimed_by, last_error';
    expect((await site.select(`SELECT DISTINCT ${states} FROM hcd_webhook_deliveries`)).map(String)).toEqual([
      'pending,0,,,The worker stopped',
    ]);
    gate.resolve();
    expect((await site.startWorker('--once').outcome).code).toBe(0);
    expect(await wrongCopies(site, receiver)).toEqual([]);
    expect(receiver.copies.length).toBe(16);
  });
});
