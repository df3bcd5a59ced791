/**
 * A worker dies between two steps, or stands still in the middle of one until its lease is over: how often the receiver
 * gets each delivery then, and whose word about it counts.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describeEachDatabase } from '../support/databases.js';
import { deferred } from '../support/deferred.js';
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
          "SELECT id FROM hcd_webhook_deliveries WHERE open = 1 AND status = 'delivering' AND claim IS NOT NULL",
        );
        expect([receiver.copies.length - before, claimed.length]).toEqual([(copies - 1) * together, together]);
        // Nobody else has them before the lease is over.
        if (crash === 0) expect(await reportOf(site)).toMatchObject({ claimed: 0 });
        await site.endLeases(claimed.map(([id]) => Number(id)));
        expect(await reportOf(site)).toMatchObject({ claimed: together, delivered: together });
      }
      expect(await wrongCopies(site, receiver)).toEqual([]);
      expect([...receiver.copiesOf().values()].map(({ length }) => length)).toEqual(
        Array.from({ length: crashes * together }, () => copies),
      );
      // The attempt that nobody survived counts; only the other one has a row.
      const attempts = await site.deliveries('attempts');
      expect(attempts.map(Number)).toEqual(Array.from({ length: crashes * together }, () => 2));
      expect(await site.select('SELECT DISTINCT number, outcome FROM hcd_webhook_attempts')).toEqual([
        [2, 'delivered'],
      ]);
    },
    isFull ? 1_800_000 : 90_000,
  );
});

describeEachDatabase('a worker that stands still while it sends', (database) => {
  it(
    'until another one has delivered changes nothing when it comes back',
    async () => {
      const site = await openWorkerSite(await database.url());
      const still = deferred<void>();
      const receiver = await startReceiver(async () => {
        // The first copies of the four are answered late, the second ones at once, and otherwise.
        if (receiver.copies.length > 4) return 204;
        await still.promise;
        return 500;
      });
      await site.subscribe(addresses(receiver, 1));
      await site.raise(4);
      const stopped = site.startWorker('--once --json --quiet');
      await receiver.arrived(4);
      stopped.kill('SIGSTOP');
      const claimed = await site.claimsOf(stopped);
      expect(claimed.length).toBe(4);
      if (isFull) await site.leasesEnd();
      else await site.endLeases(claimed);
      expect(await reportOf(site)).toMatchObject({ claimed: 4, delivered: 4 });
      const states = 'status, open, attempts, last_status, last_error, claim, claimed_by, visible_at, done_on';
      const after = await site.deliveries(states);
      expect(after.map((row) => row.slice(0, 7))).toEqual(
        Array.from({ length: 4 }, () => ['delivered', 0, 2, 204, null, null, null]),
      );

      stopped.kill('SIGCONT');
      still.resolve();
      const { code, stdout } = await stopped.outcome;
      expect([code, JSON.parse(stdout).data]).toEqual([
        0,
        { claimed: 4, delivered: 0, retried: 0, failed: 0, lost: 4 },
      ]);
      expect(await site.deliveries(states)).toEqual(after);
      expect([...receiver.copiesOf().values()].map(({ length }) => length)).toEqual([2, 2, 2, 2]);
      // What it saw is kept beside what counts.
      const attempts = 'SELECT number, COUNT(*) FROM hcd_webhook_attempts GROUP BY number ORDER BY number';
      expect((await site.select(attempts)).map((row) => row.map(Number))).toEqual([
        [1, 4],
        [2, 4],
      ]);
    },
    isFull ? 120_000 : 60_000,
  );
});
