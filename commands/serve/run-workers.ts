/** Several HTTP processes on one address. The first process handles no request; it supervises the others. */
import cluster, { type Worker } from 'node:cluster';
import type { Config } from '../../src/config/definitions.js';
import { AppError } from '../../src/errors/app-error.js';
import { MemoryCounter } from '../../src/identity/limits/counter.js';
import type { Deps } from '../deps.js';
import { channelTo } from './process-channel.js';
import { handedSocket } from './service-manager.js';
import { countFor, relayChanges } from './share-changes.js';

/** A fault at start must not become a storm of processes. */
const restartAfter = 1000;
/** This many failures in a row, with no worker becoming ready, end the whole server. */
const maxFailedStarts = 3;
const longestEnd = 30_000;

/** Call it before the worker listens: an earlier message is lost, and is repeated once the worker listens. */
export function workerStop(): AbortSignal {
  const controller = new AbortController();
  if (cluster.worker !== undefined) channelTo(cluster.worker).answer('stop', async () => controller.abort());
  return controller.signal;
}

interface Supervising {
  readonly config: Config;
  readonly deps: Deps;
  readonly ready: () => void;
}

/** In a worker at once. Throws when workers cannot start. */
export async function runWorkers(supervising: Supervising): Promise<'ended' | 'this is a worker'> {
  const { deps } = supervising;
  // A terminal that is closed sends SIGHUP to all its processes, which then end.
  const isService = !deps.io.stderr.isTerminal;
  if (cluster.isWorker) {
    // Where the signal is sent to all processes of the server, only the first one acts on it.
    if (isService) process.on('SIGHUP', () => undefined);
    return 'this is a worker';
  }
  // The message to end came while the store was opened.
  if (deps.stop.aborted) return 'ended';
  let replaceAll = (): void => undefined;
  const ended = new Promise<void>((resolve, reject) => {
    replaceAll = supervise(supervising, { resolve, reject });
  });
  if (isService) process.on('SIGHUP', replaceAll);
  await ended.finally(() => process.removeListener('SIGHUP', replaceAll));
  return 'ended';
}

function supervise(
  { config, deps, ready }: Supervising,
  { resolve, reject }: { readonly resolve: () => void; readonly reject: (error: AppError) => void },
): () => void {
  const { clock, log, stop } = deps;
  const workers = new Set<Worker>();
  const replaced = new Set<Worker>();
  const changes = relayChanges();
  const counts = new MemoryCounter(clock);
  let failedStarts = 0;
  let ending = false;

  // A terminal signals every process, and a second signal would cut requests off. The worker may have just died.
  const tellToEnd = (worker: Worker): void =>
    void channelTo(worker)
      .ask('stop')
      .catch(() => undefined);
  const end = (): void => {
    ending = true;
    for (const worker of workers) tellToEnd(worker);
    if (workers.size === 0) resolve();
  };
  const start = ({ isSuccessor }: { readonly isSuccessor: boolean }): Worker => {
    // The configuration file may have another number by now.
    const worker = cluster.fork({ HCD_WORKERS: String(config.workers) });
    workers.add(worker);
    changes.join(worker);
    countFor(worker, counts);
    let wasReady = false;
    worker.once('listening', () => {
      wasReady = true;
      failedStarts = 0;
      ready();
      // It was still starting when the message was sent, and missed it.
      if (ending || replaced.has(worker)) tellToEnd(worker);
    });
    worker.once('exit', (code, signal) => {
      workers.delete(worker);
      if (ending) {
        if (workers.size === 0) resolve();
        return;
      }
      if (replaced.delete(worker)) return;
      const outcome = signal ? `ended by ${signal}` : `ended with exit code ${code}`;
      // The worker that a successor was to replace continues.
      if (!wasReady && !isSuccessor) failedStarts += 1;
      if (failedStarts >= maxFailedStarts) {
        end();
        const message = `Workers cannot start: the last one ${outcome}`;
        reject(new AppError('configuration_invalid', { message }));
        return;
      }
      log({ kind: 'unexpected_error', during: 'serving in a worker', error: new Error(`a worker ${outcome}`) });
      // The wait keeps the process alive: there may be no other worker at this moment.
      void clock.sleep(restartAfter, stop).then(() => {
        if (!ending && workers.size < config.workers) start({ isSuccessor: false });
      });
    });
    return worker;
  };
  const replaceEach = async (): Promise<void> => {
    let count = 0;
    for (const old of [...workers]) {
      if (ending) return;
      // The old workers continue if a new one cannot start. The log says why.
      if (!(await isListening(start({ isSuccessor: true })))) return;
      // If the old worker has died, this one replaces it.
      if (workers.has(old)) {
        replaced.add(old);
        tellToEnd(old);
        const late = clock.after(longestEnd, () => old.process.kill('SIGKILL'));
        await new Promise((gone) => old.once('exit', gone));
        late.stop();
      }
      count += 1;
    }
    log({ kind: 'workers_replaced', count });
  };
  let isReplacing = false;
  let again = false;
  const replaceAll = async (): Promise<void> => {
    again = true;
    if (isReplacing) return;
    isReplacing = true;
    while (again && !ending) {
      again = false;
      await replaceEach();
    }
    isReplacing = false;
  };

  // The first process would take connections from the socket and could not give them back when it ends.
  if (handedSocket(deps.env) !== undefined) cluster.schedulingPolicy = cluster.SCHED_NONE;
  // One JSON object comes from the first process; errors of workers are text on standard error.
  cluster.setupPrimary({ args: process.argv.slice(2).filter((word) => word !== '--json') });
  stop.addEventListener('abort', end, { once: true });
  for (let count = 0; count < config.workers; count++) start({ isSuccessor: false });
  return () => void replaceAll();
}

function isListening(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    worker.once('listening', () => resolve(true));
    worker.once('exit', () => resolve(false));
  });
}

export function isWorkerProcess(): boolean {
  return cluster.isWorker;
}

/** Its open channel to the first process would keep a worker alive. */
export function releaseWorker(): void {
  if (cluster.isWorker) cluster.worker?.disconnect();
}
