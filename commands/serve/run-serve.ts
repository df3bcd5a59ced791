/** Serves until told to stop: opens the store, starts the server or several workers, and ends without failing a request. */
import { resolve } from 'node:path';
import { openRegistry } from '../../src/content/objects/object-registry.js';
import { counterPlace } from '../../src/identity/limits/open-counter.js';
import { revocationPlace } from '../../src/identity/limits/redis-revocations.js';
import { keepListener } from '../../src/outbox/worker/keep-listener.js';
import type { Deps } from '../deps.js';
import { Interrupted } from '../exit-codes.js';
import type { Result } from '../result.js';
import { sayWithoutEffect } from '../say-without-effect.js';
import { openMigrated } from '../store/open-ready.js';
import { thisMachine } from '../worker/own-places.js';
import { type ApiName, apiNames } from './api-names.js';
import { limitHeapGrowth } from './heap-growth.js';
import { isWorkerProcess, releaseWorker, runWorkers, workerStop } from './run-workers.js';
import { siblingChannel } from './share-changes.js';
import { startSite } from './start-site.js';

export interface ServeOptions {
  readonly apis: readonly ApiName[];
  readonly host: string | undefined;
  readonly port: string | undefined;
  readonly workers: string | undefined;
}

/** Serves until `deps.stop` aborts. */
export async function runServe(options: ServeOptions, deps: Deps): Promise<Result> {
  try {
    return await serveUntilStopped(options, deps);
  } finally {
    releaseWorker();
  }
}

async function serveUntilStopped({ apis, host, port, workers }: ServeOptions, deps: Deps): Promise<Result> {
  const stop = AbortSignal.any([deps.stop, workerStop()]);
  const { config } = deps.loadConfig({ host, port, workers });
  limitHeapGrowth();
  if (!isWorkerProcess()) sayWithoutEffect(deps);
  const store = await openMigrated(deps, config);
  if (config.workers > 1) {
    const ended = await runWorkers({ config, deps });
    if (ended !== 'this is a worker') return { kind: 'nothing' };
  }
  const registry = await openRegistry(store, {
    folder: resolve(deps.cwd, config.objects_dir),
    plugins: config.plugins,
  });
  const revocations = revocationPlace(config);
  const siblings = siblingChannel(deps.clock);
  const running = await startSite({
    store,
    registry,
    env: deps.env,
    clock: deps.clock,
    log: deps.log,
    secret: config.secret,
    version: deps.version,
    apis: apis.length === 0 ? apiNames : apis,
    host: config.host,
    port: config.port,
    rateCounters: counterPlace(config),
    ...(revocations === null ? {} : { revocations }),
    limits: {
      maxConnections: config.max_connections,
      maxWaiting: config.max_waiting_requests,
      maxUnsentBytes: config.max_unsent_bytes,
      maxTotalUnsentBytes: config.max_total_unsent_bytes,
      stallMs: config.answer_stall_seconds * 1000,
    },
    ...(siblings === undefined ? {} : { siblings }),
  });
  const { host: bound, port: taken } = running.server;
  const listener = await keepListener(
    { own: store.own, clock: deps.clock, log: deps.log },
    { ...thisMachine(), host: bound, port: taken },
  );
  announce(deps, running.server);
  await stopped(stop);
  listener.stop();
  if (deps.stop.reason instanceof Interrupted) deps.log({ kind: 'server_stopping', signal: deps.stop.reason.signal });
  await running.close();
  return { kind: 'nothing' };
}

function announce({ io }: Deps, { host, port }: { readonly host: string; readonly port: number }): void {
  io.stderr.write(`listening on http://${host.includes(':') ? `[${host}]` : host}:${port}\n`);
}

function stopped(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) return resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
}
