/** The admin listener of a process: metrics, liveness and readiness, put together from what the process runs. */
import cluster from 'node:cluster';
import type { Clock } from '../../src/clock/clock.js';
import type { Config } from '../../src/config/definitions.js';
import { listeningAddress } from '../../src/http/server/listening-address.js';
import type { Log } from '../../src/log/observation.js';
import type { Checks } from '../../src/operations/admin/admin-server.js';
import type { ProcessStates } from '../../src/operations/admin/metrics.js';
import type { Store } from '../../src/store/open/open.js';
import type { Deps } from '../deps.js';
import { migrationRun } from '../open-store.js';

export interface Admin {
  /** Reports a fact to the log and counts it. */
  readonly log: Log;
  /** What only the running process knows; from now on it counts as started. */
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
/** Milliseconds for which the state of the outbox is kept: several scrapers ask the database once. */
const outboxMs = 5000;

/** Does nothing where no admin port is configured: nothing is counted, and nothing of it is loaded. */
export async function openAdmin(options: AdminOptions): Promise<Admin> {
  const { deps, config } = options;
  if (config.admin_port === null) return { log: deps.log, started: () => undefined, close: async () => undefined };
  const { addStates, offerToFirstProcess, startMetrics } = await import('../../src/operations/admin/metrics.js');
  const metrics = startMetrics();
  const log: Log = (fact) => {
    metrics.observe(fact);
    deps.log(fact);
  };
  if (cluster.isWorker) {
    offerToFirstProcess(metrics);
    const signs = deps.clock.every({
      intervalMs: signMs,
      work: () => void cluster.worker?.send({ kind: 'alive' }, () => undefined),
      onError: () => undefined,
    });
    return { log, started: (states) => addStates(metrics, states), close: async () => signs.stop() };
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
  const { readWorkers } = await import('../../src/operations/admin/metrics.js');
  const workers = watchWorkers(deps.clock);
  return listen(options, { ...workers, metrics: readWorkers() });
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
    // A database that is away leaves the rest to be read.
    metrics: async () => `${await parts.metrics()}\n${await database.metrics().catch(() => '')}`,
  });
  deps.io.stderr.write(`admin listener at ${listeningAddress({ host, port: server.port })}\n`);
  return () => server.close();
}

/** Watches the worker processes of this first process. */
function watchWorkers(clock: Pick<Clock, 'elapsed'>): Pick<Parts, 'live' | 'serving'> {
  const seenAt = new Map<number, number>();
  const serving = new Set<number>();
  const see = (id: number): void => void seenAt.set(id, clock.elapsed());
  cluster.on('fork', ({ id }) => see(id));
  cluster.on('message', ({ id }) => see(id));
  cluster.on('listening', ({ id }) => {
    see(id);
    serving.add(id);
  });
  cluster.on('exit', ({ id }) => {
    seenAt.delete(id);
    serving.delete(id);
  });
  return {
    async live() {
      const silent = [...seenAt].filter(([, at]) => clock.elapsed() - at > silenceMs);
      return { workers: silent.length === 0 ? 'ok' : `${silent.length} of ${seenAt.size} give no sign of life` };
    },
    serving: () => (serving.size > 0 ? 'ok' : 'starting'),
  };
}
