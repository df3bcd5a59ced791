/** `hcd serve [gateway] [pages] [banners]`: the HTTP server, in one process or several. */

import { listeningAddress } from '../src/config/address-values.js';
import { type Config, configDefinitions } from '../src/config/definitions.js';
import { type ApiName, apiNames, asText, choiceValue } from '../src/config/value-type.js';
import { AppError } from '../src/errors/app-error.js';
import { counterPlace } from '../src/identity/limits/open-counter.js';
import { newsPlace } from '../src/identity/limits/redis-news.js';
import { roomForConnections } from '../src/operations/processes/open-files.js';
import { openRecorder } from '../src/operations/processes/recorder.js';
import type { Store } from '../src/store/open/open.js';
import { noteSecret } from '../src/store/state/state.js';
import { openTraces } from '../src/traces/traces.js';
import { keepListener } from '../src/webhooks/worker/keep-listener.js';
import { defineCommand, type Result } from './command.js';
import type { Deps } from './deps.js';
import { Interrupted } from './exit-codes.js';
import { aborted, limitHeapGrowth } from './host.js';
import { openMigrated, openSiteRegistry } from './open-store.js';
import { optional, repeated, type Values } from './parameters.js';
import { openAdmin, openAdminOfWorkers } from './serve/admin.js';
import { isWorkerProcess, releaseWorker, runWorkers, workerStop } from './serve/run-workers.js';
import { handedSocket, serviceManager } from './serve/service-manager.js';
import { countInFirstProcess, siblingChannel } from './serve/share-changes.js';
import { startSite } from './serve/start-site.js';
import { keepLogWhole } from './streams.js';
import { thisMachine } from './worker/own-places.js';

/** Loads what the first answers did not need. */
const warmAfter = 1000;

const flags = {
  host: optional(asText(configDefinitions.host.type), 'Address to listen on'),
  port: optional(asText(configDefinitions.port.type), 'Port to listen on; 0 picks a free port', {
    placeholder: 'PORT',
  }),
  workers: optional(asText(configDefinitions.workers.type), 'Number of HTTP processes'),
};

export const command = defineCommand({
  description:
    'Serves the content gateway, the page delivery API and the banner API, or only the given ones. Prints "listening on http://HOST:PORT" on standard error when it is ready. SIGTERM (or Ctrl-C) stops it after the requests in progress; a second signal stops it immediately. With several processes, SIGHUP to the first one replaces the others one by one without failing a request, unless the server runs on a terminal. An empty embedded database is migrated first; any other database with pending migrations is refused.',
  arguments: {
    apis: repeated(choiceValue(apiNames), 'API to serve (default: all)', { placeholder: 'API' }),
  },
  options: flags,
  examples: {
    serve: 'Serve all three APIs on http://127.0.0.1:8080',
    'serve gateway --host 0.0.0.0 --port 80 --workers 4': 'Serve only the gateway, on all addresses, in four processes',
  },
  endsItself: true,
  run: ({ apis, ...given }, deps) => serveUntilStopped(apis, given, deps).finally(releaseWorker),
});

async function serveUntilStopped(apis: readonly ApiName[], given: Values<typeof flags>, deps: Deps): Promise<Result> {
  const stop = AbortSignal.any([deps.stop, workerStop()]);
  const { config } = deps.loadConfig(given);
  keepLogWhole(deps, config);
  limitHeapGrowth(100);
  const store = await openMigrated(deps, config);
  if (!isWorkerProcess() && !(await noteSecret(store, config.secret))) deps.log({ kind: 'secret_differs' });
  if (!isWorkerProcess()) await warnOfEncoding(store, deps);
  const manager = serviceManager(deps, stop);
  if (config.workers > 1) {
    const closeAdmin = isWorkerProcess() ? undefined : await openAdminOfWorkers({ deps, config, store, stop });
    const ended = await runWorkers({ config, deps, ready: manager.ready });
    manager.close();
    await closeAdmin?.();
    if (ended !== 'this is a worker') return { kind: 'nothing' };
  }
  const admin = await openAdmin({ deps, config, store, stop });
  const served = apis.length === 0 ? apiNames : apis;
  const { clock, version } = deps;
  const recorder = openRecorder({ own: store.own, clock, log: admin.log, role: 'server', version, apis: served });
  const registry = await openSiteRegistry({ ...config, cwd: deps.cwd }, store);
  const news = newsPlace(config);
  const siblings = siblingChannel(clock);
  const running = await startSite({
    ...{ store, registry, env: deps.env, clock, log: recorder.log, version, apis: served },
    ...{ secret: config.secret, filesDir: config.files_dir, sendfileHeader: config.sendfile_header },
    ...{ host: config.host, port: config.port },
    traces: await openTraces(version),
    socket: handedSocket(deps.env),
    rateCounters: counterPlace(config),
    firstProcess: countInFirstProcess(),
    compresses: config.compression === 'on',
    ...(news === null ? {} : { news }),
    limits: {
      maxConnections: connectionsWithin(config, recorder.log),
      maxWaiting: config.max_waiting_requests,
      maxQueueMs: config.max_queue_ms,
      maxUnsentBytes: config.max_unsent_bytes,
      maxTotalUnsentBytes: config.max_total_unsent_bytes,
      stallMs: config.answer_stall_seconds * 1000,
    },
    ...(siblings === undefined ? {} : { siblings }),
  });
  const { host: bound, port: taken } = running.server;
  const listener = await keepListener(
    { own: store.own, clock, log: deps.log },
    { ...thisMachine(), host: bound, port: taken },
  );
  admin.started(running.states);
  const url = listeningAddress({ host: bound, port: taken });
  await recorder.started({ url, cache: () => running.server.cache });
  announce(deps, running.server);
  manager.ready();
  // Pages load it again, and report what is wrong.
  const warming = deps.clock.after(warmAfter, () => void running.warm().catch(() => undefined));
  await aborted(stop);
  warming.stop();
  listener.stop();
  if (deps.stop.reason instanceof Interrupted) deps.log({ kind: 'server_stopping', signal: deps.stop.reason.signal });
  await running.close();
  await recorder.close();
  manager.close();
  await admin.close();
  return { kind: 'nothing' };
}

async function warnOfEncoding(store: Store, { log }: Deps): Promise<void> {
  if (store.kind !== 'attached' || store.content.repairsTexts) return;
  const { findDoubled } = await import('../src/operations/doctor/table-checks.js');
  if ((await findDoubled(store)).length === 0) return;
  const text = 'Texts of the site are double-encoded, and writes mix them with right ones; hcd doctor says what to do';
  log({ kind: 'notice', level: 'warn', text });
}

const fewestConnections = 10;

/** Throws where the limit of open files leaves no room for a server. */
function connectionsWithin(
  { max_connections: configured, database_read_urls: replicas }: Config,
  log: Deps['log'],
): number {
  const room = roomForConnections(replicas.length);
  if (room === null || room.connections >= configured) return configured;
  const { limit: openFiles, connections: allowed } = room;
  if (allowed < fewestConnections) {
    const needed = openFiles - allowed + fewestConnections;
    const message = `The limit of open files is ${openFiles}; a server needs at least ${needed}. Raise it: LimitNOFILE=65536 in the unit, or ulimit -n`;
    throw new AppError('configuration_invalid', { message });
  }
  log({ kind: 'connections_lowered', openFiles, configured, allowed });
  return allowed;
}

function announce({ io }: Deps, { host, port }: { readonly host: string; readonly port: number }): void {
  io.stderr.write(`listening on http://${host.includes(':') ? `[${host}]` : host}:${port}\n`);
}
