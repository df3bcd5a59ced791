/**
 * Several HTTP processes on one address: the first process only supervises the others. It replaces one that dies,
 * forwards the signal to end, and forwards the changes of a worker. It handles no request.
 */
import cluster, { type Worker } from 'node:cluster';
import type { Config } from '../../src/config/definitions.js';
import { AppError } from '../../src/errors/app-error.js';
import type { Deps } from '../deps.js';
import { relayChanges } from './share-changes.js';

/** Milliseconds before a worker that died is replaced; a fault at start must not become a storm of processes. */
const restartAfter = 1000;
/** Workers that died before they were ready, with none that became ready in between, before the whole server gives up. */
const maxFailedStarts = 3;

const stopMessage = 'stop';

/**
 * Aborts when the first process tells this worker to end; never in other processes. Call it before the worker listens:
 * an earlier message is lost, and the first process repeats it once the worker listens.
 */
export function workerStop(): AbortSignal {
  const controller = new AbortController();
  if (cluster.isWorker) {
    cluster.worker?.on('message', (message: unknown) => {
      if (message === stopMessage) controller.abort();
    });
  }
  return controller.signal;
}

/** Resolves when every worker has ended; in a worker at once. Throws when workers cannot start. */
export function runWorkers({
  config,
  deps,
  ready,
}: {
  readonly config: Config;
  readonly deps: Deps;
  /** Called when a worker listens. */
  readonly ready: () => void;
}): Promise<'ended' | 'this is a worker'> {
  if (cluster.isWorker) return Promise.resolve('this is a worker');
  // The message to end came while the store was opened.
  if (deps.stop.aborted) return Promise.resolve('ended');
  return new Promise((resolve, reject) => {
    const workers = new Set<Worker>();
    const changes = relayChanges();
    let failedStarts = 0;
    let ending = false;

    // Not by a signal: a terminal sends its own to every process, and the second one would cut requests off.
    // The callback ignores the error when the worker has just died.
    const tellToEnd = (worker: Worker): void => void worker.send(stopMessage, () => undefined);
    const end = (): void => {
      ending = true;
      for (const worker of workers) tellToEnd(worker);
      if (workers.size === 0) resolve('ended');
    };
    const start = (): void => {
      const worker = cluster.fork();
      workers.add(worker);
      changes.join(worker);
      let wasReady = false;
      worker.once('listening', () => {
        wasReady = true;
        failedStarts = 0;
        ready();
        // It was still starting when the message was sent, and missed it.
        if (ending) tellToEnd(worker);
      });
      worker.once('exit', (code, signal) => {
        workers.delete(worker);
        if (ending) {
          if (workers.size === 0) resolve('ended');
          return;
        }
        const outcome = signal ? `ended by ${signal}` : `ended with exit code ${code}`;
        if (!wasReady) failedStarts += 1;
        if (failedStarts >= maxFailedStarts) {
          end();
          const message = `Workers cannot start: the last one ${outcome}`;
          reject(new AppError('configuration_invalid', { message }));
          return;
        }
        deps.log({ kind: 'unexpected_error', during: 'serving in a worker', error: new Error(`a worker ${outcome}`) });
        // The wait keeps the process alive: there may be no other worker at this moment.
        void deps.clock.sleep(restartAfter, deps.stop).then(() => {
          if (!ending) start();
        });
      });
    };

    // One JSON object comes from the first process; errors of workers are text for people, on standard error.
    cluster.setupPrimary({ args: process.argv.slice(2).filter((word) => word !== '--json') });
    deps.stop.addEventListener('abort', end, { once: true });
    for (let count = 0; count < config.workers; count++) start();
  });
}

/** Whether this process is one of several that another one has started. */
export function isWorkerProcess(): boolean {
  return cluster.isWorker;
}

/** Lets a worker end: its open channel to the first process would keep it alive. Does nothing in other processes. */
export function releaseWorker(): void {
  if (cluster.isWorker) cluster.worker?.disconnect();
}
