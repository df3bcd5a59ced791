/** The database dies under a running worker and comes back: nothing is lost and the worker goes on by itself. */
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { isOpen } from '../../src/webhooks/models/deliveries.js';
import { leaseMs } from '../../src/webhooks/worker/claim.js';
import { describeWithOwnMariadb, executeOnMariadb, startMariadb } from '../support/databases.js';
import { addresses, isFull, openWorkerSite, startReceiver, wrongCopies } from './outbox-site.js';

const size = isFull ? { deliveries: 5000 } : { deliveries: 800 };
const receivers = 8;
/** Default of gateway_webhook_concurrency: what a worker may have sent without having recorded it. */
const concurrency = 16;

describeWithOwnMariadb('a worker whose MariaDB is killed twice', () => {
  it(
    'delivers everything without being started again',
    async () => {
      const server = await startMariadb();
      await executeOnMariadb(server.url, ['CREATE DATABASE site']);
      const site = await openWorkerSite(`${server.url}/site`);
      const receiver = await startReceiver(async () => {
        await setTimeout(20);
        return 200;
      });
      await site.subscribe(addresses(receiver, receivers));
      await site.raise(size.deliveries / receivers);
      const worker = site.startWorker();
      const kills = 2;
      let restartedAt = 0;
      for (let kill = 1; kill <= kills; kill += 1) {
        await receiver.arrived((kill * size.deliveries) / 3);
        await server.kill();
        // The attempt under way ends while its outcome cannot be recorded.
        await setTimeout(500);
        // By the clock of this machine, which is that of the server.
        restartedAt = Date.now();
        await server.restart();
      }
      await receiver.arrived(size.deliveries);
      await expect
        .poll(() => site.select("SELECT id FROM hcd_webhook_deliveries WHERE status = 'pending'"), {
          timeout: 60_000,
        })
        .toEqual([]);
      // What was claimed before a kill; what was claimed since is being sent.
      const left = await site.select(
        `SELECT id FROM hcd_webhook_deliveries WHERE ${isOpen} AND visible_at < ${restartedAt + leaseMs}`,
      );
      if (!isFull) await site.endLeases(left.map(([id]) => Number(id)));
      await site.allDone();
      worker.kill('SIGTERM');
      const { code, stderr } = await worker.outcome;

      const copies = receiver.copies.length - size.deliveries;
      process.stdout.write(`\n${kills} kills of the database: ${copies} more copies\n`);
      expect(code).toBe(0);
      expect(await wrongCopies(site, receiver)).toEqual([]);
      expect(receiver.copiesOf().size).toBe(size.deliveries);
      expect(copies).toBeLessThanOrEqual(kills * concurrency);
      expect(stderr).toMatch(/"event":"store_unavailable"/);
      expect(stderr).toMatch(/"event":"store_recovered"/);
      expect(stderr).not.toMatch(/"event":"unexpected_error"/);
    },
    isFull ? 600_000 : 300_000,
  );
});
