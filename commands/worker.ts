/** `hcd worker`: webhook deliveries, scheduled publication and cleanup. */
import { hostname } from 'node:os';
import { integerValue } from '../src/config/value-type.js';
import { announceNoticed } from '../src/content/indexing/announce-noticed.js';
import { followChanges } from '../src/content/indexing/follow-changes.js';
import { followMutations } from '../src/content/indexing/keep-indexes.js';
import { noticeAll } from '../src/content/indexing/notice.js';
import { openSite } from '../src/content/live/site.js';
import { buildRegistry } from '../src/content/objects/core-objects.js';
import { openRecorder } from '../src/operations/processes/recorder.js';
import { upkeepOf } from '../src/operations/upkeep/upkeep.js';
import { noteSecret } from '../src/store/state/state.js';
import { openTraces } from '../src/traces/traces.js';
import { countOf } from '../src/values/text.js';
import { outboundPolicyOf } from '../src/webhooks/addresses/outbound-policy.js';
import { openWebhookSealer } from '../src/webhooks/administration/secrets.js';
import { openOutbound } from '../src/webhooks/client/outbound.js';
import { runWorker, type WorkerReport } from '../src/webhooks/worker/worker.js';
import { defineCommand } from './command.js';
import type { Deps } from './deps.js';
import { Interrupted } from './exit-codes.js';
import { openMigrated, openReady } from './open-store.js';
import { optional, toggle } from './parameters.js';
import { openAdmin } from './serve/admin.js';
import { serviceManager } from './serve/service-manager.js';
import { traceSend } from './serve/trace-store.js';
import { keepLogWhole } from './streams.js';
import { joinParts } from './terminal-text.js';
import { readOwnPlaces } from './worker/own-places.js';

const placesMs = 1000;

export const command = defineCommand({
  description:
    'Sends waiting deliveries, publishes and unpublishes resources on their scheduled dates, and removes old data: finished deliveries, expired tokens and sessions, stored answers, rows of the audit log. Any number of workers can run on any number of machines; each delivery is sent by one of them.\n\nWithout --once the worker runs until SIGTERM (or Ctrl-C). Then it takes no new work and finishes its current work within 20 seconds. A second signal stops it immediately; another worker repeats the unfinished work when its lease expires.\n\nA failed delivery is retried after 30 seconds, then after twice the time, up to 12 hours, until gateway_webhook_max_attempts is reached.',
  options: {
    once: toggle('Do all work that is due, then exit; for cron'),
    limit: optional(
      integerValue({ min: 1, max: 1_000_000 }),
      'Deliveries per pass (default: gateway_webhook_worker_limit)',
    ),
    interval: optional(integerValue({ min: 1, max: 3600 }), 'Longest pause between two checks for work (default: 1)', {
      placeholder: 'SECONDS',
    }),
  },
  examples: {
    worker: 'Run until stopped',
    'worker --once --quiet': 'Do all work that is due, from cron',
  },
  endsItself: true,
  async run({ once, limit, interval = 1 }, deps) {
    const { config, file, sources } = deps.loadConfig();
    keepLogWhole(deps, config);
    const { env, clock } = deps;
    // Without any configuration this may be the wrong folder: no database is created here.
    const isConfigured = file !== null || sources.database !== 'default';
    const store = await (isConfigured ? openMigrated(deps, config) : openReady(deps));
    if (!(await noteSecret(store, config.secret))) deps.log({ kind: 'secret_differs' });
    // One pass of a worker is too short for an admin listener.
    const watched = once ? { ...config, admin_port: null } : config;
    const admin = await openAdmin({ deps, config: watched, store, stop: deps.stop });
    const manager = serviceManager(deps, deps.stop);
    const recorder = openRecorder({
      ...{ own: store.own, clock, log: admin.log },
      ...{ role: 'worker', version: deps.version, apis: [] },
    });
    const { log } = recorder;
    const { secret } = config;
    // What is published on time is a resource, and a broken extra object must not be in the way.
    const registry = buildRegistry([]);
    const site = await openSite({ store, registry, env, clock, log, secret });
    const settings = () => site.live.current().settings.values;
    let places = await readOwnPlaces(store, config);
    const look = clock.every({
      intervalMs: placesMs,
      work: async () => {
        places = await readOwnPlaces(store, config);
      },
      // The known addresses stay in use; other code reports that the database does not answer.
      onError: () => undefined,
    });
    const listeners = followMutations(store, registry);
    const writer = {
      ...{ store, registry, reader: site.reader, live: () => site.live.current() },
      ...{ now: clock.now, listeners },
    };
    const noticed = announceNoticed({ ...store, isOn: () => settings().gateway_cms_events, clock });
    if (once) await noticeAll(store, { noticed, stop: deps.stop });
    const endFollowing = once ? undefined : followChanges({ store, log, clock, site, noticed });
    const outbound = openOutbound({ clock });
    const traces = await openTraces(deps.version);
    const { end, release } = secondSignal(deps);
    site.live.start();
    await recorder.started();
    admin.started({ pools: () => ({ content: store.content.poolUse() }) });
    manager.ready();
    try {
      const report = await runWorker({
        ...{ own: store.own, clock, log, settings, once, limit: limit ?? null, intervalMs: interval * 1000 },
        sealer: await openWebhookSealer(store, secret),
        send: traces === undefined ? outbound.send : traceSend(outbound.send, traces),
        policy: () => outboundPolicyOf(settings(), places),
        name: `${hostname()}:${process.pid}`,
        signals: { stop: deps.stop, end },
        chores: upkeepOf({ writer, settings, log, noticed }),
        onPass: recorder.passed,
        onNews: (wake) => site.live.changes.onChange(wake),
      });
      if (!once) return { kind: 'nothing' };
      const exitCode = report.errors > 0 ? 3 : 0;
      return { kind: 'done', message: summary(report), data: report, exitCode };
    } finally {
      release();
      look.stop();
      site.live.stop();
      await endFollowing?.();
      outbound.close();
      await recorder.close();
      manager.close();
      await admin.close();
    }
  },
});

/** The first signal stops the command; the second one makes it return its work immediately. */
function secondSignal({ stop, log }: Pick<Deps, 'stop' | 'log'>) {
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
  const { published, withdrawn, removed, errors } = report;
  const planned = joinParts(
    [published > 0 && `published ${published}`, withdrawn > 0 && `unpublished ${withdrawn}`],
    ', ',
  );
  return joinParts(
    [
      deliveriesIn(report),
      planned !== '' && `On schedule: ${planned}.`,
      removed > 0 && `Removed ${countOf(removed, 'old row')}.`,
      errors > 0 && `${countOf(errors, 'piece')} of work failed: see the log.`,
    ],
    ' ',
  );
}

function deliveriesIn({ claimed, delivered, retried, failed }: WorkerReport): string {
  if (claimed === 0) return 'No deliveries were due.';
  const rest = joinParts([retried > 0 && `${retried} to retry`, failed > 0 && `${failed} failed`], ', ');
  return `Delivered ${delivered} of ${claimed}${rest === '' ? '' : `: ${rest}`}.`;
}
