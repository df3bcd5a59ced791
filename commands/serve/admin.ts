/** The admin listener of a process: metrics, liveness and readiness, put together from what the process runs. */
import cluster from 'node:cluster';
import type { Clock } from '../../src/clock/clock.js';
import { listeningAddress } from '../../src/config/address-values.js';
import type { Config } from '../../src/config/definitions.js';
import type { Log } from '../../src/log/observation.js';
import type { Checks } from '../../src/operations/admin/admin-server.js';
import type { Counts, Metrics, ProcessStates } from '../../src/operations/admin/metrics.js';
import type { Store } from '../../src/store/open/open.js';
import type { Deps } from '../deps.js';
import { migrationRun } from '../open-store.js';
import { kindOf } from './share-counts.js';

export interface Admin {
  /** Logs a fact and counts it. */
  readonly log: Log;
  /** The parts that only the running process has; from now on it counts as started. */
  started(states: ProcessStates): void;
  close(): Promise<void>;
}

interface AdminOptions {
  readonly deps: Deps;
  readonly config: Config;
  readonly store: Store;
  /** Aborts when the process takes no new work. */
  readonly stop: AbortSignal;
}

/** Milliseconds without a sign of life after which a worker process counts as stuck. */
const silenceMs = 15_000;
const signMs = 1000;
/** Milliseconds that a worker process has for its counts. */
const countsMs = 2000;
/** Milliseconds for which the state of the outbox is kept: several scrapers ask the database once. */
const outboxMs = 5000;

/** Does nothing where no admin port is configured: nothing is counted, and nothing of it is loaded. */
export async function openAdmin(options: AdminOptions): Promise<Admin> {
  const { deps, config } = options;
  if (config.admin_port === null) return { log: deps.log, started: () => undefined, close: async () => undefined };
  const { addStates, startMetrics } = await import('../../src/operations/admin/metrics.js');
  const metrics = startMetrics();
  const log: Log = (fact) => {
    metrics.observe(fact);
    deps.log(fact);
  };
  if (cluster.isWorker) {
    const end = answerFirstProcess(deps.clock, metrics);
    return { log, started: (states) => addStates(metrics, states), close: async () => end() };
  }
  let isStarted = false;
  const close = await listen(options, {
    live: async () => ({ process: 'ok' }),
    serving: () => (isStarted ? 'ok' : 'starting'),
    metrics: () => metrics.registry.metrics(),
  });
  return {
    log,
    started(states) {
      addStates(metrics, states);
      isStarted = true;
    },
    close,
  };
}

/** In the first process of several: the admin listener for all of them. Gives a function that closes it. */
export async function openAdminOfWorkers(options: AdminOptions): Promise<() => Promise<void>> {
  const { deps, config } = options;
  if (config.admin_port === null) return async () => undefined;
  const { sumOf } = await import('../../src/operations/admin/metrics.js');
  const { counts, live, serving } = watchWorkers(deps.clock);
  return listen(options, { live, serving, metrics: async () => sumOf(await counts()) });
}

interface Parts {
  readonly live: () => Promise<Checks>;
  /** Whether requests are answered; the reason why not. */
  readonly serving: () => string;
  readonly metrics: () => Promise<string>;
}

async function listen({ deps, config, store, stop }: AdminOptions, parts: Parts): Promise<() => Promise<void>> {
  const { clock } = deps;
  const [{ startAdminServer }, { checkStore }, { outboxMetrics }, { readOutboxState }] = await Promise.all([
    import('../../src/operations/admin/admin-server.js'),
    import('../../src/operations/admin/readiness.js'),
    import('../../src/operations/admin/metrics.js'),
    import('../../src/webhooks/queue/outbox-state.js'),
  ]);
  let outbox = readOutboxState(store.own.primary);
  outbox.catch(() => undefined);
  let readAt = clock.elapsed();
  const database = outboxMetrics(() => {
    if (clock.elapsed() - readAt >= outboxMs) {
      outbox = readOutboxState(store.own.primary);
      readAt = clock.elapsed();
    }
    return outbox;
  });
  const run = migrationRun(store);
  const host = config.admin_host;
  const server = await startAdminServer({
    host,
    port: config.admin_port ?? 0,
    clock,
    live: parts.live,
    ready: async () => ({
      serving: stop.aborted ? 'draining' : parts.serving(),
      ...(await checkStore({ run, clock })),
    }),
    // Without the database the other metrics are still shown.
    metrics: async () => `${await parts.metrics()}\n${await database.metrics().catch(() => '')}`,
  });
  deps.io.stderr.write(`admin listener at ${listeningAddress({ host, port: server.port })}\n`);
  return () => server.close();
}

/** A message of a worker process: a sign of life, or its counts, on request of the first process. */
type WorkerMessage = { readonly kind: 'alive' } | { readonly kind: 'counts'; readonly counts: Counts };

const askForCounts = { kind: 'counts_wanted' };

/** In a worker process: gives signs of life, and counts when they are asked for. Gives a function that ends it. */
function answerFirstProcess(clock: Clock, { registry }: Metrics): () => void {
  const send = (message: WorkerMessage): void => void cluster.worker?.send(message, () => undefined);
  const signs = clock.every({
    intervalMs: signMs,
    work: async () => send({ kind: 'alive' }),
    onError: () => undefined,
  });
  cluster.worker?.on('message', async (message: unknown) => {
    if (kindOf(message) === askForCounts.kind) send({ kind: 'counts', counts: await registry.getMetricsAsJSON() });
  });
  return () => signs.stop();
}

interface Watched {
  /** When it gave its last sign of life. */
  seenAt: number;
  isServing: boolean;
  counts: Counts;
  /** Called when its counts arrive. */
  onCounts: () => void;
}

/** Watches the worker processes of this first process. */
function watchWorkers(clock: Clock): Pick<Parts, 'live' | 'serving'> & { counts(): Promise<Counts[]> } {
  const watched = new Map<number, Watched>();
  const see = (id: number, change: Partial<Watched> = {}): void => {
    const before = watched.get(id) ?? { isServing: false, counts: [], onCounts: () => undefined };
    watched.set(id, { ...before, ...change, seenAt: clock.elapsed() });
  };
  cluster.on('fork', ({ id }) => see(id));
  cluster.on('listening', ({ id }) => see(id, { isServing: true }));
  cluster.on('exit', ({ id }) => watched.delete(id));
  cluster.on('message', ({ id }, message: unknown) => {
    see(id, isCounts(message) ? { counts: message.counts } : {});
    if (isCounts(message)) watched.get(id)?.onCounts();
  });
  return {
    async live() {
      const silent = [...watched.values()].filter(({ seenAt }) => clock.elapsed() - seenAt > silenceMs);
      return { workers: silent.length === 0 ? 'ok' : `${silent.length} of ${watched.size} give no sign of life` };
    },
    serving: () => ([...watched.values()].some(({ isServing }) => isServing) ? 'ok' : 'starting'),
    async counts() {
      const serving = [...watched].filter(([, { isServing }]) => isServing).map(([id]) => id);
      const done = new AbortController();
      const answers = serving.map(
        (id) =>
          new Promise<void>((resolve) => {
            const one = watched.get(id);
            if (one !== undefined) one.onCounts = resolve;
            cluster.workers?.[id]?.send(askForCounts, () => undefined);
          }),
      );
      await Promise.race([Promise.all(answers), clock.sleep(countsMs, done.signal)]);
      done.abort();
      // For a worker that is too busy to answer, its last counts are used, so that no sum decreases.
      return serving.map((id) => watched.get(id)?.counts ?? []);
    },
  };
}

function isCounts(message: unknown): message is Extract<WorkerMessage, { kind: 'counts' }> {
  return kindOf(message) === 'counts';
}
