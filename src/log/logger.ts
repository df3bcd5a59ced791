/** Decides how a fact is reported: text for people on a terminal, one JSON object a line elsewhere. */
import type { Clock } from '../clock/clock.js';
import { AppError } from '../errors/app-error.js';
import { capLength, escapeControls, snakeCase } from '../values/text.js';
import { errorChain, type Facts, type Log, type Observation, type RequestFinished } from './observation.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: 'text' | 'json';
  readonly clock: Clock;
  readonly write: (line: string) => void;
}

const weight: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };
/** Fields that the words of the text line hold already. */
const saidInMessage: ReadonlySet<string> = new Set(['url', 'method', 'route', 'name', 'key']);
/** Characters of one text; what is longer is cut. */
const longestField = 1024;
const longestStack = 4096;

type Fields = Readonly<Record<string, unknown>>;

interface Entry {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: Fields;
}

/** Remembers whether the database is down, so that an outage is one line and not one per request. */
export function createLogger(options: LoggerOptions): Log {
  const { level: least, format, clock, write } = options;
  const time = makeTimestamp(clock);
  let repeated: number | null = null;
  return (observation) => {
    const { kind } = observation;
    if (kind === 'store_unavailable') {
      repeated = repeated === null ? 0 : repeated + 1;
      if (repeated > 0) return;
    }
    const refused = repeated ?? 0;
    if (kind === 'store_recovered') repeated = null;
    if (format === 'json' && kind === 'request_finished' && observation.error === undefined) {
      const level = requestLevel(observation);
      if (weight[level] < weight[least]) return;
      const line = requestLine(observation, { time: time(), level });
      if (line !== null) return write(line);
    }
    const entry = describe(observation, refused);
    if (weight[entry.level] < weight[least]) return;
    write(format === 'json' ? jsonLine(entry, { time: time(), event: kind }) : textLine(entry, time()));
  };
}

/** All but the milliseconds is made once for the lines of a second. */
function makeTimestamp(clock: Clock): () => string {
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
  // An API that is turned off answers 503 without anything being wrong.
  return status < 500 ? 'info' : 'warn';
}

type Special = 'request_finished' | `store_${string}` | 'delivery_settled' | 'notice' | 'unexpected_error';
type Row<K extends keyof Facts> = readonly [LogLevel, message: string, fields?: readonly (keyof Facts[K] & string)[]];

/** `{name}` in a message is a value of the fact. */
const rows: { readonly [K in Exclude<keyof Facts, Special>]: Row<K> } = {
  server_stopping: ['info', 'stopping', ['signal']],
  log_lines_lost: ['warn', 'lines of this log were lost: its reader took nothing for too long', ['lines']],
  workers_replaced: ['info', 'workers replaced', ['count']],
  load_refused: ['warn', 'requests are refused: too many arrive or wait, or they take too long'],
  load_over: ['info', 'requests are no longer refused', ['refused']],
  redis_unavailable: ['error', 'Redis does not count requests', ['code']],
  revocations_unheard: ['warn', 'Redis does not report revocations', ['code']],
  redis_recovered: ['info', 'Redis counts requests again', ['uncounted']],
  migration_applied: ['info', 'migration applied: {name}', ['name']],
  settings_changed: ['info', 'settings changed', ['keys']],
  setting_refused: ['warn', '{problem}', ['key']],
  receiver_paused: [
    'warn',
    'the receiver fails again and again and is left alone for a while',
    ['subscriptionId', 'seconds'],
  ],
  publications_done: ['info', 'planned publication', ['published', 'withdrawn']],
  page_plan_refused: ['warn', 'a page could not be published as planned', ['resource', 'problem']],
  resource_plan_refused: [
    'warn',
    'a resource could not be published or withdrawn on its date',
    ['resource', 'problem'],
  ],
  section_not_rendered: [
    'info',
    'a section of a page cannot be rendered',
    ['resource', 'revision', 'section', 'type', 'reason'],
  ],
  webhook_failing: [
    'warn',
    'the receiver does nothing but fail; its subscription is disabled in {daysLeft} days',
    ['subscriptionId', 'failures', 'failingDays', 'daysLeft'],
  ],
  webhook_disabled: ['warn', 'webhook subscription disabled', ['subscriptionId', 'reason']],
  forwarder_untrusted: [
    'warn',
    'X-Forwarded-For of a peer that gateway_trusted_proxies does not name is not believed',
    ['peer'],
  ],
  clock_skewed: ['warn', 'the clock of this machine differs from that of the database', ['skewMs']],
  banner_events_lost: ['warn', 'clicks and impressions could not be recorded', ['clicks', 'impressions']],
  connections_lowered: [
    'warn',
    'the limit of open files allows fewer connections than max_connections; raise it (LimitNOFILE, ulimit -n)',
    ['openFiles', 'configured', 'allowed'],
  ],
  connections_closed: ['warn', 'connections were closed', ['notTaken', 'memory', 'refused']],
  secret_differs: [
    'error',
    'HCD_SECRET is not the one with which this store was first served; hcd doctor says what to do',
  ],
};

function describe(fact: Observation, repeated: number): Entry {
  switch (fact.kind) {
    case 'request_finished':
      return { level: requestLevel(fact), message: `${fact.method} ${fact.route ?? '-'}`, fields: requestFields(fact) };
    case 'store_unavailable':
      return { level: 'error', message: fact.problem ?? 'the database does not answer', fields: { code: fact.code } };
    case 'store_recovered':
      return { level: 'info', message: 'the database answers again', fields: { repeated } };
    case 'delivery_settled': {
      const { deliveryId, subscriptionId, event, attempt, outcome, result, status, durationMs } = fact;
      const delivery = { delivery_id: deliveryId, subscription_id: subscriptionId, event_name: event };
      const fields = { ...delivery, attempt, outcome, status, duration_ms: rounded(durationMs) };
      return { level: result === 'failed' ? 'warn' : 'info', message: `delivery ${result}`, fields };
    }
    case 'notice':
      return { level: fact.level, message: fact.text, fields: {} };
    case 'unexpected_error':
      return { level: 'error', message: `unexpected error during ${fact.during}`, fields: errorFields(fact.error) };
    default:
      return entryOf(fact, rows[fact.kind]);
  }
}

function entryOf(fact: Fields, [level, text, names = []]: readonly [LogLevel, string, (readonly string[])?]): Entry {
  const message = text.replace(/\{(\w+)\}/g, (_place, name: string) => String(fact[name]));
  return { level, message, fields: Object.fromEntries(names.map((name) => [snakeCase(name), fact[name]])) };
}

function requestFields(fact: RequestFinished): Fields {
  const { requestId, api, method, route, status, identity, identityId, error } = fact;
  return {
    ...{ request_id: requestId, api, method, route, status, duration_ms: rounded(fact.durationMs) },
    ...{ identity, identity_id: identityId },
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

/** To a hundredth. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}

function jsonLine(entry: Entry, { time, event }: { readonly time: string; readonly event: string }): string {
  const line: Record<string, unknown> = {
    time,
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

/** Printable ASCII that needs no escape inside a JSON string. */
const plain = /^[ !#-[\]-~]*$/;

/** The same bytes in less time, for nearly all lines of a server. Null where a text is long or needs escapes. */
function requestLine(request: RequestFinished, { time, level }: { readonly time: string; readonly level: LogLevel }) {
  const { requestId, api, method, route, status, durationMs, identity, identityId } = request;
  const message = `${method} ${route ?? '-'}`;
  const texts = `${message}${requestId}${api}${identity}${identityId}`;
  const duration = rounded(durationMs);
  if (texts.length > longestField || !plain.test(texts) || !Number.isFinite(duration)) return null;
  const shown = route === null ? null : `"${route}"`;
  const caller = `"identity":"${identity}"${identityId === undefined ? '' : `,"identity_id":"${identityId}"`}`;
  const end = `"route":${shown},"status":${status},"duration_ms":${duration},${caller}`;
  return `{"time":"${time}","level":"${level}","event":"request_finished","message":"${message}","request_id":"${requestId}","api":"${api}","method":"${method}",${end}}\n`;
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
