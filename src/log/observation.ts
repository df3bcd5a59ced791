/**
 * Everything that the program may report while it runs: a closed union of facts. There is no field for headers, bodies,
 * query strings or secrets, so a leak would need a change of type here.
 */

import type { AppError } from '../errors/app-error.js';

export interface Refusal {
  readonly check: CheckName;
  readonly error: AppError;
}

/** What a request passes, in the order of the gateway; the banner API has `route` before `access`. */
export type CheckName =
  | 'load'
  | 'form'
  | 'route'
  | 'enabled'
  | 'credential'
  | 'limit'
  | 'csrf'
  | 'access'
  | 'body'
  | 'handler';

interface Facts {
  server_stopping: { readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGPIPE' };
  /** Lines of this log that were not written, because its reader took nothing for too long. */
  log_lines_lost: { readonly lines: number };
  /** Other worker processes have replaced those of this server, as SIGHUP asks. */
  workers_replaced: { readonly count: number };
  request_finished: {
    readonly requestId: string;
    readonly api: string;
    readonly method: string;
    /** Pattern of the route, such as `/resources/:id`; null when no route fits. Never the address itself. */
    readonly route: string | null;
    readonly status: number;
    readonly durationMs: number;
    /** Kind of the caller, and its public id where it has one. */
    readonly identity: string;
    readonly identityId?: string | undefined;
    /** What went wrong, for 5xx and for an answer that broke off. */
    readonly error?: unknown;
    /** Of an answer that an error became: the check that refused, and its error. It is not written to the log. */
    readonly refusal?: Refusal | undefined;
  };
  /** The database did not answer. Said once, then counted until `store_recovered`. */
  store_unavailable: {
    /** Code of the driver, such as ECONNREFUSED. */
    readonly code: string;
    /** What is wrong, where it does answer: a full disk, a missing table. */
    readonly problem?: string;
  };
  store_recovered: object;
  /** Requests are refused: too many arrive or wait, or one takes too long. Logged once, until `load_over`. */
  load_refused: object;
  /** Requests have not been refused in this way for a while. */
  load_over: {
    readonly refused: number;
  };
  /** Redis does not count requests for rate limits. Said once, until `redis_recovered`. */
  redis_unavailable: {
    /** Redis's own code of a refusal, or the code of the network, such as ECONNREFUSED. */
    readonly code: string;
  };
  /**
   * Redis no longer sends changes of credentials: this server finds them itself within a second. Reported once for each
   * loss.
   */
  revocations_unheard: { readonly code: string };
  redis_recovered: {
    /** Requests that this process counted alone or refused meanwhile. */
    readonly uncounted: number;
  };
  migration_applied: { readonly name: string };
  migration_reverted: { readonly name: string };
  settings_changed: { readonly keys: readonly string[] };
  /** A stored value is not acceptable; the default counts. */
  setting_refused: { readonly key: string; readonly problem: string };
  /** One attempt to deliver an event ended and is recorded. Never the address, body or signature. */
  delivery_settled: {
    readonly deliveryId: number;
    readonly subscriptionId: number;
    readonly event: string;
    readonly attempt: number;
    /** Class of the attempt, such as `timeout`. */
    readonly outcome: string;
    /** What becomes of the delivery; lost = another worker has it. */
    readonly result: 'delivered' | 'retry' | 'failed' | 'give_back' | 'lost';
    readonly status: number | null;
    readonly durationMs: number;
  };
  /** A receiver fails so often in a row that this worker leaves it alone for a while. */
  receiver_paused: { readonly subscriptionId: number; readonly seconds: number };
  /** Every attempt at a receiver fails, and it will be disabled. */
  webhook_failing: {
    readonly subscriptionId: number;
    readonly failures: number;
    readonly failingDays: number;
    readonly daysLeft: number;
  };
  webhook_disabled: { readonly subscriptionId: number; readonly reason: string };
  /** The clocks of this machine and of the database differ; positive = this machine is ahead. */
  clock_skewed: { readonly skewMs: number };
  /** A peer that is not a trusted proxy sends X-Forwarded-For, which is ignored. Reported once. */
  forwarder_untrusted: {
    /** Its address, or its network where the address is a public one. */
    readonly peer: string;
  };
  /** Resources were published or withdrawn on their planned dates. */
  publications_done: { readonly published: number; readonly withdrawn: number };
  /** Answered clicks and impressions that were not recorded: too many at once, or the database was away. */
  banner_events_lost: { readonly clicks: number; readonly impressions: number };
  /** Connections that this server closed or refused to bound its memory. At most one such fact a second. */
  connections_closed: {
    /** Their clients took nothing of an answer for too long. */
    readonly notTaken: number;
    /** All answers that were not taken were too much together. */
    readonly memory: number;
    /** There were too many connections. */
    readonly refused: number;
  };
  /** The limit of open files leaves room for fewer connections than are configured. */
  connections_lowered: { readonly openFiles: number; readonly configured: number; readonly allowed: number };
  /** A section of a published page has no HTML: its type is gone, or its template fails. */
  section_not_rendered: {
    readonly resource: number;
    readonly revision: number;
    readonly section: string;
    readonly type: string;
    readonly reason: string;
  };
  /** A page was to be published by a plan, and its draft does not allow it. */
  page_plan_refused: {
    readonly resource: number;
    /** The first problem, by its path; never a value of the document. */
    readonly problem: string;
  };
  /**
   * A date of a resource has passed, and the database does not take what follows from it. Said once as long as it
   * lasts.
   */
  resource_plan_refused: { readonly resource: number; readonly problem: string };
  /** A text for people, or a warning of Node, in a log that only programs read. */
  notice: { readonly text: string; readonly level: 'info' | 'warn' | 'error' };
  /** The root secret has another fingerprint than the one that the store keeps. */
  secret_differs: object;
  /** A fault of the program outside a request. */
  unexpected_error: {
    /** What was being done, in a few fixed words. */
    readonly during: string;
    readonly error: unknown;
  };
}

export type Observation = { [Kind in keyof Facts]: { readonly kind: Kind } & Facts[Kind] }[keyof Facts];

export type RequestFinished = Extract<Observation, { kind: 'request_finished' }>;

/** Reports one fact. Never throws. */
export type Log = (observation: Observation) => void;
