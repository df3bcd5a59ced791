/**
 * What the workers of one server share: changes (a worker that misses one finds it in the log soon after), and the
 * counts of requests, which the first process keeps because it outlives each worker.
 */
import cluster, { type Worker } from 'node:cluster';
import { type Clock, within } from '../../src/clock/clock.js';
import { type ContentChange, readChangedRows } from '../../src/content/live/content-change.js';
import type { AnnouncedChange } from '../../src/content/mutations/run-mutation.js';
import type { AddHits, MemoryCounter } from '../../src/identity/limits/counter.js';
import { channelTo } from './process-channel.js';

/** A worker that hangs must not hold up all writes. */
const longestWait = 250;
/** Longer texts are left in the log, where the others read them. */
const longestPayload = 65_536;

export type ChangeChannel = ReturnType<typeof openChannel>;

export function siblingChannel(clock: Clock): ChangeChannel | undefined {
  return cluster.worker && openChannel(cluster.worker, clock);
}

export function openChannel(worker: Worker, clock: Clock) {
  const channel = channelTo(worker);
  const tooLate = () => new Error('the other workers have not confirmed in time');
  // Over a closed channel: this worker is ending, and the others find the change in the database.
  const inTime = (work: Promise<unknown>): Promise<void> =>
    within(clock, { work, limit: longestWait, tooLate }).then(
      () => undefined,
      () => undefined,
    );
  return {
    /** Resolves when the others have dropped stale answers, or have not confirmed in time. */
    send({ generation, payload }: AnnouncedChange) {
      const isShort = payload === null || payload.length <= longestPayload;
      return inTime(channel.ask('content_changed', { generation, ...(isShort ? { payload } : {}) }));
    },
    onReceive: (listener: (change: ContentChange | 'look') => Promise<void>) =>
      channel.answer('content_changed', ({ generation, payload }) =>
        listener(payload === undefined ? 'look' : { generation, ...readChangedRows(payload) }),
      ),
    /** Resolves when the others have forgotten credentials, or have not confirmed in time. */
    sendRevocation: () => inTime(channel.ask('credentials_changed')),
    onRevocation: (listener: () => void) => channel.answer('credentials_changed', async () => listener()),
  };
}

export function relayChanges() {
  const workers = new Set<Worker>();
  return {
    join(worker: Worker): void {
      workers.add(worker);
      worker.once('exit', () => workers.delete(worker));
      for (const kind of ['content_changed', 'credentials_changed'] as const) {
        channelTo(worker).answer(kind, async (...given) => {
          const others = [...workers].filter((other) => other !== worker);
          // One that fails reads again later: the next caller of the store reports that it does not answer.
          await Promise.allSettled(others.map((other) => channelTo(other).ask(kind, ...given)));
        });
      }
    },
  };
}

export function countInFirstProcess(): AddHits | undefined {
  const { worker } = cluster;
  return worker && ((hits) => channelTo(worker).ask('requests', hits));
}

export function countFor(worker: Worker, counter: MemoryCounter): void {
  channelTo(worker).answer('requests', async (hits) =>
    hits.map((one) => ({ bucket: one.bucket, ...counter.count(one) })),
  );
}
