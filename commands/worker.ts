/** `hcd worker`: deliveries of webhooks, planned publication and the removal of what is old. */
import { hostname } from 'node:os';
import { integerValue } from '../src/config/value-type.js';
import { openSite } from '../src/content/live/site.js';
import { announceChanges } from '../src/content/mutations/announce-changes.js';
import { announceEvents } from '../src/content/mutations/announce-events.js';
import { joinListeners } from '../src/content/mutations/join-listeners.js';
import { buildRegistry } from '../src/content/objects/registry.js';
import { derived } from '../src/http/interface/derived.js';
import { upkeepOf } from '../src/operations/upkeep/upkeep.js';
import { outboundPolicyOf } from '../src/webhooks/addresses/outbound-policy.js';
import { openWebhookSealer } from '../src/webhooks/administration/webhook-sealer.js';
import { openOutbound } from '../src/webhooks/client/outbound.js';
import { runWorker, type WorkerReport } from '../src/webhooks/worker/worker.js';
import { defineCommand } from './command.js';
import type { Deps } from './deps.js';
import { Interrupted } from './exit-codes.js';
import { optional, toggle } from './parameters.js';
import { sayWithoutEffect } from './say-without-effect.js';
import { openMigrated } from './store/open-ready.js';
import { readOwnPlaces } from './worker/own-places.js';

/** Milliseconds between two looks for servers that have started. */
const placesMs = 1000;

export const command = defineCommand({
  path: 'worker',
  summary: 'Deliver webhooks, publish on time, remove what is old',
  description:
    'Sends the deliveries that wait, publishes and withdraws resources on their planned dates, and removes what is past its time: finished deliveries, ended tokens and sessions, kept answers, rows of the audit log. Any number of workers may run, on any number of machines: each delivery is sent by one of them.\n\nWith --once it does what is due and ends, which suits cron. Without it the worker runs until SIGTERM (or Ctrl-C): then it takes nothing new and ends what is under way, within 20 seconds; a second signal ends it at once, and another worker repeats what was under way when its lease has ended.\n\nA delivery that fails is repeated after 30 seconds, then after twice as long each time, up to 12 hours, until gateway_webhook_max_attempts is reached.',
  arguments: {},
  options: {
    once: toggle('Do what is due, then end'),
    limit: optional(integerValue({ min: 1, max: 1_000_000 }), {
      placeholder: 'N',
      description: 'Deliveries of one pass, instead of gateway_webhook_worker_limit',
    }),
    interval: optional(integerValue({ min: 1, max: 3600 }), {
      placeholder: 'SECONDS',
      description: 'Longest pause between two looks for work; 1 when left out',
    }),
  },
  examples: [
    { line: 'worker', does: 'Run beside the server until it is told to stop' },
    { line: 'worker --once --quiet', does: 'Do what is due, from cron every minute' },
  ],
  endsItself: true,
  async run({ once, limit, interval = 1 }, deps) {
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
  },
});

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
