/** Metrics of a process for Prometheus (docs/monitoring.md#metrics), from logged facts and states at each scrape. */
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Observation, RequestFinished } from '../../log/observation.js';
import type { PoolUse } from '../../store/base/database.js';
import type { OutboxState } from '../../webhooks/queue/outbox.js';

export interface ProcessStates {
  readonly cache?: () => { readonly hits: number; readonly misses: number; readonly bytes: number };
  readonly tracker?: () => { readonly waiting: number; readonly capacity: number };
  /** By role; null for an embedded database. */
  readonly pools?: () => Readonly<Record<string, PoolUse | null>>;
}

type Metrics = ReturnType<typeof startMetrics>;

/** Seconds. Most answers take less than a millisecond. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const apis = ['gateway', 'pages', 'banners'] as const;
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function startMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the arrival of a request until its answer was handed to the connection',
    labelNames: ['api', 'method', 'route', 'status'],
    buckets,
    registers: [registry],
  });
  const counter = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const limited = counter('hcd_limiter_refused_total', 'Requests refused because a limit was reached (429)', ['api']);
  const uncounted = counter(
    'hcd_limiter_uncounted_total',
    'Requests that were counted by one process alone or refused while Redis did not answer',
  );
  const wrong = 'Requests refused because of a wrong, ended or missing credential (401)';
  const guesses = counter('hcd_guesses_total', wrong, ['api']);
  const tooMany = 'Requests refused because more arrived than could be answered (503)';
  const shed = counter('hcd_shed_requests_total', tooMany, ['api']);
  const deliveries = counter('hcd_deliveries_total', 'Attempts to deliver a webhook, by their outcome', ['outcome']);
  const unrecorded = 'Clicks and impressions that were answered and could not be recorded';
  const lost = counter('hcd_tracker_buffer_lost_total', unrecorded, ['kind']);
  // Counters start at zero, so that the first event shows as an increase.
  for (const api of apis) {
    limited.inc({ api }, 0);
    shed.inc({ api }, 0);
    guesses.inc({ api }, 0);
  }
  for (const kind of ['clicks', 'impressions']) lost.inc({ kind }, 0);
  deliveries.inc({ outcome: 'delivered' }, 0);
  // Looking a label set up costs more than counting in it.
  const durations = new Map<string, { observe(seconds: number): void }>();
  const observeRequest = (fact: RequestFinished): void => {
    const method = methods.has(fact.method) ? fact.method : '_OTHER';
    const status = `${Math.floor(fact.status / 100)}xx`;
    const key = `${fact.api} ${method} ${status} ${fact.route}`;
    let duration = durations.get(key);
    if (duration === undefined) {
      duration = requests.labels({ api: fact.api, method, route: fact.route ?? 'none', status });
      durations.set(key, duration);
    }
    duration.observe(fact.durationMs / 1000);
    if (fact.refusal?.check === 'load') shed.inc({ api: fact.api });
    if (fact.status === 429) limited.inc({ api: fact.api });
    else if (fact.status === 401) guesses.inc({ api: fact.api });
  };
  return {
    registry,
    observe(fact: Observation): void {
      if (fact.kind === 'request_finished') observeRequest(fact);
      else if (fact.kind === 'delivery_settled') deliveries.inc({ outcome: fact.outcome });
      else if (fact.kind === 'redis_recovered') uncounted.inc(fact.uncounted);
      else if (fact.kind === 'banner_events_lost') {
        lost.inc({ kind: 'clicks' }, fact.clicks);
        lost.inc({ kind: 'impressions' }, fact.impressions);
      }
    },
  };
}

export type Samples = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Totals add up over processes and time; states name the process. */
export async function samplesOf(
  { registry }: Pick<Metrics, 'registry'>,
  kind: 'totals' | 'states',
  pid: number,
): Promise<Samples> {
  // Reads only these metrics: reading the lag of the event loop starts its measurement again.
  const named = registry.getMetricsAsArray().filter(({ type }) => (String(type) === 'gauge') === (kind === 'states'));
  const read = named.map(({ name }) => registry.getSingleMetric(name)?.get() ?? []);
  const samples = (await Promise.all(read)).flat();
  if (kind === 'totals') return inMicros(samples);
  return samples.map((state) => ({
    ...state,
    aggregator: 'sum',
    values: state.values.map((value) => ({ ...value, labels: { ...value.labels, pid } })),
  }));
}

export async function sumOf(samples: readonly Samples[]): Promise<Samples> {
  return inMicros(await AggregatorRegistry.aggregate([...samples]).getMetricsAsJSON());
}

/** Sums in another order differ beyond millionths, and a total that falls is a reset to Prometheus. */
function inMicros(samples: Samples): Samples {
  return samples.map((one) => ({
    ...one,
    values: one.values.map((value) => ({ ...value, value: Math.round(value.value * 1e6) / 1e6 })),
  }));
}

export function textOf(samples: Samples): Promise<string> {
  return AggregatorRegistry.aggregate([samples]).metrics();
}

/** The state of the database, not of a process. */
export function outboxMetrics(readOutbox: () => Promise<OutboxState>): Registry {
  const registry = new Registry();
  const depth = new Gauge({
    name: 'hcd_outbox_depth',
    help: 'Deliveries of webhooks that are not finished, by status',
    labelNames: ['status'],
    registers: [registry],
    async collect() {
      const state = await readOutbox();
      for (const [status, count] of Object.entries(state.depth)) depth.set({ status }, count);
      oldest.set(state.oldestAgeSeconds);
    },
  });
  const oldest = new Gauge({
    name: 'hcd_outbox_oldest_age_seconds',
    help: 'How long the oldest waiting delivery has been due',
    registers: [registry],
  });
  return registry;
}

/** The state of Redis, not of a process. */
export function redisMetrics(isUp: () => Promise<boolean>): Registry {
  const registry = new Registry();
  new Gauge({
    name: 'hcd_redis_up',
    help: 'Whether Redis counts requests for rate limits',
    registers: [registry],
    async collect() {
      this.set((await isUp()) ? 1 : 0);
    },
  });
  return registry;
}

export function addStates({ registry }: Pick<Metrics, 'registry'>, { cache, tracker, pools }: ProcessStates): void {
  const total = (name: string, help: string, read: () => number): void => {
    const collect = function (this: Counter): void {
      this.reset();
      this.inc(read());
    };
    new Counter({ name, help, registers: [registry], collect });
  };
  const state = (about: About, read: () => readonly (readonly [Labels, number])[]): void => {
    const collect = function (this: Gauge): void {
      for (const [labels, value] of read()) this.set(labels, value);
    };
    new Gauge({ labelNames: [], ...about, registers: [registry], collect });
  };
  if (cache !== undefined) {
    total('hcd_cache_hits_total', 'Answers given from memory', () => cache().hits);
    total('hcd_cache_misses_total', 'Answers that were not in memory', () => cache().misses);
    state({ name: 'hcd_cache_bytes', help: 'Memory of kept answers' }, () => [[{}, cache().bytes]]);
  }
  if (tracker !== undefined) {
    const waiting = { name: 'hcd_tracker_buffer_events', help: 'Clicks and impressions that wait to be written' };
    state(waiting, () => [[{}, tracker().waiting]]);
    const capacity = { name: 'hcd_tracker_buffer_capacity', help: 'Clicks and impressions that can wait' };
    state(capacity, () => [[{}, tracker().capacity]]);
  }
  if (pools !== undefined) {
    const connections = { name: 'hcd_db_pool_connections', help: 'Connections to the database, by role and state' };
    state({ ...connections, labelNames: ['role', 'state'] }, () =>
      known(pools()).flatMap(([role, { size, using }]): [Labels, number][] => [
        [{ role, state: 'used' }, using],
        [{ role, state: 'idle' }, size - using],
      ]),
    );
    const queued = { name: 'hcd_db_pool_waiting', help: 'Statements that wait for a connection', labelNames: ['role'] };
    state(queued, () => known(pools()).map(([role, { waiting }]) => [{ role }, waiting]));
  }
}

function known(pools: Readonly<Record<string, PoolUse | null>>): [string, PoolUse][] {
  return Object.entries(pools).flatMap(([role, state]): [string, PoolUse][] => (state === null ? [] : [[role, state]]));
}

type Labels = Record<string, string>;

interface About {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
}
