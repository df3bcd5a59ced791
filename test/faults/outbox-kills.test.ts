/**
 * Workers are killed while they send: nothing is lost, and every repeated delivery was under way when its worker died.
 * `HCD_FAULTS=full` runs the long form, in which leases end by time.
 */
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { CliProcess } from '../support/cli.js';
import { describeEachDatabase } from '../support/databases.js';
import { seededRandom } from '../support/seeded-random.js';
import { everyAttempt } from '../webhooks/every-attempt.js';
import { addresses, type Copy, faultsIn, isFull, openWorkerSite, startReceiver, wrongCopies } from './outbox-site.js';

const size = isFull ? { deliveries: 5000, kills: 100 } : { deliveries: 800, kills: 15 };
const receivers = 8;
const workersAtOnce = 3;
/** Default of gateway_webhook_concurrency: what a worker may have sent without having recorded it. */
const concurrency = 16;

describeEachDatabase('workers that are killed repeatedly', (database) => {
  it(
    'lose no delivery and repeat only what was under way at a kill',
    async () => {
      const random = seededRandom(`killed workers (${database.name})`);
      const site = await openWorkerSite(await database.url());
      /** Claimed by a worker when it was killed. */
      const orphans = new Set<number>();
      let running: CliProcess[] = [];
      let kills = 0;
      let heldKills = 0;
      let lastKill = Promise.resolve();

      const kill = async (victim: CliProcess): Promise<void> => {
        victim.kill('SIGKILL');
        expect((await victim.outcome).code).toBe(null);
        const claimed = await site.claimsOf(victim);
        for (const id of claimed) orphans.add(id);
        if (!isFull) await site.endLeases(claimed);
        running = [...running.filter((one) => one !== victim), site.startWorker()];
      };
      const ownerOf = async ({ deliveryId }: Copy): Promise<CliProcess | undefined> => {
        const owned = await Promise.all(
          running.map(async (worker) => ((await site.claimsOf(worker)).includes(deliveryId) ? worker : undefined)),
        );
        return owned.find((worker) => worker !== undefined);
      };
      const receiver = await startReceiver(async (copy) => {
        // Spread over the whole run. Every other victim has a copy out that is certainly not answered.
        if (receiver.copies.length * (size.kills + 1) > (kills + 1) * size.deliveries && kills < size.kills) {
          kills += 1;
          const isHeld = random() < 0.5;
          lastKill = lastKill.then(async () => {
            const owner = isHeld ? await ownerOf(copy) : undefined;
            if (owner !== undefined) heldKills += 1;
            await kill(owner ?? running[Math.floor(random() * running.length)] ?? site.startWorker());
          });
          if (isHeld) await lastKill;
        }
        await setTimeout(20);
        return 200;
      });
      await site.subscribe(addresses(receiver, receivers));
      await site.raise(size.deliveries / receivers);
      running = Array.from({ length: workersAtOnce }, () => site.startWorker());
      await receiver.arrived(size.deliveries);
      await lastKill;
      await site.allDone();
      const deliveries = size.deliveries + receivers * (await site.allWork(running));
      for (const worker of running) worker.kill('SIGTERM');
      const ends = await Promise.all(running.map(({ outcome }) => outcome));

      const repeated = [...receiver.copiesOf()].filter(([, copies]) => copies.length > 1);
      const copies = receiver.copies.length - deliveries;
      process.stdout.write(
        `${kills} kills, ${heldKills} of them with a copy out for certain; ${orphans.size} deliveries under way at a kill, ${repeated.length} came again (${copies} more copies), ${deliveries - receiver.copiesOf().size} lost\n`,
      );
      expect(kills).toBe(size.kills);
      expect(await wrongCopies(site, receiver)).toEqual([]);
      expect(receiver.copiesOf().size).toBe(deliveries);
      expect(repeated.filter(([id]) => !orphans.has(id))).toEqual([]);
      expect(copies).toBeLessThanOrEqual(size.kills * concurrency);
      expect(copies).toBeGreaterThanOrEqual(heldKills);
      const outcomes = await site.select(`SELECT DISTINCT outcome FROM ${everyAttempt}`);
      expect(outcomes).toEqual([['delivered']]);
      expect(ends.map(({ code, stderr }) => [code, faultsIn(stderr)])).toEqual(running.map(() => [0, []]));
    },
    isFull ? 1_800_000 : 600_000,
  );
});
