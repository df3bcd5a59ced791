/**
 * The only place that decides how a fact is reported: its level, its words, its line. Text for people on a terminal,
 * one JSON object a line elsewhere.
 */
import type { Clock } from '../clock/clock.js';
import { errorChain } from './error-chain.js';
import { capLength, escapeControls } from './escape.js';
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
  /** Gets one finished line with its line break. */
  readonly write: (line: string) => void;
}

const weight: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };
/** Fields that the words of the text line hold already. */
const saidInMessage: ReadonlySet<string> = new Set(['url', 'method', 'route', 'name', 'key']);
const longestStack = 4096;

/** A log that remembers whether the database is down, so that an outage is one line and not one per request. */
export function createLogger(options: LoggerOptions): Log {
  const { level: least, format, clock, write } = options;
  const time = isoTime(clock);
  let repeated: number | null = null;
  return (observation) => {
    if (observation.kind === 'store_unavailable') {
      repeated = repeated === null ? 0 : repeated + 1;
      if (repeated > 0) return;
    }
    const refused = repeated ?? 0;
    if (observation.kind === 'store_recovered') repeated = null;
    const level = levelOf(observation);
    if (weight[level] < weight[least]) return;
    // Nearly all lines of a server are these.
    if (format === 'json' && observation.kind === 'request_finished' && observation.error === undefined) {
      write(requestLine(observation, { time: time(), level }));
      return;
    }
    const entry = describe(observation, refused);
    const event = observation.kind;
    write(format === 'json' ? jsonLine(entry, { time: time(), event }) : textLine(entry, time()));
  };
}

/** Gives the time of the clock as text, made once for all lines of a millisecond. */
function isoTime(clock: Clock): () => string {
  let at = Number.NaN;
  let text = '';
  return () => {
    const now = clock.now();
    if (now !== at) {
      at = now;
      text = new Date(now).toISOString();
    }
    return text;
  };
}

function levelOf(observation: Observation): LogLevel {
  switch (observation.kind) {
    case 'request_finished':
      // Below 500 an error is an answer that broke off.
      if (observation.status < 500) return observation.error === undefined ? 'info' : 'error';
      // An API that is switched off answers 503 without anything being wrong.
      return observation.error === undefined ? 'warn' : 'error';
    case 'store_unavailable':
    case 'redis_unavailable':
    case 'unexpected_error':
      return 'error';
    case 'delivery_settled':
      return observation.result === 'failed' ? 'warn' : 'info';
    case 'load_refused':
    case 'revocations_unheard':
    case 'setting_refused':
    case 'receiver_paused':
    case 'webhook_failing':
    case 'webhook_disabled':
    case 'clock_skewed':
    case 'forwarder_untrusted':
    case 'variable_without_effect':
    case 'banner_events_lost':
    case 'connections_closed':
    case 'page_plan_refused':
    case 'resource_plan_refused':
      return 'warn';
    default:
      return 'info';
  }
}

function describe(observation: Observation, repeated: number): Entry {
  const level = levelOf(observation);
  switch (observation.kind) {
    case 'server_stopping':
      return { level, message: 'stopping', fields: { signal: observation.signal } };
    case 'request_finished':
      return {
        level,
        message: `${observation.method} ${observation.route ?? '-'}`,
        fields: requestFields(observation),
      };
    case 'store_unavailable':
      return { level, message: 'the database does not answer', fields: { code: observation.code } };
    case 'store_recovered':
      return { level, message: 'the database answers again', fields: { repeated } };
    case 'load_refused':
      return { level, message: 'requests are refused: too many reads wait, or they take too long', fields: {} };
    case 'load_over':
      return { level, message: 'requests are no longer refused', fields: { refused: observation.refused } };
    case 'redis_unavailable':
      return { level, message: 'Redis does not count requests', fields: { code: observation.code } };
    case 'revocations_unheard':
      return { level, message: 'Redis tells no revocations', fields: { code: observation.code } };
    case 'redis_recovered':
      return { level, message: 'Redis counts requests again', fields: { uncounted: observation.uncounted } };
    case 'migration_applied':
    case 'migration_reverted': {
      const word = observation.kind === 'migration_applied' ? 'applied' : 'reverted';
      const fields = { name: observation.name };
      return { level, message: `migration ${word}: ${observation.name}`, fields };
    }
    case 'settings_changed':
      return { level, message: 'settings changed', fields: { keys: observation.keys } };
    case 'setting_refused':
      return { level, message: observation.problem, fields: { key: observation.key } };
    case 'delivery_settled':
      return { level, message: `delivery ${observation.result}`, fields: deliveryFields(observation) };
    case 'receiver_paused':
      return {
        level,
        message: 'the receiver fails again and again and is left alone for a while',
        fields: { subscription_id: observation.subscriptionId, seconds: observation.seconds },
      };
    case 'publications_done': {
      const { published, withdrawn } = observation;
      return { level, message: 'planned publication', fields: { published, withdrawn } };
    }
    case 'page_plan_refused': {
      const { resource, problem } = observation;
      return { level, message: 'a page could not be published as planned', fields: { resource, problem } };
    }
    case 'resource_plan_refused': {
      const { resource, problem } = observation;
      return {
        level,
        message: 'a resource could not be published or withdrawn on its date',
        fields: { resource, problem },
      };
    }
    case 'section_not_rendered': {
      const { resource, revision, section, type, reason } = observation;
      const fields = { resource, revision, section, type, reason };
      return { level, message: 'a section of a page cannot be rendered', fields };
    }
    case 'webhook_failing':
      return {
        level,
        message: `the receiver does nothing but fail; its subscription is disabled in ${observation.daysLeft} days`,
        fields: {
          subscription_id: observation.subscriptionId,
          failures: observation.failures,
          failing_days: observation.failingDays,
          days_left: observation.daysLeft,
        },
      };
    case 'webhook_disabled':
      return {
        level,
        message: 'webhook subscription disabled',
        fields: { subscription_id: observation.subscriptionId, reason: observation.reason },
      };
    case 'forwarder_untrusted':
      return {
        level,
        message: 'X-Forwarded-For of a peer that gateway_trusted_proxies does not name is not believed',
        fields: { peer: observation.peer },
      };
    case 'variable_without_effect': {
      const { name } = observation;
      return { level, message: `${name} is set and does nothing yet`, fields: { name } };
    }
    case 'clock_skewed':
      return {
        level,
        message: 'the clock of this machine differs from that of the database',
        fields: { skew_ms: observation.skewMs },
      };
    case 'banner_events_lost': {
      const { clicks, impressions } = observation;
      return { level, message: 'clicks and impressions could not be recorded', fields: { clicks, impressions } };
    }
    case 'connections_closed': {
      const { notTaken, memory, refused } = observation;
      return { level, message: 'connections were closed', fields: { not_taken: notTaken, memory, refused } };
    }
    case 'unexpected_error':
      return {
        level,
        message: `unexpected error during ${observation.during}`,
        fields: errorFields(observation.error),
      };
    default:
      return observation satisfies never;
  }
}

function deliveryFields(observation: Observation & { readonly kind: 'delivery_settled' }): Fields {
  return {
    delivery_id: observation.deliveryId,
    subscription_id: observation.subscriptionId,
    event_name: observation.event,
    attempt: observation.attempt,
    outcome: observation.outcome,
    status: observation.status,
    duration_ms: rounded(observation.durationMs),
  };
}

function requestFields(observation: RequestFinished): Fields {
  return {
    request_id: observation.requestId,
    api: observation.api,
    method: observation.method,
    route: observation.route,
    status: observation.status,
    duration_ms: rounded(observation.durationMs),
    identity: observation.identity,
    identity_id: observation.identityId,
    ...(observation.error === undefined ? {} : errorFields(observation.error)),
  };
}

/** The error, its stack and the chain of causes; each is capped on its own. */
function errorFields(error: unknown): Fields {
  return {
    error: errorChain(error)
      .map((message) => capLength(message, longestField))
      .join(' <- '),
    stack: error instanceof Error && error.stack !== undefined ? capLength(error.stack, longestStack) : undefined,
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
