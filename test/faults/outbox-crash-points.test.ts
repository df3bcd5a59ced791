/**
 * A worker dies between two steps, or stands still in the middle of one until its lease is over: how often the receiver
 * gets each delivery then, and whose word about it counts.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../support/databases.js';
import { deferred } from '../support/deferred.js';
import { everyAttempt } from '../webhooks/every-attempt.js';
import { noChores } from '../webhooks/outbox-store.js';
import {
  addresses,
  isFull,
  openWorkerSite,
  rootSecret,
  startReceiver,
  type WorkerSite,
  wrongCopies,
} from './outbox-site.js';

const program = fileURLToPath(new URL('crashing-worker.js', import.meta.url));
/** What one worker has under way at the most. */
const together = 16;
const crashes = isFull ? 30 : 2;

/** Ends when the worker has killed itself. */
async function crashOnce({ url }: WorkerSite, at: 'before_send' | 'after_answer'): Promise<void> {
  const options = JSON.stringify({ url, secret: rootSecret, at, together });
  const child = spawn(process.execPath, [program, options], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const signal = await new Promise((ended) => child.once('close', (_code, by) => ended(by)));
  expect([signal, said]).toEqual(['SIGKILL', '']);
}

/** Runs a worker to its end and gives what it reports. */
async function reportOf(site: WorkerSite): Promise<unknown> {
  const { code, stdout } = await site.startWorker('--once --json --quiet').outcome;
  expect(code).toBe(0);
  return JSON.parse(stdout).data;
}

describeEachDatabase('a worker that dies', (database) => {
  const cases = [
    { name: 'after its claim and before it sends, has sent nothing', at: 'before_send', copies: 1 },
    { name: 'after the answer and before that is recorded, has everything sent twice', at: 'after_answer', copies: 2 },
  ] as const;
  it.each(cases)(
    '$name',
    async ({ at, copies }) => {
      const site = await openWorkerSite(await database.url());
      const receiver = await startReceiver(async () => 200);
      await site.subscribe(addresses(receiver, 4));
      for (let crash = 0; crash < crashes; crash += 1) {
        await site.raise(together / 4);
        const before = receiver.copies.length;
        await crashOnce(site, at);
        const claimed = await site.select(
          "SELECT id FROM hcd_webhook_deliveries WHERE status = 'delivering' AND claim <> ''",
        );
        expect([receiver.copies.length - before, claimed.length]).toEqual([(copies - 1) * together, together]);
        // No other worker claims them before the lease ends.
        if (crash === 0) expect(await reportOf(site)).toMatchObject({ claimed: 0 });
        await site.endLeases(claimed.map(([id]) => Number(id)));
        expect(await reportOf(site)).toMatchObject({ claimed: together, delivered: together });
      }
      expect(await wrongCopies(site, receiver)).toEqual([]);
      expect([...receiver.copiesOf().values()].map(({ length }) => length)).toEqual(
        Array.from({ length: crashes * together }, () => copies),
      );
      // The attempt of the killed worker counts; only the other one has a row.
      const attempts = await site.deliveries('attempts');
      expect(attempts.map(Number)).toEqual(Array.from({ length: crashes * together }, () => 2));
      expect(await site.select(`SELECT DISTINCT number, outcome FROM ${everyAttempt}`)).toEqual([[2, 'delivered']]);
    },
    isFull ? 1_800_000 : 300_000,
  );
});

describeEachDatabase('a worker that freezes while it sends', (database) => {
  it(
    'changes nothing when it comes back after its lease, while another one sends and afterwards',
    async () => {
      const site = await openWorkerSite(await database.url());
      // Of two receivers the second one answers the worker that takes over only when the first worker has ended.
      const gates = { still: deferred(), other: deferred() };
      const receiver = await startReceiver(async (_copy, path) => {
        if (receiver.copies.length > 8) {
          if (path === '/hook/1') await gates.other.promise;
          return 204;
        }
        await gates.still.promise;
        return 500;
      });
      await site.subscribe(addresses(receiver, 2));
      await site.raise(4);
      const stopped = site.startWorker('--once --json --quiet');
      await receiver.arrived(8);
      stopped.kill('SIGSTOP');
      const claimed = await site.claimsOf(stopped);
      expect(claimed.length).toBe(8);
      if (isFull) await site.leasesEnd();
      else await site.endLeases(claimed);
      const other = reportOf(site);
      await receiver.arrived(16);
      const states = "subscription_id, status, attempts, last_status, claimed_by = ''";
      const wanted = (status: string, ofOther: readonly unknown[]) =>
        Array.from({ length: 4 }, () => [
          [1, 'delivered', 2, 204, 1],
          [2, status, ...ofOther],
        ]).flat();
      const whileSending = wanted('delivering', [2, 0, 0]);
      await expect.poll(() => site.deliveries(states)).toEqual(whileSending);

      stopped.kill('SIGCONT');
      gates.still.resolve();
      const { code, stdout } = await stopped.outcome;
      const lost = { claimed: 8, delivered: 0, retried: 0, failed: 0, lost: 8, ...noChores };
      expect([code, JSON.parse(stdout).data]).toEqual([0, lost]);
      expect(await site.deliveries(states)).toEqual(whileSending);
      gates.other.resolve();
      expect(await other).toEqual({ claimed: 8, delivered: 8, retried: 0, failed: 0, lost: 0, ...noChores });
      expect(await site.deliveries(states)).toEqual(wanted('delivered', [2, 204, 1]));
      expect([...receiver.copiesOf().values()].map(({ length }) => length)).toEqual(Array.from({ length: 8 }, () => 2));
      // What it saw is kept next to what counts.
      const attempts = `SELECT number, COUNT(*) FROM ${everyAttempt} GROUP BY number ORDER BY number`;
      expect((await site.select(attempts)).map((row) => row.map(Number))).toEqual([
        [1, 8],
        [2, 8],
      ]);
    },
    isFull ? 120_000 : 300_000,
  );
});
