/** Decides how a fact is reported: text for people on a terminal, one JSON object a line elsewhere. */
import type { Clock } from '../clock/clock.js';
import { AppError } from '../errors/app-error.js';
import { capLength, escapeControls } from './escape.js';
import { errorChain } from './failures.js';
import type { Log, Observation, RequestFinished } from './observation.js';
import {
  type Entry,
  type Fields,
  jsonLine,
  type LogLevel,
  longestField,
  requestLine,
  rounded,
} from './request-line.js';

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: 'text' | 'json';
  readonly clock: Clock;
  /** With its line break. */
  readonly write: (line: string) => void;
}

const weight: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };
/** Fields that the words of the text line hold already. */
const saidInMessage: ReadonlySet<string> = new Set(['url', 'method', 'route', 'name', 'key']);
const longestStack = 4096;

/** Remembers whether the database is down, so that an outage is one line and not one per request. */
export function createLogger(options: LoggerOptions): Log {
  const { level: least, format, clock, write } = options;
  const time = isoTime(clock);
  let repeated: number | null = null;
  return (observation) => {
    const { kind } = observation;
    if (kind === 'store_unavailable') {
      repeated = repeated === null ? 0 : repeated + 1;
      if (repeated > 0) return;
    }
    const refused = repeated ?? 0;
    if (kind === 'store_recovered') repeated = null;
    // Nearly all lines of a server are these.
    if (format === 'json' && kind === 'request_finished' && observation.error === undefined) {
      const level = requestLevel(observation);
      if (weight[level] >= weight[least]) write(requestLine(observation, { time: time(), level }));
      return;
    }
    const entry = describe(observation, refused);
    if (weight[entry.level] < weight[least]) return;
    write(format === 'json' ? jsonLine(entry, { time: time(), event: kind }) : textLine(entry, time()));
  };
}

/** All but the milliseconds is made once for the lines of a second. */
function isoTime(clock: Clock): () => string {
  let second = Number.NaN;
  let start = '';
  return () => {
    const now = Math.floor(clock.now());
    const newest = Math.floor(now / 1000);
    if (newest !== second) {
      second = newest;
      start = new Date(newest * 1000).toISOString().slice(0, -4);
    }
    return `${start}${String(now - newest * 1000).padStart(3, '0')}Z`;
  };
}

function requestLevel({ status, error }: RequestFinished): LogLevel {
  // Below 500 an error is an answer that broke off.
  if (error !== undefined) return 'error';
  // An API that is switched off answers 503 without anything being wrong.
  return status < 500 ? 'info' : 'warn';
}

const info = (message: string, fields: Fields): Entry => ({ level: 'info', message, fields });
const warning = (message: string, fields: Fields): Entry => ({ level: 'warn', message, fields });
const failure = (message: string, fields: Fields): Entry => ({ level: 'error', message, fields });

function describe(fact: Observation, repeated: number): Entry {
  switch (fact.kind) {
    case 'server_stopping':
      return info('stopping', { signal: fact.signal });
    case 'log_lines_lost':
      return warning('lines of this log were lost: its reader took nothing for too long', { lines: fact.lines });
    case 'workers_replaced':
      return info('workers replaced', { count: fact.count });
    case 'request_finished':
      return { level: requestLevel(fact), message: `${fact.method} ${fact.route ?? '-'}`, fields: requestFields(fact) };
    case 'store_unavailable':
      return failure(fact.problem ?? 'the database does not answer', { code: fact.code });
    case 'store_recovered':
      return info('the database answers again', { repeated });
    case 'load_refused':
      return warning('requests are refused: too many arrive or wait, or they take too long', {});
    case 'load_over':
      return info('requests are no longer refused', { refused: fact.refused });
    case 'redis_unavailable':
      return failure('Redis does not count requests', { code: fact.code });
    case 'revocations_unheard':
      return warning('Redis does not report revocations', { code: fact.code });
    case 'redis_recovered':
      return info('Redis counts requests again', { uncounted: fact.uncounted });
    case 'migration_applied':
      return info(`migration applied: ${fact.name}`, { name: fact.name });
    case 'migration_reverted':
      return info(`migration reverted: ${fact.name}`, { name: fact.name });
    case 'settings_changed':
      return info('settings changed', { keys: fact.keys });
    case 'setting_refused':
      return warning(fact.problem, { key: fact.key });
    case 'delivery_settled': {
      const { deliveryId, subscriptionId, event, attempt, outcome, result, status, durationMs } = fact;
      return (result === 'failed' ? warning : info)(`delivery ${result}`, {
        delivery_id: deliveryId,
        subscription_id: subscriptionId,
        event_name: event,
        attempt,
        outcome,
        status,
        duration_ms: rounded(durationMs),
      });
    }
    case 'receiver_paused': {
      const { subscriptionId, seconds } = fact;
      const message = 'the receiver fails again and again and is left alone for a while';
      return warning(message, { subscription_id: subscriptionId, seconds });
    }
    case 'publications_done':
      return info('planned publication', { published: fact.published, withdrawn: fact.withdrawn });
    case 'page_plan_refused': {
      const { resource, problem } = fact;
      return warning('a page could not be published as planned', { resource, problem });
    }
    case 'resource_plan_refused': {
      const { resource, problem } = fact;
      return warning('a resource could not be published or withdrawn on its date', { resource, problem });
    }
    case 'section_not_rendered': {
      const { resource, revision, section, type, reason } = fact;
      return info('a section of a page cannot be rendered', { resource, revision, section, type, reason });
    }
    case 'webhook_failing': {
      const { subscriptionId, failures, failingDays, daysLeft } = fact;
      const message = `the receiver does nothing but fail; its subscription is disabled in ${daysLeft} days`;
      const fields = { subscription_id: subscriptionId, failures, failing_days: failingDays, days_left: daysLeft };
      return warning(message, fields);
    }
    case 'webhook_disabled':
      return warning('webhook subscription disabled', { subscription_id: fact.subscriptionId, reason: fact.reason });
    case 'forwarder_untrusted': {
      const message = 'X-Forwarded-For of a peer that gateway_trusted_proxies does not name is not believed';
      return warning(message, { peer: fact.peer });
    }
    case 'clock_skewed':
      return warning('the clock of this machine differs from that of the database', { skew_ms: fact.skewMs });
    case 'banner_events_lost': {
      const { clicks, impressions } = fact;
      return warning('clicks and impressions could not be recorded', { clicks, impressions });
    }
    case 'connections_lowered': {
      const message =
        'the limit of open files allows fewer connections than max_connections; raise it (LimitNOFILE, ulimit -n)';
      return warning(message, { open_files: fact.openFiles, configured: fact.configured, allowed: fact.allowed });
    }
    case 'connections_closed': {
      const { notTaken, memory, refused } = fact;
      return warning('connections were closed', { not_taken: notTaken, memory, refused });
    }
    case 'notice':
      return { level: fact.level, message: fact.text, fields: {} };
    case 'secret_differs':
      return failure(
        'HCD_SECRET is not the one with which this store was first served; hcd doctor says what to do',
        {},
      );
    case 'unexpected_error':
      return failure(`unexpected error during ${fact.during}`, errorFields(fact.error));
    default:
      return fact satisfies never;
  }
}

function requestFields({
  requestId,
  api,
  method,
  route,
  status,
  durationMs,
  error,
  ...caller
}: RequestFinished): Fields {
  return {
    request_id: requestId,
    api,
    method,
    route,
    status,
    duration_ms: rounded(durationMs),
    identity: caller.identity,
    identity_id: caller.identityId,
    ...(error === undefined ? {} : errorFields(error)),
  };
}

function errorFields(error: unknown): Fields {
  // Each request of an outage would log the same frames, and the database is not a fault of the program.
  const isOutage = error instanceof AppError && error.kind === 'unavailable';
  const stack = error instanceof Error && !isOutage ? error.stack : undefined;
  return {
    error: errorChain(error)
      .map((message) => capLength(message, longestField))
      .join(' <- '),
    stack: stack === undefined ? undefined : capLength(stack, longestStack),
  };
}

function textLine(entry: Entry, time: string): string {
  const parts = [`${time.slice(11, 19)} ${entry.level.padEnd(5)} ${clean(entry.message)}`];
  for (const [name, value] of Object.entries(entry.fields)) {
    if (value === undefined || value === null || name === 'stack' || saidInMessage.has(name)) continue;
    parts.push(`${name}=${clean(Array.isArray(value) ? value.join(',') : String(value))}`);
  }
  const { stack } = entry.fields;
  // Only the frames: a line break in the message could pose as a line of the log.
  const frames = typeof stack === 'string' ? stack.split('\n').filter((line) => /^\s+at /.test(line)) : [];
  const trace = frames.map((frame) => `\n${escapeControls(frame)}`).join('');
  return `${parts.join(' ')}${trace}\n`;
}

function clean(text: string): string {
  return escapeControls(capLength(text, longestField));
}
