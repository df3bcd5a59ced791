/** The admin listener of a process, put together from what the process runs. */
import cluster, { type Worker } from 'node:cluster';
import type { Clock } from '../../src/clock/clock.js';
import { listeningAddress } from '../../src/config/address-values.js';
import type { Config } from '../../src/config/definitions.js';
import { counterPlace } from '../../src/identity/limits/open-counter.js';
import { whyRedisIsLost } from '../../src/identity/limits/redis-link.js';
import { newsPlace } from '../../src/identity/limits/redis-news.js';
import type { Log } from '../../src/log/observation.js';
import type { Checks } from '../../src/operations/admin/admin-server.js';
import type { ProcessStates, Samples } from '../../src/operations/admin/metrics.js';
import type { Store } from '../../src/store/open/open.js';
import type { Deps } from '../deps.js';
import { migrationRun } from '../open-store.js';
import { channelTo } from './process-channel.js';

interface AdminOptions {
  readonly deps: Deps;
  readonly config: Config;
  readonly store: Store;
  readonly stop: AbortSignal;
}

/** A worker process without a sign of life for so long counts as stuck. */
const silenceMs = 15_000;
const signMs = 1000;
const countsMs = 2000;
/** Several scrapers ask the database once. */
const outboxMs = 5000;

/** Without an admin port nothing is counted, and nothing of it is loaded. */
export async function openAdmin(options: AdminOptions) {
  const { deps, config } = options;
  if (config.admin_port === null) return { log: deps.log, started: () => undefined, close: async () => undefined };
  const { addStates, samplesOf, startMetrics } = await import('../../src/operations/admin/metrics.js');
  const metrics = startMetrics();
  const log: Log = (fact) => {
    metrics.observe(fact);
    deps.log(fact);
  };
  const { worker } = cluster;
  if (worker !== undefined) {
    const { clock } = deps;
    const end = answerFirstProcess({ worker, clock }, (kinds) => samplesOf(metrics, kinds, process.pid));
    return { log, started: (states: ProcessStates) => addStates(metrics, states), close: end };
  }
  let isStarted = false;
  const close = await listen(options, {
    live: async () => ({ process: 'ok' }),
    serving: () => (isStarted ? 'ok' : 'starting'),
    metrics: () => metrics.registry.metrics(),
  });
  return {
    log,
    started(states: ProcessStates): void {
      addStates(metrics, states);
      isStarted = true;
    },
    close,
  };
}

/** In the first process of several. Returns a function that closes it. */
export async function openAdminOfWorkers(options: AdminOptions): Promise<() => Promise<void>> {
  const { deps, config } = options;
  if (config.admin_port === null) return async () => undefined;
  const { sumOf, textOf } = await import('../../src/operations/admin/metrics.js');
  return listen(options, watchWorkers(deps.clock, { sumOf, textOf }));
}

interface Parts {
  readonly live: () => Promise<Checks>;
  readonly serving: () => string;
  readonly metrics: () => Promise<string>;
}

async function listen({ deps, config, store, stop }: AdminOptions, parts: Parts): Promise<() => Promise<void>> {
  const { clock } = deps;
  const [{ checkStore, startAdminServer }, { outboxMetrics, redisMetrics }, { readOutboxState }] = await Promise.all([
    import('../../src/operations/admin/admin-server.js'),
    import('../../src/operations/admin/metrics.js'),
    import('../../src/webhooks/queue/outbox.js'),
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
  const redis = typeof counterPlace(config) === 'object' ? newsPlace(config) : null;
  const lost = redis === null ? null : () => whyRedisIsLost({ ...redis, clock });
  const redisState = lost === null ? null : redisMetrics(async () => (await lost()) === null);
  const readRedis = async () => {
    const reason = await lost?.();
    return reason === undefined ? {} : { redis: reason === null ? 'ok' : `degraded: ${reason}` };
  };
  const run = migrationRun(store);
  const host = config.admin_host;
  const server = await startAdminServer({
    host,
    port: config.admin_port ?? 0,
    clock,
    live: parts.live,
    ready: async () => ({
      serving: stop.aborted ? 'draining' : parts.serving(),
      ...(await checkStore(run, clock)),
      ...(await readRedis()),
    }),
    // Without the database the other metrics are still shown.
    metrics: async () =>
      [await parts.metrics(), await redisState?.metrics(), await database.metrics().catch(() => '')].join('\n'),
  });
  deps.io.stderr.write(`admin listener at ${listeningAddress({ host, port: server.port })}\n`);
  return () => server.close();
}

/** Sends totals every second and before the end, all samples on request. Returns its end. */
function answerFirstProcess(
  { worker, clock }: { readonly worker: Worker; readonly clock: Clock },
  read: (kinds: 'totals' | 'states') => Promise<Samples>,
): () => Promise<void> {
  const channel = channelTo(worker);
  let last: Promise<unknown> = Promise.resolve();
  // One after the other: older totals never follow newer ones.
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const send = () =>
    inTurn(async () => {
      const totals = await read('totals');
      void channel.ask('totals', totals).catch(() => undefined);
    });
  const signs = clock.every({ intervalMs: signMs, work: send, onError: () => undefined });
  channel.answer('samples', () => inTurn(async () => ({ totals: await read('totals'), states: await read('states') })));
  return () => {
    signs.stop();
    return send();
  };
}

interface Watched {
  readonly worker: Worker;
  seenAt: number;
  isServing: boolean;
  totals: Samples;
  states: Samples;
}

/** The module of the metrics is loaded only where there is a listener for them. */
type SampleRules = Pick<typeof import('../../src/operations/admin/metrics.js'), 'sumOf' | 'textOf'>;

/** Keeps the totals of worker processes that have ended. */
function watchWorkers(clock: Clock, { sumOf, textOf }: SampleRules): Parts {
  const watched = new Map<number, Watched>();
  let ended: Promise<Samples> = Promise.resolve([]);
  const see = ({ id }: Worker, change: Partial<Watched> = {}): void => {
    const one = watched.get(id);
    // The last message of a process can come later than its end.
    if (one !== undefined) Object.assign(one, change, { seenAt: clock.elapsed() });
  };
  cluster.on('fork', (worker) => {
    watched.set(worker.id, { worker, seenAt: clock.elapsed(), isServing: false, totals: [], states: [] });
    channelTo(worker).answer('totals', async (totals) => see(worker, { totals }));
  });
  cluster.on('listening', (worker) => see(worker, { isServing: true }));
  cluster.on('message', (worker) => see(worker));
  cluster.on('exit', ({ id }) => {
    const { totals = [] } = watched.get(id) ?? {};
    watched.delete(id);
    ended = ended.then((before) => sumOf([before, totals]));
  });
  return {
    async live() {
      const silent = [...watched.values()].filter(({ seenAt }) => clock.elapsed() - seenAt > silenceMs);
      return { workers: silent.length === 0 ? 'ok' : `${silent.length} of ${watched.size} give no sign of life` };
    },
    serving: () => ([...watched.values()].some(({ isServing }) => isServing) ? 'ok' : 'starting'),
    async metrics() {
      const done = new AbortController();
      const serving = [...watched.values()].filter(({ isServing }) => isServing);
      const asked = serving.map(async ({ worker }) => see(worker, await channelTo(worker).ask('samples')));
      await Promise.race([Promise.allSettled(asked), clock.sleep(countsMs, done.signal)]);
      done.abort();
      // Last totals of a worker that is too busy to answer, so that no sum decreases.
      const running = [...watched.values()].flatMap(({ totals, states }) => [totals, states]);
      return textOf(await sumOf([...running, await ended]));
    },
  };
}
