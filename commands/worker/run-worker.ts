/** Works until told to stop, or once: opens the store, joins the outbox with its parts, and ends in two stages. */
import { hostname } from 'node:os';
import { openSite } from '../../src/content/live/site.js';
import { announceChanges } from '../../src/content/mutations/announce-changes.js';
import { announceEvents } from '../../src/content/mutations/announce-events.js';
import { joinListeners } from '../../src/content/mutations/join-listeners.js';
import { buildRegistry } from '../../src/content/objects/registry.js';
import { derived } from '../../src/http/interface/derived.js';
import { upkeepOf } from '../../src/operations/upkeep/upkeep.js';
import { outboundPolicyOf } from '../../src/outbox/addresses/outbound-policy.js';
import { openOutbound } from '../../src/outbox/client/outbound.js';
import { runWorker, type WorkerReport } from '../../src/outbox/worker/worker.js';
import { openWebhookSealer } from '../../src/webhooks/webhook-sealer.js';
import type { Deps } from '../deps.js';
import { Interrupted } from '../exit-codes.js';
import type { Result } from '../result.js';
import { sayWithoutEffect } from '../say-without-effect.js';
import { openMigrated } from '../store/open-ready.js';
import { readOwnPlaces } from './own-places.js';

/** Milliseconds between two looks for servers that have started. */
const placesMs = 1000;

export interface WorkerFlags {
  readonly once: boolean;
  readonly limit: number | undefined;
  readonly interval: number | undefined;
}

export async function runWorkerCommand({ once, limit, interval = 1 }: WorkerFlags, deps: Deps): Promise<Result> {
  const { config } = deps.loadConfig();
  sayWithoutEffect(deps);
  const { env, clock, log } = deps;
  const store = await openMigrated(deps, config);
  const { secret } = config;
  // Only core objects: what is published on time is a resource, and a broken extra object must not be in the way.
  const registry = buildRegistry([]);
  const site = await openSite({ store, registry, env, clock, log, secret });
  const settings = derived(
    () => site.live.current().settings,
    (snapshot) => snapshot.values,
  );
  let places = await readOwnPlaces(store, config);
  const look = clock.every({
    intervalMs: placesMs,
    work: async () => {
      places = await readOwnPlaces(store, config);
    },
    // The places that were known still count; that the database is away is reported where it is used.
    onError: () => undefined,
  });
  const policy = derived(settings, (values) =>
    derived(
      () => places,
      (own) => outboundPolicyOf(values, own),
    ),
  );
  const listeners = joinListeners([announceEvents(), announceChanges()]);
  const writer = {
    ...{ store, registry, reader: site.reader, live: () => site.live.current() },
    ...{ now: clock.now, listeners },
  };
  const outbound = openOutbound({ clock });
  const { end, release } = secondSignal(deps);
  site.live.start();
  try {
    const report = await runWorker({
      own: store.own,
      clock,
      log,
      sealer: await openWebhookSealer(store, secret),
      send: outbound.send,
      policy: () => policy()(),
      settings,
      name: `${hostname()}:${process.pid}`,
      signals: { stop: deps.stop, end },
      once,
      limit: limit ?? null,
      intervalMs: interval * 1000,
      chores: upkeepOf({ writer, settings, log }),
    });
    return once ? { kind: 'done', message: summary(report), data: { ...report } } : { kind: 'nothing' };
  } finally {
    release();
    look.stop();
    site.live.stop();
    outbound.close();
  }
}

/**
 * The first signal ends the command; from then on the next one asks for haste. Further ones change nothing: what is under
 * way is being given back.
 */
function secondSignal({ stop, log }: Pick<Deps, 'stop' | 'log'>): {
  readonly end: AbortSignal;
  readonly release: () => void;
} {
  const end = new AbortController();
  const hurry = (): void => end.abort();
  const listen = (): void => {
    if (stop.reason instanceof Interrupted) log({ kind: 'server_stopping', signal: stop.reason.signal });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, hurry);
  };
  if (stop.aborted) listen();
  else stop.addEventListener('abort', listen, { once: true });
  return {
    end: end.signal,
    release() {
      stop.removeEventListener('abort', listen);
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, hurry);
    },
  };
}

function summary(report: WorkerReport): string {
  const { published, withdrawn, removed } = report;
  const planned = [
    ...(published > 0 ? [`published ${published}`] : []),
    ...(withdrawn > 0 ? [`withdrew ${withdrawn}`] : []),
  ];
  return [
    deliveriesIn(report),
    ...(planned.length > 0 ? [`On their planned dates: ${planned.join(', ')}.`] : []),
    ...(removed > 0 ? [`Removed ${removed} old ${removed === 1 ? 'row' : 'rows'}.`] : []),
  ].join(' ');
}

function deliveriesIn({ claimed, delivered, retried, failed }: WorkerReport): string {
  if (claimed === 0) return 'No delivery was due.';
  const rest = [...(retried > 0 ? [`${retried} to be repeated`] : []), ...(failed > 0 ? [`${failed} given up`] : [])];
  return `Delivered ${delivered} of ${claimed}${rest.length > 0 ? `: ${rest.join(', ')}` : ''}.`;
}
