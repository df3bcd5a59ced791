/**
 * The only place that decides how a fact is reported: its level, its words, its line. Text for people on a terminal,
 * one JSON object a line elsewhere.
 */
import type { Clock } from '../clock/clock.js';
import { capLength, escapeControls } from './escape.js';
import type { Log, Observation } from './observation.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: 'text' | 'json';
  readonly clock: Clock;
  /** Gets one finished line with its line break. */
  readonly write: (line: string) => void;
}

type Fields = Readonly<Record<string, string | number | readonly string[] | null | undefined>>;

interface Entry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Fields;
}

const weight: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };
/** Fields that the words of the text line hold already. */
const saidInMessage: ReadonlySet<string> = new Set(['url', 'method', 'route', 'name', 'key']);
const longestField = 1024;
const longestStack = 4096;

/** A log that remembers whether the database is down, so that an outage is one line and not one per request. */
export function createLogger(options: LoggerOptions): Log {
  let repeated: number | null = null;
  return (observation) => {
    if (observation.kind === 'store_unavailable') {
      repeated = repeated === null ? 0 : repeated + 1;
      if (repeated > 0) return;
    }
    const refused = repeated ?? 0;
    if (observation.kind === 'store_recovered') repeated = null;
    if (weight[levelOf(observation)] < weight[options.level]) return;
    const entry = describe(observation, refused);
    options.write(options.format === 'json' ? jsonLine(entry, observation.kind, options) : textLine(entry, options));
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
    case 'unexpected_error':
      return 'error';
    case 'delivery_settled':
      return observation.result === 'failed' ? 'warn' : 'info';
    case 'setting_refused':
    case 'receiver_paused':
    case 'webhook_failing':
    case 'webhook_disabled':
    case 'clock_skewed':
    case 'banner_events_lost':
    case 'page_plan_refused':
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

function requestFields(observation: Observation & { readonly kind: 'request_finished' }): Fields {
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
  const messages: string[] = [];
  let current: unknown = error;
  // A chain may be circular; five links say enough.
  for (let depth = 0; depth < 5 && current !== undefined && current !== null; depth += 1) {
    messages.push(current instanceof Error ? `${current.name}: ${current.message}` : String(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return {
    error: messages.map((message) => capLength(message, longestField)).join(' <- '),
    stack: error instanceof Error && error.stack !== undefined ? capLength(error.stack, longestStack) : undefined,
  };
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}

function jsonLine(entry: Entry, event: string, { clock }: LoggerOptions): string {
  const line: Record<string, unknown> = {
    time: new Date(clock.now()).toISOString(),
    level: entry.level,
    event,
    message: capLength(entry.message, longestField),
  };
  for (const [name, value] of Object.entries(entry.fields)) {
    if (value !== undefined) line[name] = typeof value === 'string' && name !== 'stack' ? capField(name, value) : value;
  }
  // JSON leaves DEL, C1 controls, line separators and reordering marks as they are; inside strings \uXXXX is the same.
  return `${escapeControls(JSON.stringify(line))}\n`;
}

/** `error` is a chain of capped messages already. */
function capField(name: string, value: string): string {
  return name === 'error' ? value : capLength(value, longestField);
}

function textLine(entry: Entry, { clock }: LoggerOptions): string {
  const time = new Date(clock.now()).toISOString().slice(11, 19);
  const parts = [`${time} ${entry.level.padEnd(5)} ${clean(entry.message)}`];
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
