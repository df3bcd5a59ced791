/** Counts the requests of all workers of a server in its first process, which outlives each of them. */
import cluster, { type Worker } from 'node:cluster';
import type { AddHits, MemoryCounter } from '../../src/identity/limits/counter.js';
import { channelTo } from './process-channel.js';

export function countInFirstProcess(): AddHits | undefined {
  const { worker } = cluster;
  return worker === undefined ? undefined : hitsSender(worker);
}

export function hitsSender(worker: Worker): AddHits {
  return (hits) => channelTo(worker).ask('requests', hits);
}

export function countFor(worker: Worker, counter: MemoryCounter): void {
  channelTo(worker).answer('requests', async (hits) =>
    hits.map((one) => ({ bucket: one.bucket, ...counter.count(one) })),
  );
}
