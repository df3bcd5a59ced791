// @ts-check
/**
 * A worker that dies at a chosen moment, for tests: the built parts as the `worker` command joins them, and around the
 * client a step that kills the process when so many deliveries have come that far. Takes its options as JSON.
 */
/** The build is not type-checked, so it is imported by an address that only Node knows. */
const built = (/** @type {string} */ path) => import(new URL(`../../dist/src/${path}`, import.meta.url).href);
const { systemClock } = await built('clock/clock.js');
const { openOutbound } = await built('webhooks/client/outbound.js');
const { makeOutboundPolicy } = await built('webhooks/addresses/outbound-policy.js');
const { runWorker } = await built('webhooks/worker/worker.js');
const { openWebhookSealer } = await built('webhooks/administration/secrets.js');
const { openStore } = await built('store/open/open.js');

/** @type {{ url: string, secret: string, at: 'before_send' | 'after_answer', together: number }} */
const options = JSON.parse(process.argv[2] ?? '{}');
const store = await openStore({ databaseUrl: options.url, prefix: 'modx_' });
const outbound = openOutbound({ clock: systemClock });
const policy = makeOutboundPolicy({ allowPrivate: true });
const never = new AbortController().signal;
let arrived = 0;

/** Resolves never: the last of them ends the process as a crash does. */
function crash() {
  arrived += 1;
  if (arrived === options.together) process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

await runWorker({
  own: store.own,
  clock: systemClock,
  log: () => undefined,
  sealer: await openWebhookSealer(store, options.secret),
  async send(/** @type {unknown} */ request) {
    if (options.at === 'after_answer') await outbound.send(request);
    return crash();
  },
  policy: () => policy,
  settings: () => ({
    gateway_webhook_max_attempts: 12,
    gateway_webhook_worker_limit: 1000,
    gateway_webhook_concurrency: 16,
    gateway_webhook_keep_answers: false,
    gateway_webhook_disable_after_days: 5,
    gateway_webhook_retention_days: 30,
  }),
  random: () => 0.5,
  name: `crashing:${process.pid}`,
  signals: { stop: never, end: never },
  once: false,
  limit: null,
  intervalMs: 1000,
});
