/** Counts the requests of all workers of a server in its first process, which outlives each of them. */
import cluster, { type Worker } from 'node:cluster';
import type { AddHits, Hits, MemoryCounter } from '../../src/identity/limits/counter.js';

type SentHits = readonly [bucket: string, windowMs: number, hits: number];
/** `endsOn` is Unix milliseconds. */
type SentCount = readonly [hits: number, endsOn: number, leftMs: number];

interface HitsMessage {
  readonly kind: 'requests';
  readonly number: number;
  readonly hits: readonly SentHits[];
}

interface CountsMessage {
  readonly kind: 'requests_counted';
  readonly number: number;
  readonly counts: readonly SentCount[];
}

export function countInFirstProcess(): AddHits | undefined {
  const { worker } = cluster;
  return cluster.isWorker && worker !== undefined ? hitsSender(worker) : undefined;
}

/** One message is under way at a time: a later one replaces one that was not answered. */
export function hitsSender(worker: Worker): AddHits {
  let sent = 0;
  let onCounts: (counts: readonly SentCount[]) => void = () => undefined;
  worker.on('message', (message: unknown) => {
    if (isCounts(message) && message.number === sent) onCounts(message.counts);
  });
  return (hits) =>
    new Promise((resolve, reject) => {
      sent += 1;
      onCounts = (counts) =>
        resolve(
          hits.flatMap(({ bucket }, at) => {
            const [count = 0, endsOn = 0, leftMs = 0] = counts[at] ?? [];
            return [{ bucket, hits: count, endsOn, leftMs }];
          }),
        );
      const message: HitsMessage = { kind: 'requests', number: sent, hits: hits.map(toSent) };
      worker.send(message, (error: Error | null) => {
        if (error !== null) reject(error);
      });
    });
}

function toSent({ bucket, windowMs, hits }: Hits): SentHits {
  return [bucket, windowMs, hits];
}

export function countFor(worker: Worker, counter: MemoryCounter): void {
  worker.on('message', (message: unknown) => {
    if (!isHits(message)) return;
    const counts = message.hits.map(([bucket, windowMs, hits]): SentCount => {
      const { hits: all, endsOn, leftMs } = counter.count({ bucket, windowMs, hits });
      return [all, endsOn, leftMs];
    });
    const answer: CountsMessage = { kind: 'requests_counted', number: message.number, counts };
    // The worker may have just died.
    worker.send(answer, () => undefined);
  });
}

function isHits(message: unknown): message is HitsMessage {
  return kindOf(message) === 'requests';
}

function isCounts(message: unknown): message is CountsMessage {
  return kindOf(message) === 'requests_counted';
}

export function kindOf(message: unknown): unknown {
  return typeof message === 'object' && message !== null && 'kind' in message ? message.kind : undefined;
}
